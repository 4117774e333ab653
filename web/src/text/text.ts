/**
 * Every text of the page, by key. A language is one file of `languages/`, and no other place names it; the build makes a chunk of each
 * part of it (vite.config.ts). Its first four parts have the same keys as those of English (a test compares them); the others hold what
 * the controller says in English. Numbers and plurals follow the locale; times are in time.ts.
 */

import type english from "./languages/en.json";

export type TextKey =
  | keyof (typeof english)["start"]
  | keyof (typeof english)["places"]
  | keyof (typeof english)["blocks"]
  | keyof (typeof english)["system"];
type Texts = Readonly<Record<TextKey, string>>;

const START = import.meta.glob<Texts>("./languages/*.json", { query: "?part=start", import: "default" });
/** Messages that are loaded with their part of the page, because the first load must be small. */
const PARTS = {
  places: import.meta.glob<Texts>("./languages/*.json", { query: "?part=places", import: "default" }),
  blocks: import.meta.glob<Texts>("./languages/*.json", { query: "?part=blocks", import: "default" }),
  system: import.meta.glob<Texts>("./languages/*.json", { query: "?part=system", import: "default" }),
} as const;
const STORED = "domovoi.language";

/** The messages of PARTS are included once they were loaded. */
let texts: Texts;
let chosen = "en";
let plural = new Intl.PluralRules(chosen);

export function languages(): readonly string[] {
  return Object.keys(START).map((path) => path.replace(/^.*\/|\.json$/g, ""));
}

const fileOf = (name: string) => `./languages/${name.slice(0, 2)}.json`;

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
  chosen = wanted.find((name) => fileOf(name) in START) ?? "en";
  plural = new Intl.PluralRules(chosen);
  texts = (await START[fileOf(chosen)]?.()) ?? texts;
  document.documentElement.lang = language();
}

export async function loadTextsOf(part: keyof typeof PARTS): Promise<void> {
  const loaded = await PARTS[part][fileOf(chosen)]?.();
  // Other parts may have come meanwhile.
  texts = { ...texts, ...loaded };
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
