/**
 * Every text of the page, by key. `en.json` and `de.json` have the same keys (a test compares them); one of them is loaded,
 * before anything is shown. Numbers and plurals follow the locale; times are in time.ts.
 */

import type englishBlocks from "./blocks-en.json";
import type english from "./en.json";
import type englishPlaces from "./places-en.json";
import type englishSystem from "./system-en.json";

export type TextKey =
  | keyof typeof english
  | keyof typeof englishPlaces
  | keyof typeof englishBlocks
  | keyof typeof englishSystem;
type Texts = Readonly<Record<TextKey, string>>;

const LANGUAGES: Readonly<
  Record<string, () => Promise<{ readonly default: Readonly<Record<keyof typeof english, string>> }>>
> = {
  en: () => import("./en.json"),
  de: () => import("./de.json"),
};
const STORED = "domovoi.language";

/** The messages of PARTS are included once they were loaded. */
let texts: Texts;
let chosen = "en";
let plural = new Intl.PluralRules(chosen);

export function languages(): readonly string[] {
  return Object.keys(LANGUAGES);
}

/** With the country, which dates and numbers follow. */
export function locale(): string {
  return chosen;
}

export function language(): string {
  return chosen.slice(0, 2);
}

/** The stored choice, else the first language of the browser that the page has, else English. */
export async function loadTexts(): Promise<void> {
  const wanted = [localStorage.getItem(STORED) ?? "", ...navigator.languages];
  chosen = wanted.find((name) => name.slice(0, 2) in LANGUAGES) ?? "en";
  plural = new Intl.PluralRules(chosen);
  texts = (await (LANGUAGES[language()] as (typeof LANGUAGES)[string])()).default as Texts;
  document.documentElement.lang = language();
}

/** Messages that are loaded with their part of the page, because the first load must be small. */
const PARTS = {
  places: { en: () => import("./places-en.json"), de: () => import("./places-de.json") },
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
  return value.toLocaleString(chosen, { maximumFractionDigits: 3 });
}
