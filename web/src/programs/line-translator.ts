/**
 * Lines of a program's text in another language. The English message file holds the shapes of the lines, and is the grammar by which a
 * line is read; the file of the other language holds the same lines. Names in quotes stay as they are.
 *
 * @see docs/programs.md
 */

export type Messages = Readonly<Record<string, string>>;

const NAME = String.raw`(?:'(?:\\.|[^'\\])*'(?: \[[^\]]*\])?|\[[^\]]*\])`;
/** Kinds of placeholders in a pattern. Any other placeholder is a name in quotes, an id in brackets, or both. */
const PLACES: Readonly<Record<string, string>> = {
  line: ".+",
  schedule: "(?:Time is|From) .+",
  days: "no day|[A-Z][a-z]{2}(?:, [A-Z][a-z]{2})*",
  comparison: ">=|<=|>|<|is not|is",
  operator: "[-+*/%&|^]?=(?: random)?|init to",
  span: String.raw`(?:\d+ (?:hour|minute|second)s? ?)+`,
  time: ".+?",
  end: ".+",
  value: ".+",
  operand: ".+",
  rest: ".+",
  number: String.raw`\d+`,
  devices: ".+?",
  state: "[A-Z][a-z]+",
};
/** Places that are lines themselves. */
const LINES = new Set(["line", "schedule"]);
/** Places with words that no message is about, such as JSON. */
const AS_THEY_ARE = new Set(["rest", "number"]);

export function lineTranslator(english: Messages, other: Messages): (line: string) => string {
  const shapes = entriesOf(english, "line.").map(([key, shape]) => ({
    pattern: patternOf(shape),
    message: other[key] ?? shape,
  }));
  const words = entriesOf(english, "word.").map(([key, word]) => [word, other[key] ?? word] as const);
  const inOther = new Map(words);
  const longestFirst = words.map(([word]) => word).sort((one, another) => another.length - one.length);
  const pattern = new RegExp(`${NAME}|\\b(?:${longestFirst.join("|")})\\b`, "g");
  const translateWords = (text: string) => text.replace(pattern, (found) => inOther.get(found) ?? found);
  const translateLine = (line: string): string => {
    for (const { pattern: shape, message } of shapes) {
      const places = shape.exec(line)?.groups;
      if (!places && !shape.test(line)) continue;
      return message.replace(/\{(\w+)\}/g, (_, place: string) => {
        const text = places?.[place] ?? "";
        if (LINES.has(place)) return translateLine(text);
        return AS_THEY_ARE.has(place) ? text : translateWords(text);
      });
    }
    return line;
  };
  return translateLine;
}

function entriesOf(messages: Messages, prefix: string) {
  return Object.entries(messages).filter(([key]) => key.startsWith(prefix));
}

function patternOf(shape: string): RegExp {
  const source = shape
    .replace(/[()]/g, "\\$&")
    .replace(/\{(\w+)\}/g, (_, place: string) => `(?<${place}>${PLACES[place] ?? NAME})`);
  return new RegExp(`^${source}$`);
}
