/** The uses that a node can have by its role, and what its name says. */

import type { Node } from "@domovoi/client";

export type NodeUse = NonNullable<Node["use"]>;

/** The controller refuses any other use of these roles. */
export const USES: Readonly<Partial<Record<string, readonly NodeUse[]>>> = {
  contact: ["window", "door", "gate", "other"],
  switch: ["lamp", "other"],
  outlet: ["lamp", "other"],
  meter: ["grid", "solar", "battery", "gas", "water", "other"],
};

/** Words in names, in the languages of the page. */
const NAMED: readonly (readonly [use: NodeUse, name: RegExp])[] = [
  ["window", /window|fenster/i],
  ["gate", /gate|gartentor|hoftor/i],
  ["door", /door|tür|tuer/i],
  ["solar", /solar|photovolt|\bpv\b/i],
  ["battery", /battery|batterie|akku|speicher/i],
  ["gas", /\bgas/i],
  ["water", /water|wasser/i],
  ["grid", /grid|house|home|mains|haus|netz/i],
  ["lamp", /lamp|light|licht|leuchte|led\b/i],
  ["other", /pump|heater|boiler|fan\b|heizung|lüfter/i],
];

/** What the name of a node says about its use; null when it says nothing. */
export function proposedUse({ role, name }: Pick<Node, "role" | "name">): NodeUse | null {
  const uses = USES[role ?? ""] ?? [];
  return NAMED.find(([use, words]) => uses.includes(use) && words.test(name))?.[0] ?? null;
}
