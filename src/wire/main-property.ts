/** The one property that structure documents list for a node. */

import { familyOf } from "../families.ts";
import type { Node } from "../home/nodes.ts";
import type { Property } from "../home/property.ts";

/** `ST` where the node has it and its family lists it. */
export function mainProperty(node: Node): Property | null {
  return familyOf(node.family).listsStatus ? (node.properties.get("ST") ?? null) : null;
}
