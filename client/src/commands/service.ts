/** Operations of `/services`: SOAP, as older controllers read it. */

import type { ControllerSession } from "../api.ts";
import type { Session } from "../transport/session.ts";

const ENVELOPE = "http://www.w3.org/2003/05/soap-envelope";
const SERVICE = "urn:udi-com:service:X_Insteon_Lighting_Service:1";

export function serviceOf(session: Session): ControllerSession["service"] {
  return (operation, content = "") => {
    const inner = `<u:${operation} xmlns:u="${SERVICE}">${content}</u:${operation}>`;
    const xml = `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${ENVELOPE}"><s:Body>${inner}</s:Body></s:Envelope>`;
    return session.send("POST", "/services", { xml });
  };
}
