/**
 * Every text of the page, by key. `en.json` and `de.json` have the same keys (a test compares them); one of them is loaded,
 * before anything is shown. Dates, numbers and plurals follow the locale.
 */

import type englishBlocks from "./blocks-en.json";
import type english from "./en.json";
import type englishSystem from "./system-en.json";

export type TextKey = keyof typeof english | keyof typeof englishBlocks | keyof typeof englishSystem;
type Texts = Readonly<Record<TextKey, string>>;

const LANGUAGES: Readonly<Record<string, () => Promise<{ readonly default: Readonly<Record<keyof typeof english, string>> }>>> = {
  en: () => import("./en.json"),
  de: () => import("./de.json"),
};
const STORED = "domovoi.language";

/** The messages of PARTS are included once they were loaded. */
let texts: Texts;
let locale = "en";
let plural = new Intl.PluralRules(locale);

export function languages(): readonly string[] {
  return Object.keys(LANGUAGES);
}

export function language(): string {
  return locale.slice(0, 2);
}

/** The stored choice, else the first language of the browser that the page has, else English. */
export async function loadTexts(): Promise<void> {
  const wanted = [localStorage.getItem(STORED) ?? "", ...navigator.languages];
  locale = wanted.find((name) => name.slice(0, 2) in LANGUAGES) ?? "en";
  plural = new Intl.PluralRules(locale);
  texts = (await (LANGUAGES[language()] as (typeof LANGUAGES)[string])()).default as Texts;
  document.documentElement.lang = language();
}

/** Messages that are loaded with their part of the page, because the first load must be small. */
const PARTS = {
  blocks: { en: () => import("./blocks-en.json"), de: () => import("./blocks-de.json") },
  system: { en: () => import("./system-en.json"), de: () => import("./system-de.json") },
} as const;

export async function loadTextsOf(part: keyof typeof PARTS): Promise<void> {
  const loaded = await PARTS[part][language() === "de" ? "de" : "en"]();
  texts = { ...texts, ...loaded.default };
}

export function chooseLanguage(name: string): void {
  localStorage.setItem(STORED, name);
  location.reload();
}

/** @param values replace `{name}` in the text */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ""));
}

/** A text that has two keys, `KEY_one` and `KEY_other`; `{count}` is the number. */
export function tn(key: Plural<TextKey>, count: number): string {
  const form = plural.select(count) === "one" ? "one" : "other";
  return t(`${key}_${form}` as TextKey, { count: number(count) });
}

type Plural<K extends string> = K extends `${infer Stem}_one` ? Stem : never;

export function number(value: number): string {
  return value.toLocaleString(locale, { maximumFractionDigits: 3 });
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A duration in whole days, hours or minutes, in the unit that fits best. */
export function durationText(ms: number): string {
  const [unit, unitMs] = ms >= 2 * DAY_MS ? (["day", DAY_MS] as const) : ms >= HOUR_MS ? (["hour", HOUR_MS] as const) : (["minute", 60_000] as const);
  return (ms / unitMs).toLocaleString(locale, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 });
}

const SHAPES = {
  clock: { timeStyle: "medium" },
  minute: { timeStyle: "short" },
  date: { day: "numeric", month: "short" },
  moment: { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  second: { dateStyle: "medium", timeStyle: "medium" },
  day: { weekday: "long", day: "numeric", month: "long" },
  week: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  full: { dateStyle: "medium", timeStyle: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** As part of a sentence. */
export function spokenTime(atMs: number): string {
  const date = new Date(atMs);
  const time = date.toLocaleTimeString(locale);
  if (date.toDateString() === new Date().toDateString()) return t("time.today", { time });
  return t("time.day", { date: date.toLocaleDateString(locale, { dateStyle: "medium" }), time });
}

/** @param shape left out: the time of today, else date and time */
export function timeText(atMs: number, shape?: keyof typeof SHAPES): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  const fitting = isToday ? "clock" : Date.now() - atMs < 6 * DAY_MS ? "week" : "full";
  return new Date(atMs).toLocaleString(locale, SHAPES[shape ?? fitting]);
}
