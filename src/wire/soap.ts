/** The envelope of SOAP answers, on the surface and at the begin of a stream. Prefix and namespace are those that clients look for. */

import { escapeXml, XML_PROLOG } from "../util/xml.ts";

export const SOAP_TYPE = "application/soap+xml; charset=UTF-8";
export const SOAP_OPENING = `${XML_PROLOG}<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>`;
export const SOAP_END = "</s:Body></s:Envelope>";

/** What clients find without a prefix and without a namespace. */
export function soapOutcome(status: number, info: string): string {
  return `<UDIDefaultResponse><status>${status}</status><info>${escapeXml(info)}</info></UDIDefaultResponse>`;
}
