/** Why an integration or a command failed, in the language of the page, by the shapes of the sentences of drivers. Any other is English. */

import { language } from "./text.ts";

type Shapes = Readonly<Record<string, string>>;

const OTHERS: Readonly<Record<string, () => Promise<{ readonly default: Shapes }>>> = {
  de: () => import("./reasons-de.json"),
};
const PLACE = /\{[^{}]+\}/g;

let shapes: readonly (readonly [pattern: RegExp, places: readonly string[], text: string])[] = [];

export async function loadReasons(): Promise<void> {
  const others = (await OTHERS[language()]?.())?.default ?? {};
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
