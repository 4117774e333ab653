/**
 * Reading JSON of a client without surprises: what JSON.parse would silently change or drop is refused instead.
 * The shape is checked elsewhere, by the schema of the route.
 */

import { isUtf8 } from "node:buffer";
import { ControllerError } from "../errors.ts";

/** Objects and lists inside one another. */
const DEPTH_MAX = 64;
const QUOTE = 34;
const BACKSLASH = 92;
const NUMBER = /[-+.\deE]+/y;

/** @throws ControllerError BAD_JSON for bytes that are not UTF-8 or begin with a byte order mark. */
export function decodeJsonText(body: Buffer): string {
  if (!isUtf8(body)) throw bad("The body is not UTF-8.");
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) throw bad("The body starts with a byte order mark.");
  return body.toString("utf8");
}

/**
 * @param valuesMax entries of all lists and objects; an empty one counts as one. Processing many small values takes far
 * longer than reading their bytes.
 * @throws ControllerError BAD_JSON for bad grammar, deep nesting, a key given twice, `__proto__`, a number that a double
 * does not hold (1e400, 2^53 + 1), and strings with half a surrogate pair; BODY_TOO_LARGE for too many values.
 */
export function parseJson(text: string, valuesMax = Number.POSITIVE_INFINITY): unknown {
  new TokenScan(text, valuesMax).run();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ControllerError("BAD_JSON", { cause });
  }
}

/** Looks at the tokens only; what is not JSON at all is left to JSON.parse. */
class TokenScan {
  readonly #text: string;
  readonly #valuesMax: number;
  #at = 0;
  #values = 0;
  /** The keys seen so far of each open object; null for an open list. */
  readonly #open: (Set<string> | null)[] = [];

  constructor(text: string, valuesMax: number) {
    this.#text = text;
    this.#valuesMax = valuesMax;
  }

  run(): void {
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === '"') this.#string();
      else if (character === "{" || character === "[") this.#begin(character);
      else if (character === "-" || (character >= "0" && character <= "9")) this.#number();
      else {
        if (character === "}" || character === "]") this.#open.pop();
        else if (character === ",") this.#countValue();
        this.#at += 1;
      }
    }
  }

  #begin(character: "{" | "["): void {
    this.#open.push(character === "{" ? new Set() : null);
    if (this.#open.length > DEPTH_MAX) throw bad(`The body nests deeper than ${DEPTH_MAX} levels.`);
    this.#countValue();
    this.#at += 1;
  }

  /** A bracket or a comma comes before every value in a list or an object. */
  #countValue(): void {
    this.#values += 1;
    if (this.#values <= this.#valuesMax) return;
    throw new ControllerError("BODY_TOO_LARGE", `The body has more than ${this.#valuesMax} values.`);
  }

  #string(): void {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    const escaped = this.#text.slice(start, end < 0 ? undefined : end).includes("\\");
    if (escaped) end = this.#endOfEscaped(start);
    this.#at = end < 0 ? this.#text.length : end + 1;
    const value = escaped ? unescapeString(this.#text.slice(start, this.#at)) : this.#text.slice(start + 1, end);
    if (escaped && !value.isWellFormed()) throw bad("A string of the body holds half a surrogate pair.");
    if (this.#isKey()) this.#key(value);
  }

  /** Index of the closing quote, −1 without one. */
  #endOfEscaped(start: number): number {
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
    return -1;
  }

  #isKey(): boolean {
    let next = this.#at;
    while (" \t\r\n".includes(this.#text[next] ?? "x")) next += 1;
    return this.#text[next] === ":";
  }

  #key(key: string): void {
    const keys = this.#open.at(-1);
    if (key === "__proto__") throw bad("The body has a key that is not allowed.");
    if (keys?.has(key)) throw bad("The body gives a key twice.");
    keys?.add(key);
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    const literal = NUMBER.exec(this.#text)?.[0] ?? "";
    this.#at += literal.length;
    const value = Number(literal);
    const isExact = /[.eE]/.test(literal) || Number.isSafeInteger(value);
    if (!Number.isFinite(value) || !isExact) throw bad("A number of the body is outside the supported range.");
  }
}

function unescapeString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch (cause) {
    throw new ControllerError("BAD_JSON", { cause });
  }
}

function bad(sentence: string): ControllerError {
  return new ControllerError("BAD_JSON", sentence);
}
