/** The one property that structure documents list for a node. */

import type { Node } from "../home/nodes.ts";
import type { Property } from "../home/property.ts";
import { PLUGIN_FAMILY } from "./tree.ts";

/** `ST` where the node has it; plugin nodes list none: their values stand in the status table. */
export function mainProperty(node: Node): Property | null {
  return node.family === PLUGIN_FAMILY ? null : (node.properties.get("ST") ?? null);
}
