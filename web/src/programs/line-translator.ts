/**
 * Lines of a program's text in another language. The English message file holds the shapes of the lines, and is the grammar by which a
 * line is read; the file of the other language holds the same lines. Names that people gave stay as they are.
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

/** How the page writes labels of definitions and values of a node. */
type Own = {
  readonly name: (english: string) => string;
  /** @param node address or name; empty: of no node */
  readonly quantity: (number: string, unit: string, node: string) => string;
  /** Of a clock: `06:30:00`. */
  readonly time: (written: string) => string;
};

const AS_THEY_STAND: Own = {
  name: (english) => english,
  quantity: (number, unit) => number + unit,
  time: (written) => written,
};
/** Places that hold labels of definitions and values, not what a person named. */
const LABELS = new Set(["property", "command", "value", "state"]);
const TIMES = new Set(["time", "end"]);
const CLOCK = /\b\d\d:\d\d:\d\d\b/g;
const QUANTITY = new RegExp(`(${NAME})|(\\d+(?:\\.\\d+)?)(°C|°F| degrees| half-degrees|)(?![\\d:])`, "g");

export function lineTranslator(english: Messages, other: Messages, own: Own = AS_THEY_STAND): (line: string) => string {
  const shapes = entriesOf(english, "line.").map(([key, shape]) => ({
    pattern: patternOf(shape),
    message: other[key] ?? shape,
  }));
  const words = entriesOf(english, "word.").map(([key, word]) => [word, other[key] ?? word] as const);
  const inOther = new Map(words);
  const longestFirst = words.map(([word]) => word).sort((one, another) => another.length - one.length);
  const pattern = new RegExp(`${NAME}|\\b(?:${longestFirst.join("|")})\\b`, "g");
  const translateWords = (text: string) => text.replace(pattern, (found) => inOther.get(found) ?? found);
  const label = (text: string, node: string) =>
    text.replace(QUANTITY, (_whole, name: string | undefined, number: string, unit: string) =>
      name === undefined ? own.quantity(number, unit, node) : name.replace(/(?<=^').*(?=')/, own.name),
    );
  const translateLine = (line: string): string => {
    for (const { pattern: shape, message } of shapes) {
      const places = shape.exec(line)?.groups;
      if (!places && !shape.test(line)) continue;
      return message.replace(/\{(\w+)\}/g, (_, place: string) => {
        const text = places?.[place] ?? "";
        if (LINES.has(place)) return translateLine(text);
        if (AS_THEY_ARE.has(place)) return text;
        const shown = TIMES.has(place) ? text.replace(CLOCK, own.time) : text;
        return translateWords(LABELS.has(place) ? label(shown, keyOf(places?.node ?? "")) : shown);
      });
    }
    return line;
  };
  return translateLine;
}

/** The id in brackets, else the name in quotes. */
function keyOf(text: string): string {
  return text.endsWith("]") ? text.slice(text.lastIndexOf("[") + 1, -1) : text.slice(1, -1);
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
