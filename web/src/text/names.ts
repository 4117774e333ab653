/** Names of properties, commands and values in the language of the page, by their English names. Devices' own names stay. */

import { language, locale } from "./text.ts";

type Texts = Readonly<Record<string, string>>;

const OTHERS = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=names",
  import: "default",
});
/** Its key has `#` in the place of each number. */
const NUMBER = /-?\b\d+(?:\.\d+)?/g;
/** A number, with its unit or alone. */
const MEASURED = /^-?\d+(?:\.\d+)?[^\d]{0,30}$/;

let texts: Texts = {};

export async function loadNames(): Promise<void> {
  texts = (await OTHERS[`./languages/${language()}.json`]?.()) ?? {};
}

export function localName(english: string): string {
  const localNumber = (written: string) => Number(written).toLocaleString(locale(), { maximumFractionDigits: 6 });
  const text = texts[english] ?? texts[english.replace(NUMBER, "#")];
  if (text !== undefined) {
    const numbers = english.match(NUMBER) ?? [];
    let at = 0;
    return text.replace(/#/g, () => localNumber(numbers[at++] ?? ""));
  }
  return language() !== "en" && MEASURED.test(english) ? english.replace(NUMBER, localNumber) : english;
}
