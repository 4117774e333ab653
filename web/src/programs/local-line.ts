/** Lines of a program's text in the language of the page. */

import { toHomeUnit } from "../text/home-units.ts";
import { localName } from "../text/names.ts";
import { shownNode } from "../text/shown-nodes.ts";
import { temperatureText } from "../text/temperature.ts";
import { language, number } from "../text/text.ts";
import { lineTranslator, type Messages } from "./line-translator.ts";

const SENTENCES = import.meta.glob<Messages>("../text/languages/*.json", {
  query: "?part=sentences",
  import: "default",
});
const fileOf = (name: string) => `../text/languages/${name}.json`;

let translate = (line: string): string => line;

/** Before programs are shown. */
export async function loadSentences(): Promise<void> {
  const [english, messages] = await Promise.all(["en", language()].map((name) => SENTENCES[fileOf(name)]?.()));
  if (english && messages)
    translate = lineTranslator(english, messages, { name: localName, quantity: quantityText, time: clockText });
}

export function localLine(line: string): string {
  return translate(line);
}

/** Units of temperatures as programs write them, by their numbers. */
const TEMPERATURES: Readonly<Record<string, string>> = {
  "°C": "4",
  "°F": "17",
  " degrees": "14",
  " half-degrees": "101",
};

function quantityText(written: string, unit: string, node: string): string {
  const uom = TEMPERATURES[unit];
  const shown = shownNode(node);
  if (uom === undefined || !shown) return number(Number(written)) + unit;
  return temperatureText(toHomeUnit(shown, uom, Number(written)), true);
}

/** Seconds are shown where there are some. */
function clockText(written: string): string {
  return written.replace(/:00$/, "");
}
