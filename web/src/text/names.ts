/** Names of properties, commands and values in the language of the page, by their English names. Devices' own names stay. */

import { language, locale } from "./text.ts";

type Texts = Readonly<Record<string, string>>;

const OTHERS = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=names",
  import: "default",
});
/** Its key has `#` in the place of the number. */
const NUMBER = /^-?\d+(?:\.\d+)?/;

let texts: Texts = {};

export async function loadNames(): Promise<void> {
  texts = (await OTHERS[`./languages/${language()}.json`]?.()) ?? {};
}

export function localName(english: string): string {
  const text = texts[english] ?? texts[english.replace(NUMBER, "#")];
  return text?.replace("#", () => Number(NUMBER.exec(english)?.[0]).toLocaleString(locale())) ?? english;
}
