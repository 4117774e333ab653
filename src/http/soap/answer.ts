/** Answers of `/services`: a document in an envelope. */

import { SOAP_END, SOAP_OPENING, SOAP_TYPE, soapOutcome } from "../../wire/soap.ts";
import type { Reply } from "../reply.ts";

/** The prolog of a twin's document is spelled as its original did. */
const PROLOG_BYTES_MAX = 128;

/** `status` is also the one of the HTTP answer, as far as that can be. */
export function outcome(status: number, info: string): Pick<Reply, "contentType" | "body"> {
  return { contentType: SOAP_TYPE, body: SOAP_OPENING + soapOutcome(status, info) + SOAP_END };
}

export function done(): Reply {
  return { status: 200, ...outcome(200, "") };
}

/** The document of another surface; a text stays as it is. */
export function enveloped(reply: Reply): Reply {
  if (!reply.contentType.startsWith("text/xml") || reply.subscribes) return reply;
  const text = Buffer.from(reply.body);
  const document = text.subarray(text.subarray(0, PROLOG_BYTES_MAX).indexOf("?>") + 2);
  return {
    status: reply.status,
    contentType: SOAP_TYPE,
    body: Buffer.concat([Buffer.from(SOAP_OPENING), document, Buffer.from(SOAP_END)]),
  };
}
