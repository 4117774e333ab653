/** Names of properties, commands and values in the language of the page, by their English names. Devices' own names stay. */

import { language, locale } from "./text.ts";

type Texts = Readonly<Record<string, string>>;

const OTHERS = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=names",
  import: "default",
});
/** Its key has `#` in the place of the number. */
const NUMBER = /^-?\d+(?:\.\d+)?/;
/** A number, with its unit or alone. */
const MEASURED = /^-?\d+(?:\.\d+)?(?: ?[^\d\s]+)?$/;

let texts: Texts = {};

export async function loadNames(): Promise<void> {
  texts = (await OTHERS[`./languages/${language()}.json`]?.()) ?? {};
}

export function localName(english: string): string {
  const text = texts[english] ?? texts[english.replace(NUMBER, "#")];
  const localNumber = (written: string) => Number(written).toLocaleString(locale(), { maximumFractionDigits: 6 });
  if (text !== undefined) return text.replace("#", () => localNumber(NUMBER.exec(english)?.[0] ?? ""));
  return language() !== "en" && MEASURED.test(english) ? english.replace(NUMBER, localNumber) : english;
}
