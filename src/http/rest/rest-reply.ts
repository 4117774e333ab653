/** Replies of the legacy surface: XML whose prolog is directly followed by its root, and the acknowledgement. */

import { XML_PROLOG } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { Services } from "../services.ts";

const XML_TYPE = "text/xml; charset=UTF-8";
export const TEXT_TYPE = "text/plain; charset=UTF-8";

export function xmlReply(root: string): Reply {
  return { status: 200, contentType: XML_TYPE, body: XML_PROLOG + root };
}

/** The command was accepted; the event stream reports the outcome. */
export function succeeded(): Reply {
  return xmlReply('<RestResponse succeeded="true"><status>200</status></RestResponse>');
}

/** A document that is encoded once per version of what it shows. */
export function xmlDocument({ documents }: Services, name: string, version: string, encode: () => string): Reply {
  return documents.serve(name, version, XML_TYPE, () => XML_PROLOG + encode());
}
