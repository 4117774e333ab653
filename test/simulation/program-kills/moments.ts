/** Moments at which a life of the service ends: where a fault would show, not somewhere in time. */

import type { Randomness } from "../../../src/util/randomness.ts";

export type MomentKind = "command" | "once-only" | "commit";
/** The `times`-th of its kind in the life. */
export type Moment = { readonly kind: MomentKind; readonly times: number };

/** The commands of the plans that change a state relative to itself. */
export function isOnceOnly(command: string): boolean {
  return command === "BRT" || command === "DIM";
}

/** Every kind in turn, soon in the life or a little later. */
export function momentOf(kind: MomentKind, randomness: Randomness): Moment {
  return { kind, times: 1 + Math.floor(TIMES_MAX[kind] * randomness.next()) };
}

const TIMES_MAX: Readonly<Record<MomentKind, number>> = { command: 12, "once-only": 4, commit: 6 };
