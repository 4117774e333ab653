/** Whether what a node reports is more than its state of rest, by its role. */

import type { Node, Property } from "@domovoi/client";

/** Units of the interface by their numbers. */
const [DEADBOLT, OFF_ON, OPEN_CLOSED, BARRIER] = ["11", "78", "79", "97"] as const;
/** Of enumerations of two values: the value is not known, or jammed. */
const [UNKNOWN, JAMMED] = ["101", "102"];
const CODED: ReadonlySet<string> = new Set([DEADBOLT, OFF_ON, OPEN_CLOSED, BARRIER]);

/** On, open, unlocked, wet, in motion; null while that is not known. */
export function isActive({ role }: Pick<Node, "role">, status: Property | null | undefined): boolean | null {
  if (!status || status.value === "" || (CODED.has(status.uom) && status.value === UNKNOWN)) return null;
  const isZero = Number(status.value) === 0;
  const isInverse = role === "leak-dry" || role === "lock" || (status.uom === OPEN_CLOSED && role === "contact");
  return isZero === isInverse;
}

/** Whether a lock's bolt does not move. */
export function isJammed(status: Property | null | undefined): boolean {
  return status?.uom === DEADBOLT && status.value === JAMMED;
}
