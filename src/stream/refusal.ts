/** An upgrade that is not granted: a plain HTTP answer in the surface's own shape, then the socket ends. */

import type { Duplex } from "node:stream";
import type { ControllerError } from "../errors.ts";
import { STATUS_CODES } from "../util/node-http.ts";
import { escapeXml, XML_PROLOG } from "../util/xml.ts";
import type { Surface } from "./event-body.ts";

/** The version of the protocol that every client speaks, sent in answer to a malformed handshake (RFC 6455, 4.4). */
const VERSION = "Sec-WebSocket-Version: 13";

export function refuseUpgrade(socket: Duplex, surface: Surface, error: ControllerError): void {
  const body = surface === "api" ? jsonBody(error) : xmlBody(error);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `Content-Type: ${surface === "api" ? "application/json" : "text/xml"}; charset=UTF-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(error.code === "BAD_REQUEST" ? [VERSION] : []),
    ...(error.retryAfterS === null ? [] : [`Retry-After: ${error.retryAfterS}`]),
    "Connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function jsonBody({ message, code }: ControllerError): string {
  return JSON.stringify({ successful: false, data: null, error: message, code });
}

function xmlBody({ message, code, status }: ControllerError): string {
  const reason = `<reason code="${code}">${escapeXml(message)}</reason>`;
  return `${XML_PROLOG}<RestResponse succeeded="false"><status>${status}</status>${reason}</RestResponse>`;
}
