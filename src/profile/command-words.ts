/**
 * The one place that knows which command of a nodedef opens, closes, locks or turns on, and what the status says after a command.
 * `npm run client:types` copies this file into the client library.
 */

import { type StatusWord, valueOfWord } from "./status-words.ts";

export type CommandWord = "open" | "close" | "stop" | "lock" | "unlock" | "on" | "off";

export type WordCommand = { readonly command: string; readonly parameter: number | null };

/** A nodedef as far as its commands depend on it. */
type Accepting = {
  readonly accepts: readonly { readonly id: string; readonly parameters: readonly unknown[] }[];
};

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

const ON: ReadonlySet<string> = new Set(["DON", "DFON"]);
const OFF: ReadonlySet<string> = new Set(["DOF", "DFOF"]);
const UPPER_WORDS: readonly StatusWord[] = ["on", "open", "locked"];
const LOWER_WORDS: readonly StatusWord[] = ["off", "closed", "unlocked"];
const SAID: Readonly<Record<string, readonly StatusWord[]>> = {
  OPEN: ["open"],
  CLOSE: ["closed"],
  LOCK: ["locked"],
  UNLOCK: ["unlocked"],
};

/** Whether the value of SECMD locks: 0 unlocks. */
export function locksBy(value: number): boolean {
  return value !== 0;
}

/**
 * The displayed status after a command that names a state, in the unit of the status: On opens a cover and locks a lock. null: the
 * command names no state, or the unit cannot say it.
 *
 * @param parameter of SECMD; a level of the others is for the caller
 */
export function valueAfter(command: string, parameter: number | null, uom: number): number | null {
  const words = wordsAfter(command, parameter);
  for (const word of words) {
    const value = valueOfWord(word, uom);
    if (value !== null) return value;
  }
  return null;
}

function wordsAfter(command: string, parameter: number | null): readonly StatusWord[] {
  if (ON.has(command)) return UPPER_WORDS;
  if (OFF.has(command)) return LOWER_WORDS;
  if (command === "SECMD") return parameter === null ? [] : [locksBy(parameter) ? "locked" : "unlocked"];
  return SAID[command] ?? [];
}
