/**
 * The highest number that things of each kind ever had. New things get numbers above it: what still names a thing that was
 * removed, or that a restore left out, must not reach another one.
 */

import type { Change } from "./change.ts";
import { variableKey } from "./variables.ts";

/** By the part of a thing's key before its number, such as "program " or "variable 2/". */
type HighestIds = { readonly highestIds: Map<string, number> };

/** Kinds whose numbers the controller gives. A channel "ntfy" is the first one. */
const NUMBERED = /^(program |resource |variable [12]\/|folder |group |integration [a-z]+)(\d{0,5})$/;

/** The key of the thing that a change puts into the home, if the controller numbers it. */
export function numberedThing(change: Change): string | null {
  if ("program" in change) return `program ${change.program.id}`;
  if ("variable" in change) return `variable ${variableKey(change.variable.type, change.variable.id)}`;
  if ("resource" in change) return `resource ${change.resource.id}`;
  if ("folder" in change) return `folder ${change.folder.address}`;
  if ("group" in change) return `group ${change.group.address}`;
  return "integration" in change ? `integration ${change.integration.id}` : null;
}

export const ID_MAX = 65_535;

/** @param key by `thingKey`; of things that the controller does not number nothing is kept. */
export function noteId({ highestIds }: HighestIds, key: string): void {
  const [, kind, digits] = NUMBERED.exec(key) ?? [];
  if (kind === undefined) return;
  const id = digits === "" ? 1 : Number(digits);
  if (id <= ID_MAX && id > highestId({ highestIds }, kind)) highestIds.set(kind, id);
}

export function highestId({ highestIds }: HighestIds, kind: string): number {
  return highestIds.get(kind) ?? 0;
}
