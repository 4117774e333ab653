/** `/rest/networking/resources`. @see docs/interface/networking.md */

import type { ResourceRecord } from "../model/records.ts";
import { repairAmpersands } from "./scan-xml.ts";
import { childrenOf, childText, parseXml } from "./xml.ts";

/** Bare ampersands are mended; what still cannot be read has no resources. Rules without an id are left out. */
export function readResources(document: string): Map<string, ResourceRecord> {
  const root = readRepaired(document);
  const records = childrenOf(root, "NetRule").map((rule) => ({
    id: childText(rule, "id"),
    name: childText(rule, "name"),
  }));
  return new Map(records.filter(({ id }) => id !== "").map((record) => [record.id, record]));
}

function readRepaired(document: string) {
  try {
    return parseXml(repairAmpersands(document));
  } catch {
    return null;
  }
}
