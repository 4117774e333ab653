/** The listeners of a standby: its health, and for everything else where the home is. @see docs/standby.md */

import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import { createServer as createPlainServer } from "../util/node-http.ts";
import { CIPHERS } from "../util/tls-ciphers.ts";
import { checkHost, type HostRule, ownNames } from "./browser-rules.ts";
import { failureReply } from "./failure.ts";
import type { Certificate } from "./tls.ts";

/** What a standby knows of the home. */
export type StandbyFacts = {
  readonly role: "standby";
  readonly epoch: number;
  /** Name of the machine that writes the home; null: none does. */
  readonly writer: string | null;
  /** Where clients reach it. */
  readonly writerUrl: string | null;
  /** Since when it does. */
  readonly sinceMs: number | null;
  /** Why the database cannot be read; null: it can. */
  readonly failure: string | null;
};

type StandbyConfig = Pick<
  Config,
  | "allowedHosts"
  | "acmeNames"
  | "portalHost"
  | "host"
  | "portalPort"
  | "localPort"
  | "plainHost"
  | "plainPort"
  | "connectionsMax"
  | "headersTimeoutMs"
>;

export type StandbyListeners = {
  readonly portalUrl: string;
  readonly localUrl: string;
  /** With every connection. */
  close(): Promise<void>;
};

const RETRY_AFTER_S = 2;

/**
 * Opens the ports of the settings.
 * @throws ControllerError BAD_VALUE for a port that is taken
 */
export async function openStandbyListeners(
  config: StandbyConfig,
  certificate: Certificate,
  facts: () => StandbyFacts,
): Promise<StandbyListeners> {
  const { cert, key } = certificate;
  const limits = {
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.headersTimeoutMs,
    maxHeaderSize: 16_384,
  };
  const tls = () => createTlsServer({ ...limits, cert, key, minVersion: "TLSv1.2", ciphers: CIPHERS });
  const wanted: (readonly [Server, string, number])[] = [
    [tls(), config.host, config.portalPort],
    [tls(), config.host, config.localPort],
    ...(config.plainPort >= 0 ? [[createPlainServer(limits), config.plainHost, config.plainPort] as const] : []),
  ];
  const close = () => Promise.all(wanted.map(([server]) => closed(server))).then(() => {});
  try {
    for (const [server, host, port] of wanted) {
      server.maxConnections = config.connectionsMax;
      server.on("request", answerWith(facts, { names: ownNames(config), encrypted: server instanceof TlsServer }));
      server.on("upgrade", (_request: IncomingMessage, socket: Duplex) => {
        socket.on("error", () => socket.destroy());
        socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      });
      server.listen(port, host);
      await once(server, "listening");
    }
  } catch (error) {
    await close();
    throw badValue(`A port of the standby cannot be opened: ${error instanceof Error ? error.message : error}.`, error);
  }
  const [portal, local] = wanted.map(([server, host]) => `https://${host}:${(server.address() as AddressInfo).port}`);
  return { portalUrl: portal ?? "", localUrl: local ?? "", close };
}

function answerWith(facts: () => StandbyFacts, rule: Omit<HostRule, "origins">): RequestListener {
  return (request, response) => {
    const path = request.url ?? "";
    const refuse = (error: ControllerError, headers: Readonly<Record<string, string>> = {}) => {
      const reply = failureReply(error, path.startsWith("/rest") ? "rest" : "api", "local");
      send(response, reply.status, reply.contentType, String(reply.body), headers);
    };
    try {
      checkHost(request.headers, request.rawHeaders, rule);
    } catch (error) {
      refuse(error instanceof ControllerError ? error : new ControllerError("BAD_REQUEST"));
      return;
    }
    if (path === "/healthz") {
      send(
        response,
        200,
        "application/json; charset=utf-8",
        JSON.stringify({ status: "standby", store: shown(facts()) }),
      );
      return;
    }
    const { writer, writerUrl } = facts();
    const where =
      writer === null
        ? "No machine runs the home at the moment."
        : `"${writer}"${writerUrl === null ? "" : ` at ${writerUrl}`} runs the home.`;
    const error = new ControllerError("STANDBY", {
      sentence: `This machine is a standby. ${where}`,
      retryAfterS: RETRY_AFTER_S,
    });
    refuse(error, { "Retry-After": String(RETRY_AFTER_S) });
  };
}

/** For strangers: no addresses of other machines. */
function shown({ writerUrl: _writerUrl, failure, ...facts }: StandbyFacts): object {
  return { ...facts, failure: failure === null ? null : "It cannot read the database. Its log has the reason." };
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  // The connection must be gone when this machine takes over: the next request goes to the controller.
  response.writeHead(status, { "Content-Type": type, Connection: "close", "Cache-Control": "no-store", ...headers });
  response.end(body);
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const done = once(server, "close");
  server.close();
  server.closeAllConnections();
  await done;
}
