/**
 * A lock that locks itself again after a time. The two values that say so are written together or refused by the device: a
 * time without the timed kind of operation, or the other way round, is nothing.
 */

import { type Act, type Given, mainNumber } from "./act.ts";
import { CC } from "./command-class-table.ts";
import type { ValueView } from "./device-view.ts";

const CONSTANT = 1;
const TIMED = 2;
/** The longest time that a lock can count: 254 minutes and 59 seconds. */
export const LOCK_TIMER_MAX_SECONDS = 15_299;
const NO_HANDLES = [false, false, false, false];

/** Writes either of the two; a time of 0 ends it. null: it is neither. */
export function lockTimerAct({ commandClass, endpoint, property }: ValueView, given: Given): Act | null {
  const isTime = property === "lockTimeoutConfiguration";
  if (commandClass !== CC.doorLock || !(isTime || property === "operationType")) return null;
  const of = (name: string) => ({ commandClass, endpoint, property: name });
  const written = mainNumber(given) ?? 0;
  if (isTime ? written === 0 : written !== TIMED) {
    return { kind: "set", value: of("operationType"), to: isTime ? CONSTANT : written };
  }
  const seconds = isTime ? written : given.current(of("lockTimeoutConfiguration"));
  if (typeof seconds !== "number" || seconds === 0) {
    return { kind: "refuse", detail: "A timed lock needs its time: write that, and the lock is timed." };
  }
  const handles = (side: string) => {
    const handles = given.current(of(`${side}HandlesCanOpenDoorConfiguration`));
    return Array.isArray(handles) ? handles : NO_HANDLES;
  };
  const configuration = {
    operationType: TIMED,
    lockTimeoutConfiguration: seconds,
    outsideHandlesCanOpenDoorConfiguration: handles("outside"),
    insideHandlesCanOpenDoorConfiguration: handles("inside"),
  };
  const effect = { value: of(isTime ? "lockTimeoutConfiguration" : "operationType"), expected: undefined };
  return { kind: "call", commandClass, endpoint, method: "setConfiguration", args: [configuration], effect };
}
