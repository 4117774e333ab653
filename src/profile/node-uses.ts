/**
 * What an owner uses a node for, where its role leaves that open: a contact may be at a window or a door, a relay may switch
 * a lamp or a pump, a meter may count what comes from the grid or from the roof. Programs by room and role and the energy page read it.
 */

import type { NodeRole } from "./roles-table.ts";

export const NODE_USES = [
  ...(["window", "door", "gate", "lamp"] as const),
  ...(["grid", "solar", "battery", "gas", "water"] as const),
  "other",
] as const;

export type NodeUse = (typeof NODE_USES)[number];

/** Roles that are not here have no use of their own. */
const USES: { readonly [Role in NodeRole]?: readonly NodeUse[] } = {
  contact: ["window", "door", "gate", "other"],
  switch: ["lamp", "other"],
  outlet: ["lamp", "other"],
  meter: ["grid", "solar", "battery", "gas", "water", "other"],
};

/** The uses that a node of the role can have; none for most roles. */
export function usesOfRole(role: NodeRole): readonly NodeUse[] {
  return USES[role] ?? [];
}
