/** Why an integration or a command failed, in the language of the page, by the shapes of the sentences of drivers. Any other is English. */

import { language } from "./text.ts";

type Shapes = Readonly<Record<string, string>>;

const OTHERS = import.meta.glob<Shapes>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=reasons",
  import: "default",
});
const PLACE = /\{[^{}]+\}/g;

let shapes: readonly (readonly [pattern: RegExp, places: readonly string[], text: string])[] = [];

export async function loadReasons(): Promise<void> {
  const others = (await OTHERS[`./languages/${language()}.json`]?.()) ?? {};
  shapes = Object.entries(others).map(([shape, text]) => {
    const pattern = shape
      .split(PLACE)
      .map((part) => part.replace(/[.?()|[\]*+^$\\/]/g, "\\$&"))
      .join("(.{1,300})");
    return [new RegExp(`^${pattern}$`), shape.match(PLACE) ?? [], text];
  });
}

export function reasonText(english: string): string {
  for (const [pattern, places, text] of shapes) {
    const values = pattern.exec(english)?.slice(1);
    if (values) return text.replace(PLACE, (place) => values[places.indexOf(place)] ?? "");
  }
  return english;
}
