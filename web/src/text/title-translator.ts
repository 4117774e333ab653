/** Titles of edits from English into another language, by their shapes. One of an unknown shape stays as it is. */

type Texts = Readonly<Record<string, string>>;

const PLACE = /\{(\w+)\}/g;
/** A kind of thing with a name: `scene "Evening"`. */
const THING = '(?:program folder|network resource|[a-z]+) ".{0,200}"';
const PATTERNS: Texts = {
  use: "[a-z]+",
  thing: THING,
  place: THING,
  list: "the [a-z, ]+",
  title: ".+",
  count: "\\d+(?: nodes?)?",
};

/** @param shapes English shapes with their texts @param words of the kinds of things and of what a list names */
export function titleTranslator(shapes: Texts, words: Texts): (english: string) => string {
  const known = Object.entries(shapes).map(([shape, text]) => [patternOf(shape), text] as const);
  const valueText = (name: string, value: string): string => {
    if (name === "title") return translate(value);
    if (name === "count") return value.replace(/\D+$/, "");
    if (name === "use") return words[value] ?? value;
    if (name === "list")
      return value
        .split(", ")
        .map((part) => words[part] ?? part)
        .join(", ");
    if (name !== "thing" && name !== "place") return value;
    const [, kind = "", own = ""] = /^([a-z ]+) "(.*)"$/.exec(value) ?? [];
    return `${words[kind] ?? kind} „${own}“`;
  };
  const translate = (english: string): string => {
    for (const [pattern, text] of known) {
      const { groups } = pattern.exec(english) ?? {};
      if (groups) return text.replace(PLACE, (_place, name: string) => valueText(name, groups[name] ?? ""));
      if (pattern.source === `^${english}$`) return text;
    }
    return english;
  };
  return translate;
}

function patternOf(shape: string): RegExp {
  const escaped = shape.replace(/[.?()|[\]*+^$\\/]/g, "\\$&");
  return new RegExp(
    `^${escaped.replace(PLACE, (_place, name: string) => `(?<${name}>${PATTERNS[name] ?? ".{0,200}"})`)}$`,
  );
}
