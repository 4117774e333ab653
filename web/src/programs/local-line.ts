/** Lines of a program's text in the language of the page. */

import { language } from "../text/text.ts";
import { lineTranslator, type Messages } from "./line-translator.ts";

const SENTENCES = import.meta.glob<Messages>("../text/languages/*.json", {
  query: "?part=sentences",
  import: "default",
});
const fileOf = (name: string) => `../text/languages/${name}.json`;

let translate = (line: string): string => line;

/** Before programs are shown. English is the language of the text itself. */
export async function loadSentences(): Promise<void> {
  if (language() === "en") return;
  const [english, messages] = await Promise.all(["en", language()].map((name) => SENTENCES[fileOf(name)]?.()));
  if (english && messages) translate = lineTranslator(english, messages);
}

export function localLine(line: string): string {
  return translate(line);
}
