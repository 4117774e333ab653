/** Lines of a program's text in the language of the page. */

import { language } from "../text/text.ts";
import { lineTranslator, type Messages } from "./line-translator.ts";

const OTHERS: Readonly<Record<string, () => Promise<{ readonly default: Messages }>>> = {
  de: () => import("../text/sentences-de.json"),
};

let translate = (line: string): string => line;

/** Before programs are shown. English is the language of the text itself. */
export async function loadSentences(): Promise<void> {
  const other = OTHERS[language()];
  if (!other) return;
  const [english, messages] = await Promise.all([import("../text/sentences-en.json"), other()]);
  translate = lineTranslator(english.default, messages.default);
}

export function localLine(line: string): string {
  return translate(line);
}
