/**
 * Since when a comparison with "for" has held: a record for each program, comparison and node. They survive the end of the process, so
 * that ten minutes go on over a restart. The engine in `programs/` makes them.
 */

import type { Cause } from "./cause.ts";

export type ProgramHold = {
  /** Id of the program or folder. */
  readonly id: number;
  /** The same for the same comparison of the same property: `holdKey` of programs/holds.ts. */
  readonly key: string;
  readonly node: string;
  readonly property: string;
  /** When the device reported what made the comparison true. Later values that keep it true do not move it. */
  readonly sinceMs: number;
  readonly lastingMs: number;
  /** Whether its time has come and was acted on, or was past already when it began to be followed. */
  readonly isHandled: boolean;
  /** Of the report that made it true. */
  readonly cause: Cause;
};

/** The part of the home that holds them. */
type HoldsTable = { readonly programHolds: Map<string, ProgramHold> };

export function holdRowKey(id: number, key: string): string {
  return `${id} ${key}`;
}

/** @param hold null: the comparison no longer holds, or no condition is about it. */
export function putProgramHold(home: HoldsTable, id: number, key: string, hold: ProgramHold | null): void {
  if (hold) home.programHolds.set(holdRowKey(id, key), hold);
  else home.programHolds.delete(holdRowKey(id, key));
}
