/** Answers of `/services`: a document in an envelope. The prefix and the namespace are those that clients look for. */

import { escapeXml, XML_PROLOG } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";

const SOAP_TYPE = "application/soap+xml; charset=UTF-8";
const OPENING = `${XML_PROLOG}<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>`;
/** That of a twin's document is spelled as its original did. */
const PROLOG_BYTES_MAX = 128;
const END = "</s:Body></s:Envelope>";

/** What clients find without a prefix and without a namespace. `status` is also the one of the HTTP answer, as far as that can be. */
export function outcome(status: number, info: string): Pick<Reply, "contentType" | "body"> {
  const answer = `<UDIDefaultResponse><status>${status}</status><info>${escapeXml(info)}</info></UDIDefaultResponse>`;
  return { contentType: SOAP_TYPE, body: OPENING + answer + END };
}

export function done(): Reply {
  return { status: 200, ...outcome(200, "") };
}

/** The document of another surface; a text stays as it is. */
export function enveloped(reply: Reply): Reply {
  if (!reply.contentType.startsWith("text/xml")) return reply;
  const text = Buffer.from(reply.body);
  const document = text.subarray(text.subarray(0, PROLOG_BYTES_MAX).indexOf("?>") + 2);
  return {
    status: reply.status,
    contentType: SOAP_TYPE,
    body: Buffer.concat([Buffer.from(OPENING), document, Buffer.from(END)]),
  };
}
