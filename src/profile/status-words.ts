/**
 * The one place that knows what the number of a state means: which number is open, locked, on, wet. Units with names of their own
 * (79: "0 Open, 100 Closed") are read by these names, all others by "0 is off". A role says what on means for its nodes.
 * `npm run client:types` copies this file into the client library.
 */

import { UOM_VALUE_ROWS } from "./builtin/uom-table.ts";
import type { NodeRole } from "./roles-table.ts";

export type StatusWord =
  | "open"
  | "closed"
  | "locked"
  | "unlocked"
  | "jammed"
  | "on"
  | "off"
  | "wet"
  | "dry"
  | "home"
  | "away";

/** Units whose values have names that say a state. The others count, or have states of their own. */
export const NAMED_STATES = [2, 11, 78, 79, 84, 97] as const;

/** In units with names, and of levels in percent. */
export const UNKNOWN = 101;

const WORDS: Readonly<Record<string, StatusWord>> = {
  ...{ Open: "open", Closed: "closed", On: "on", Off: "off", True: "on", False: "off" },
  ...{ Locked: "locked", Lock: "locked", Unlocked: "unlocked", Unlock: "unlocked", Problem: "jammed" },
};
const ACTIVE: ReadonlySet<StatusWord> = new Set(["open", "unlocked", "jammed", "on", "wet", "home"]);
/** Words that stand at the upper end of a unit that has no word of its own for them. */
const UPPER: ReadonlySet<StatusWord> = new Set(["open", "locked", "on", "wet", "home"]);
/** Of these roles On and Off say something else. */
const OF_ROLE: Readonly<Partial<Record<NodeRole, { readonly on: StatusWord; readonly off: StatusWord }>>> = {
  contact: { on: "open", off: "closed" },
  cover: { on: "open", off: "closed" },
  "garage-door": { on: "open", off: "closed" },
  lock: { on: "locked", off: "unlocked" },
  leak: { on: "wet", off: "dry" },
  "leak-dry": { on: "dry", off: "wet" },
  person: { on: "home", off: "away" },
};
/** Full levels; above them is "unknown". */
const FULL_LEVELS: ReadonlyMap<number, number> = new Map([
  [51, 100],
  [100, 255],
]);
/** Units in which 101 is "unknown". */
const SAY_UNKNOWN: ReadonlySet<number> = new Set([11, 78, 79, 97]);
/** Units without a measure: zero is off. */
const PLAIN: ReadonlySet<number> = new Set([0, 25, 56]);

/** Units in which a value between the ends says how far. */
const LEVELS: ReadonlySet<number> = new Set([51, 97, 100]);

type NamedStates = {
  readonly words: ReadonlyMap<number, StatusWord | null>;
  /** Above the full value are states such as unknown and stopped. */
  readonly full: number;
};

const UNITS: ReadonlyMap<number, NamedStates> = new Map(NAMED_STATES.map((uom) => [uom, namedStates(uom)]));

function namedStates(uom: number): NamedStates {
  const names = (UOM_VALUE_ROWS[uom] ?? "").split(", ").map((each) => each.split(" "));
  const words = new Map(names.map(([value, name = ""]) => [Number(value), WORDS[name] ?? null]));
  return { words, full: words.has(100) ? 100 : 1 };
}

/**
 * What the status says. null: it is not known, between two states, or the unit has no such words.
 *
 * @param role null: the words of the unit alone
 * @param value displayed
 */
export function wordOfValue(role: NodeRole | null, uom: number, value: number | null): StatusWord | null {
  const word = value === null || !(value >= 0) ? null : unitWord(uom, value);
  return word === "on" || word === "off" ? ((role && OF_ROLE[role]?.[word]) ?? word) : word;
}

/** The displayed value that the word has in the unit; null: the unit cannot say it. */
export function valueOfWord(word: StatusWord, uom: number, role: NodeRole | null = null): number | null {
  const unit = UNITS.get(uom);
  for (const [value, each] of unit?.words ?? []) if (each === word) return value;
  const full = unit?.words.get(0) === "off" ? unit.full : FULL_LEVELS.get(uom);
  if (full === undefined || word === "jammed") return null;
  const own = role === null ? undefined : OF_ROLE[role];
  const isUpper = word === own?.on || (word !== own?.off && UPPER.has(word));
  return isUpper ? full : 0;
}

/**
 * Whether the status is more than rest: open, unlocked, jammed, wet, on. null: not known, which is never an alarm.
 *
 * @param value displayed
 */
export function isActive(role: NodeRole | null, uom: number, value: number | null): boolean | null {
  const word = wordOfValue(role, uom, value);
  if (word !== null) return ACTIVE.has(word);
  return value === null || UNITS.has(uom) || FULL_LEVELS.has(uom) ? null : value !== 0;
}

/** Whether the device says that it does not know. @param value displayed */
export function isUnknown(uom: number, value: number): boolean {
  return value === UNKNOWN && SAY_UNKNOWN.has(uom);
}

/** Whether a value between the two ends says how far it is on or open. */
export function isLevel(uom: number): boolean {
  return LEVELS.has(uom);
}

function unitWord(uom: number, value: number): StatusWord | null {
  const unit = UNITS.get(uom);
  if (unit) {
    const named = unit.words.get(value);
    if (named !== undefined) return named;
    return value < unit.full || unit.full === 1 ? (unit.words.get(unit.full) ?? null) : null;
  }
  const full = FULL_LEVELS.get(uom);
  if (full !== undefined ? value > full : !PLAIN.has(uom)) return null;
  return value === 0 ? "off" : "on";
}
