/** Parts of a configuration that others wrote, read so that nothing in it can throw, and cut. */

import type { Span, TimeOfDay } from "../../../home/program-syntax.ts";
import { CONTROLS } from "../../../util/foreign-text.ts";
import { foreignText } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";

export type Fields = Readonly<Record<string, unknown>>;

const TEXT_MAX = 300;
const LIST_MAX = 200;
const LINE_MAX = 160;
const MEMBERS_MAX = 8;
const HOUR_S = 3600;
const DAY_S = 86_400;
const ALL_CONTROLS = new RegExp(CONTROLS, "gu");
/** Of a line: its kind comes first, and what is for people or inside of it not at all. */
const KINDS: readonly string[] = ["trigger", "platform", "condition", "action", "service"];
const INSIDE: readonly string[] = ["choose", "repeat", "if", "sequence", "parallel", "conditions", "and", "or", "not"];
const UNSHOWN: readonly string[] = [...KINDS, ...INSIDE, "alias", "enabled", "metadata", "then", "else", "default"];

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

export function hasAny(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name));
}

/** null: one of them is null. */
export function allKnown<T>(list: readonly (T | null)[]): readonly T[] | null {
  const known = list.filter((each) => each !== null);
  return known.length === list.length ? known : null;
}

/** A single thing stands for a list of it. */
export function listIn(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, LIST_MAX) : [value];
}

export function textIn(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    if (typeof value === "string" && value !== "") return value.slice(0, TEXT_MAX);
  }
  return "";
}

/** Texts of a list, or of one text with commas. */
export function wordsIn(value: unknown): readonly string[] {
  const words = listIn(value).flatMap((each) => {
    if (typeof each === "string") return each.slice(0, TEXT_MAX * 10).split(",");
    return typeof each === "boolean" ? (each ? "on" : "off") : typeof each === "number" ? String(each) : [];
  });
  return words.map((word) => word.trim().slice(0, TEXT_MAX)).filter((word) => word !== "");
}

/** null: it is no number, such as the name of an entity. */
export function numberIn(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value.slice(0, 100)) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** "00:10:00", seconds, or hours, minutes and seconds. null: it is something else, such as a template. */
export function secondsIn(value: unknown): number | null {
  if (isRecord(value)) {
    const parts = [value.days ?? 0, value.hours ?? 0, value.minutes ?? 0, value.seconds ?? 0].map(numberIn);
    const [days, hours, minutes, seconds] = parts;
    if (parts.includes(null) || (numberIn(value.milliseconds ?? 0) ?? 1) !== 0) return null;
    return whole(Number(days) * DAY_S + Number(hours) * HOUR_S + Number(minutes) * 60 + Number(seconds));
  }
  if (typeof value !== "string" || !value.includes(":")) return whole(numberIn(value));
  const text = value.slice(0, 20).trim();
  const found = /^([+-]?)(\d{1,3}):(\d\d)(?::(\d\d)(?:\.0+)?)?$/.exec(text);
  if (!found) return null;
  const [, sign, hours, minutes, seconds = "0"] = found;
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR_S + Number(minutes) * 60 + Number(seconds));
}

function whole(seconds: number | null): number | null {
  return seconds !== null && Number.isInteger(seconds) && Math.abs(seconds) < 1000 * DAY_S ? seconds : null;
}

/** null: not a second or more. */
export function spanIn(value: unknown): Span | null {
  const all = secondsIn(value);
  if (all === null || all < 1) return null;
  return { hours: Math.floor(all / HOUR_S), minutes: Math.floor((all % HOUR_S) / 60), seconds: all % 60 };
}

/** null: it is no time of the day, such as the name of an entity. */
export function timeIn(value: unknown): TimeOfDay | null {
  const seconds = typeof value === "string" && value.includes(":") ? secondsIn(value) : null;
  return seconds !== null && seconds >= 0 && seconds < DAY_S ? timeAt(seconds) : null;
}

export function timeAt(secondOfDay: number): TimeOfDay {
  return { kind: "time", secondOfDay, date: null, offsetDays: 0 };
}

export function timeText(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00:00`;
}

/** What a line says, for people: its kind, and its members in their order. */
export function lineText(value: unknown): string {
  if (!isRecord(value)) return clean(foreignText(value, LINE_MAX));
  const kind = textIn(value, ...KINDS) || INSIDE.find((name) => Object.hasOwn(value, name));
  const members = Object.entries(value).filter(([name]) => !UNSHOWN.includes(name));
  const parts = members.slice(0, MEMBERS_MAX).map(([name, each]) => `${name.slice(0, 40)}: ${plainText(each)}`);
  return clean([...(kind ? [kind] : []), parts.join(", ")].join(" ").trim());
}

/** JSON without its signs. */
function plainText(value: unknown): string {
  const text = foreignText(value, LINE_MAX);
  return typeof value === "object" ? text.replaceAll(/[{[,]{0,4}"[:,\]}]{0,4}"?|[}\]]{1,9}$/g, " ").trim() : text;
}

/** One line without characters that show nothing. */
export function clean(text: string): string {
  const line = text
    .slice(0, LINE_MAX * 4)
    .toWellFormed()
    .replaceAll(ALL_CONTROLS, " ")
    .trim();
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 1)}…` : line;
}
