/** Envelopes as old clients post them. */

import type { Answer, HttpsClient } from "./https-client.ts";

const URN = "urn:udi-com:service:X_Insteon_Lighting_Service:1";

/** One body in the spellings that clients of the field use. */
export const ENVELOPES: Readonly<Record<string, (name: string, inner: string) => string>> = {
  "bound to 2003": (name, inner) =>
    `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>` +
    `<u:${name} xmlns:u="${URN}">${inner}</u:${name}></s:Body></s:Envelope>`,
  "not bound": (name, inner) => `<s:Envelope><s:Body><u:${name}>${inner}</u:${name}></s:Body></s:Envelope>\r\n`,
  "two prefixes, a typo": (name, inner) =>
    `\r\n<?xml version="1.0"?><e:Envelope xmlns:e="urn:x"><s:Body><u:${name} xmlns:u="urn:udicom:service:X_IoX_Service:1">` +
    `${inner}</u:${name}></s:Body></s:Envelope>`,
  "no prefixes": (name, inner) => `<Envelope xmlns="urn:y"><Body><${name}>${inner}</${name}></Body></Envelope>`,
  "cut off": (name, inner) => `<s:Envelope><s:Body><u:${name}>${inner}</u:${name}></s:Body></s:Envelop`,
};

export function envelope(name: string, inner = "", spelling = "not bound"): string {
  const write = ENVELOPES[spelling];
  if (!write) throw new Error(`There is no spelling "${spelling}".`);
  return write(name, inner);
}

/** What an answer says in `UDIDefaultResponse`; null: it is a document. */
export function outcomeOf({ text }: Answer): { readonly status: number; readonly info: string } | null {
  const [, status, info = ""] =
    /<s:Body><UDIDefaultResponse><status>(\d+)<\/status><info>([^<]*)<\/info>/.exec(text) ?? [];
  return status === undefined ? null : { status: Number(status), info };
}

export type Soap = (name: string, inner?: string, spelling?: string) => Promise<Answer>;

/** @param headers with the credentials. */
export function soapClient(client: HttpsClient, headers: Readonly<Record<string, string>>): Soap {
  return (name, inner, spelling) =>
    client.request("POST", "/services", { headers, body: envelope(name, inner, spelling) });
}
