/** The port for user codes of locks; they can be written but never read. Absent on a driver without locks. */

import type { Outcome } from "./command.ts";

export type UserCodes = {
  /** Number of slots, 0 when the node is no lock. */
  slots(address: string): number;
  set(address: string, slot: number, code: string, signal: AbortSignal): Promise<Outcome>;
  clear(address: string, slot: number, signal: AbortSignal): Promise<Outcome>;
};
