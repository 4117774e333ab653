/** One line of a program's text and how far it has been read. Reading reads what is expected, or says what is not there. */

import { closestTo } from "../../util/closest.ts";
import type { NameDirectory } from "./directory.ts";
import { quoted, unescaped } from "./quoting.ts";
import type { ProblemCode } from "./text-problem.ts";

/** A problem in a line, with its position; the reader of lines catches it. */
export class LineProblem extends Error {
  /** Index in the line, from 0. */
  readonly at: number;
  readonly code: ProblemCode;
  readonly suggestion: string | null;

  constructor(at: number, sentence: string, { code = "SYNTAX", suggestion = null }: ProblemDetail = {}) {
    super(suggestion === null ? sentence : `${sentence} Did you mean ${suggestion}?`);
    this.name = "LineProblem";
    this.at = at;
    this.code = code;
    this.suggestion = suggestion;
  }
}

type ProblemDetail = { readonly code?: ProblemCode; readonly suggestion?: string | null };

const NAMED = /(?:[A-Z][A-Z0-9_]*\s*|(?:'(?:[^'\\]|\\.)*'\s*)?(?:\[(?:[^\]\\]|\\.)*\]\s*)?)=/y;

export class Cursor {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
    this.#skipSpace();
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#line.length;
  }

  /** The rest of the line, trimmed. */
  rest(): string {
    const rest = this.#line.slice(this.#at).trim();
    this.#at = this.#line.length;
    return rest;
  }

  /** The rest of the line if it is a single word, or null; consumes nothing. */
  onlyWord(): string | null {
    return /^[a-z]+(?=\s*$)/i.exec(this.#line.slice(this.#at))?.[0] ?? null;
  }

  /** Whether the pattern fits from here; consumes nothing. @param pattern sticky. */
  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#line);
  }

  /** A name was left out, because one is usual there. @throws LineProblem that suggests it */
  requireName(directory: NameDirectory, instead: RegExp, usual: string): void {
    if (!this.sees(instead)) return;
    const name = directory.nameOf(usual);
    const detail = name === null ? {} : { suggestion: quoted(name) };
    throw this.problem(`Here a ${directory.what} is expected.`, this.#at, detail);
  }

  problem(sentence: string, at = this.#at, detail: ProblemDetail = {}): LineProblem {
    return new LineProblem(at, sentence, detail);
  }

  /** Takes what the pattern fits from here, or nothing. @param pattern sticky. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#line);
    if (!match) return null;
    this.#at += match[0].length;
    this.#skipSpace();
    return match;
  }

  /** Takes these words, in any case and with any space between them, or nothing. */
  words(phrase: string): boolean {
    let at = this.#at;
    for (const word of phrase.split(" ")) {
      while (/\s/.test(this.#line[at] ?? "")) at += 1;
      if (this.#line.slice(at, at + word.length).toLowerCase() !== word.toLowerCase()) return false;
      at += word.length;
      // A word is whole: "is" is not the beginning of "island".
      if (/\w$/.test(word) && /\w/.test(this.#line[at] ?? "")) return false;
    }
    this.#at = at;
    this.#skipSpace();
    return true;
  }

  /** @throws LineProblem when something else is there. */
  expect(phrase: string): void {
    if (!this.words(phrase)) throw this.problem(`Here "${phrase}" is expected.`);
  }

  /**
   * Takes the first phrase that fits.
   * @param elsewhere what other languages write, with the phrase that is meant.
   * @throws LineProblem naming them, with a hint at the closest.
   */
  oneOf<T>(
    what: string,
    phrases: readonly (readonly [phrase: string, meaning: T])[],
    elsewhere: ReadonlyMap<string, string> = new Map(),
  ): T {
    const found = phrases.find(([phrase]) => this.words(phrase));
    if (found) return found[1];
    const written = /^[^\s'[(]+/.exec(this.#line.slice(this.#at))?.[0] ?? "";
    const known = [...new Set(phrases.map(([phrase]) => phrase))];
    const close = closestTo(written, known.map(firstWord));
    const begins = known.filter((phrase) => close !== null && firstWord(phrase) === close);
    const meant = elsewhere.get(written) ?? begins.find((phrase) => phrase === close) ?? begins[0];
    const suggestion = meant === undefined ? null : `"${meant}"`;
    throw this.problem(`Here ${what} is expected: ${known.join(", ")}.`, this.#at, { suggestion });
  }

  /** A text in quotes, or null. @throws LineProblem when it does not end, or holds an escape that is none. */
  quoted(): string | null {
    const written = /^"([^"]*)/.exec(this.#line.slice(this.#at))?.[1];
    if (written !== undefined) {
      throw this.problem("Names and comments are in single quotes.", this.#at, { suggestion: quoted(written) });
    }
    return this.#enclosed(/'((?:[^'\\]|\\.)*)'/y, "'");
  }

  /** The text in brackets, or null. */
  bracketed(): string | null {
    return this.#enclosed(/\[((?:[^\]\\]|\\.)*)\]/y, "[");
  }

  /** Whether a name or an id with "=" follows, so that a value comes; consumes nothing. */
  isNamed(): boolean {
    NAMED.lastIndex = this.#at;
    return NAMED.test(this.#line);
  }

  /**
   * Reads a name, an id or both.
   * @returns the id.
   * @throws LineProblem
   */
  reference(directory: NameDirectory): string {
    const at = this.#at;
    const name = this.quoted();
    const id = this.bracketed();
    if (name === null && id === null) throw this.#missing(directory);
    return this.#resolved(directory, name, id, at);
  }

  /**
   * Like `reference`, for ids and names that may be written without brackets and quotes: `DON`, `On`, `Fast On`.
   * @param bare pattern of an id; sticky.
   * @throws LineProblem
   */
  word(directory: NameDirectory, bare: RegExp): string {
    const at = this.#at;
    const word = this.take(bare)?.[0];
    if (word !== undefined && directory.nameOf(word) !== null) return word;
    this.#at = at;
    const name = directory.longestFirst().find((each) => this.words(each));
    if (name !== undefined) return this.#resolved(directory, name, null, at);
    // An id that nothing has is taken, as in brackets: references may dangle.
    return this.take(bare)?.[0] ?? this.reference(directory);
  }

  #resolved(directory: NameDirectory, name: string | null, id: string | null, at: number): string {
    const resolved = directory.resolve(name, id);
    if ("id" in resolved) return resolved.id;
    throw this.problem(resolved.problem, at, resolved);
  }

  /** The name is not in quotes, or nothing is there. */
  #missing(directory: NameDirectory): LineProblem {
    const sentence = `Here a ${directory.what} is expected: its name in quotes, its id in brackets, or both.`;
    const start = this.#at;
    const name = directory.longestFirst().find((each) => this.words(each));
    this.#at = start;
    const written = /^[^'"[\](),=<>]+/.exec(this.#line.slice(start))?.[0] ?? "";
    const [first = ""] = written.split(" ");
    const close = directory.closest(written) ?? directory.closest(first);
    return this.problem(sentence, start, {
      suggestion: name === undefined ? close : quoted(name),
    });
  }

  /** A whole number without a sign. @throws LineProblem outside the range. */
  integer(what: string, min: number, max: number): number {
    const at = this.#at;
    const text = this.take(/\d{1,15}(?![\w.])/y)?.[0];
    const value = Number(text);
    if (text === undefined || value < min || value > max) {
      throw this.problem(`Here ${what} is expected: a whole number from ${min} to ${max}.`, at);
    }
    return value;
  }

  /** @throws LineProblem when anything is left. */
  end(): void {
    if (!this.isAtEnd) throw this.problem("The line should end here.");
  }

  #enclosed(pattern: RegExp, opening: string): string | null {
    if (this.#line[this.#at] !== opening) return null;
    const at = this.#at;
    const inside = this.take(pattern)?.[1];
    if (inside === undefined)
      throw this.problem(opening === "'" ? "This quote does not end." : "This bracket does not end.");
    const text = unescaped(opening === "[" ? withoutBlanksAround(inside) : inside);
    if (text === null) throw this.problem("After \\ only ' ] \\ n r t and u{…} have a meaning.", at);
    return text;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#line[this.#at] ?? "")) this.#at += 1;
  }
}

function firstWord(phrase: string): string {
  return phrase.split(" ")[0] ?? "";
}

/** A pattern for the blanks at the end would begin at each of those inside. */
function withoutBlanksAround(text: string): string {
  let [start, end] = [0, text.length];
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
