/** `/rest/status`: what every node last reported, and how it is merged into the nodes. @see docs/interface/status.md */

import type { NodeRecord, Property } from "../model/records.ts";
import { scanXml, type XmlAttributes } from "./scan-xml.ts";

/**
 * Merges the table: properties of the same id are replaced, others added, and those that only the node has are kept.
 * An empty document changes nothing; addresses without a node are left out.
 * @throws ClientError `BAD_DOCUMENT`; everything before the fault is merged by then
 */
export function mergeStatus(nodes: ReadonlyMap<string, NodeRecord>, document: string): void {
  if (document.trim() === "") return;
  let node: NodeRecord | undefined;
  scanXml(document, {
    open(name, attributes) {
      if (name === "node") node = nodes.get(attributes.id ?? "");
      else if (name === "property" && node) {
        const read = readPropertyAttributes(attributes);
        if (read) node.properties.set(read.id, read);
      }
    },
    text() {},
    close(name) {
      if (name === "node") node = undefined;
    },
  });
}

/** Null without an id. */
export function readPropertyAttributes(attributes: XmlAttributes): Property | null {
  const { id, value = "", formatted = "", uom = "", name = "", prec } = attributes;
  return id
    ? { id, value: value.trim(), formatted, uom, name, prec: prec === undefined ? 0 : Number(prec) || 0 }
    : null;
}
