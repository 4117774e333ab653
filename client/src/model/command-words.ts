// Written by `npm run client:types` from src/profile/command-words.ts.

/**
 * The one place that knows which command of a nodedef opens, closes, locks or turns on, and what the status says after a command.
 * `npm run client:types` copies this file into the client library.
 */

import { isActive, type StatusWord, valueOfWord, wordOfValue } from "./status-words.ts";

export type CommandWord = "open" | "close" | "stop" | "lock" | "unlock" | "on" | "off";

export type WordCommand = { readonly command: string; readonly parameter: number | null };

/** A nodedef as far as its commands depend on it. */
type Accepting = {
  readonly accepts: readonly { readonly id: string; readonly parameters: readonly unknown[] }[];
};

/** Commands of locks and alarm panels, which are secured whatever they are sent to. */
export const SECURED_COMMANDS: ReadonlySet<string> = new Set(["SECMD", "LOCK", "UNLOCK", "ARM", "DISARM"]);

/** The first that the nodedef accepts. A fade opens a cover wholly; On may only go to the level that its owner set. */
const COMMANDS: Readonly<Record<CommandWord, readonly (readonly [id: string, parameter?: number])[]>> = {
  open: [["OPEN"], ["FDUP"], ["DON"]],
  close: [["CLOSE"], ["FDDOWN"], ["DOF"]],
  stop: [["FDSTOP"], ["STOP"]],
  lock: [["SECMD", 1], ["LOCK"], ["DON"]],
  unlock: [["SECMD", 0], ["UNLOCK"], ["DOF"]],
  on: [["DON"]],
  off: [["DOF"]],
};

/** null: the nodes have no such command. */
export function commandOf(word: CommandWord, { accepts }: Accepting): WordCommand | null {
  for (const [id, parameter = null] of COMMANDS[word]) {
    const definition = accepts.find((each) => each.id === id);
    if (definition && (parameter === null || definition.parameters.length > 0)) return { command: id, parameter };
  }
  return null;
}

/** Commands that bring a node to one of two ends, and whether it is the upper one. */
const ENDS: Readonly<Record<string, readonly [isUpper: boolean, ...words: readonly StatusWord[]]>> = {
  DON: [true, "on", "open", "locked"],
  DFON: [true, "on", "open", "locked"],
  DOF: [false, "off", "closed", "unlocked"],
  DFOF: [false, "off", "closed", "unlocked"],
  OPEN: [true, "open"],
  CLOSE: [false, "closed"],
  LOCK: [true, "locked"],
  UNLOCK: [false, "unlocked"],
};

/** Whether the value of SECMD locks: 0 unlocks. */
export function locksBy(value: number): boolean {
  return value !== 0;
}

/** Whether the command turns on, opens or locks; null: neither that nor the opposite. @param parameter of SECMD */
export function turnsOn(command: string, parameter: number | null): boolean | null {
  return endOf(command, parameter)?.[0] ?? null;
}

/** Whether the status is what turning on leads to: on, open, locked. null: not known. @param value displayed */
export function isTurnedOn(uom: number, value: number | null): boolean | null {
  const word = wordOfValue(null, uom, value);
  if (word === null) return isActive(null, uom, value);
  return word === "jammed" ? null : ENDS.DON?.includes(word) === true;
}

/**
 * The displayed status after a command that names a state, in the unit of the status: On opens a cover and locks a lock. null: the
 * command names no state, or the unit cannot say it.
 *
 * @param parameter of SECMD; a level of the others is for the caller
 */
export function valueAfter(command: string, parameter: number | null, uom: number): number | null {
  const [, ...words] = endOf(command, parameter) ?? [null];
  for (const word of words) {
    const value = valueOfWord(word, uom);
    if (value !== null) return value;
  }
  return null;
}

function endOf(command: string, parameter: number | null) {
  if (command !== "SECMD") return ENDS[command];
  return parameter === null ? undefined : ENDS[locksBy(parameter) ? "LOCK" : "UNLOCK"];
}
