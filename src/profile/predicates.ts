/**
 * Classifies devices by their nodedef as existing clients do: by the accepted commands and the editor of the status.
 * A change here has to match those clients.
 *
 * @see docs/interface/profiles.md
 */

import { GROUPS } from "../families.ts";
import type { EditorRange } from "./editor.ts";
import type { Nodedef } from "./nodedef.ts";
import { subsetValues } from "./subset.ts";

export type NodedefKey = { readonly nodeDefId: string; readonly family: number; readonly instance: number };

/** Every scene accepts these commands. The id is the label that scenes carry. */
export const SCENE_NODEDEF: NodedefKey = { nodeDefId: "InsteonDimmer", family: GROUPS.id, instance: 1 };

export type DeviceClass = "lock" | "climate" | "alarm" | "cover" | "light" | "switch" | "none";

/** The one kind of device that a person would call it; the first rule that fits wins. */
export function classify(nodedef: Nodedef): DeviceClass {
  const accepts = (...ids: readonly string[]) => nodedef.accepts.some(({ id }) => ids.includes(id));
  const switches = accepts("DON") && accepts("DOF");
  if (accepts("SECMD")) return "lock";
  if (accepts("CLISPC", "CLISPH")) return "climate";
  if (accepts("ARM", "DISARM")) return "alarm";
  if (!switches) return accepts("FDUP", "FDDOWN", "FDSTOP") ? "cover" : "none";
  const dims = accepts("BRT", "DIM", "FDUP", "FDDOWN", "FDSTOP") || nodedef.properties.some(({ id }) => id === "OL");
  return dims && takesLevel(nodedef) ? "light" : "switch";
}

/** True for a range such as off and on, whose subset lists at most two values. */
export function isTwoValued(range: EditorRange): boolean {
  return subsetValues(range, 2) !== null;
}

function takesLevel(nodedef: Nodedef): boolean {
  return nodedef.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);
}
