/** Answers to SOAP requests on a connection that is a stream now, as HTTP messages of its own. */

import { SOAP_END, SOAP_OPENING, SOAP_TYPE, soapOutcome } from "../wire/soap.ts";

/** @param status in the status line, where clients look for it. */
export function soapMessage(status: number, inner = soapOutcome(status, "")): Buffer {
  const body = SOAP_OPENING + inner + SOAP_END;
  const head = [
    `HTTP/1.1 ${status} ${status === 200 ? "OK" : "Refused"}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: Keep-Alive",
    `Content-Type: ${SOAP_TYPE}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
