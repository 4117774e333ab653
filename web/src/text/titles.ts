/** Titles of edits in the language of the page. The controller's are English. */

import { language } from "./text.ts";
import { titleTranslator } from "./title-translator.ts";

type Texts = Readonly<Record<string, string>>;

const SHAPES = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=titles",
  import: "default",
});
const WORDS = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=titleWords",
  import: "default",
});

let translate = (english: string): string => english;

export async function loadTitles(): Promise<void> {
  const path = `./languages/${language()}.json`;
  const [shapes, words] = await Promise.all([SHAPES[path]?.(), WORDS[path]?.()]);
  if (shapes && words) translate = titleTranslator(shapes, words);
}

export function titleText(english: string): string {
  return translate(english);
}
