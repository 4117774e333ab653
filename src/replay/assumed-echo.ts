/**
 * The most likely report of a device after a command that the recording does not have: switching on or off, to a
 * level. Nothing is assumed of other commands.
 */

import type { Home } from "../home/home.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { Property } from "../home/property.ts";

/** Value of "fully on", by unit. */
const FULL: ReadonlyMap<number, number> = new Map([
  [2, 1],
  [51, 100],
  [78, 100],
  [100, 255],
]);

/** null: nothing is assumed. */
export function assumedEcho(home: Home, action: SentAction, atMs: number): Property | null {
  if (action.kind !== "command") return null;
  const before = home.nodes.get(action.node)?.properties.get("ST");
  const full = before && FULL.get(before.uom);
  if (!before || full === undefined) return null;
  const value = levelAfter(action, full, before.uom);
  return value === null || value === before.value ? null : { ...before, value, text: null, changedAtMs: atMs };
}

function levelAfter(
  { command, parameters }: Extract<SentAction, { kind: "command" }>,
  full: number,
  uom: number,
): number | null {
  if (command === "DOF" || command === "DFOF") return 0;
  if (command !== "DON" && command !== "DFON") return null;
  const [level] = parameters;
  if (!level) return full;
  const share = level.value / 10 ** level.prec;
  if (level.uom === uom) return Math.round(share);
  return level.uom === 51 ? Math.round((share / 100) * full) : null;
}
