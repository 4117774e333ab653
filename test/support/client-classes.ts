/**
 * Classifies devices by their nodedef as existing clients do, by the accepted commands. A change here has to match those
 * clients.
 *
 * @see docs/interface/profiles.md
 */

import type { Nodedef } from "../../src/profile/nodedef.ts";

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

function takesLevel(nodedef: Nodedef): boolean {
  return nodedef.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);
}
