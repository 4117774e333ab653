/**
 * Templates of announced entities: the part of Jinja that devices use. Text with `{{ }}` and `{% if %}`; paths, subscripts, `.get()`,
 * filters, comparisons, arithmetic, literals. Only own properties are read, there are no loops and no other calls, so that a template can
 * do nothing but compute a value.
 *
 * @see docs/announced-devices.md
 */

import { ownMember } from "../../../util/foreign-value.ts";
import {
  FILTERS,
  type Filter,
  isIn,
  isSame,
  memberOf,
  numberOf,
  TemplateError,
  textOfValue,
} from "./template-values.ts";

export type Scope = Readonly<Record<string, unknown>>;
type Expression = (scope: Scope) => unknown;
/** @returns undefined: a value that it needs is not in the message, so the value before stays */
export type Template = (scope: Scope) => string | undefined;

const LENGTH_MAX = 1000;
const DEPTH_MAX = 20;
const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|[<>+\-*/%~|.,:()[\]{}]))/y;
const CONSTANTS: Readonly<Record<string, unknown>> = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
};

/** @throws TemplateError with what it holds that is not read */
export function readTemplate(text: string): Template {
  if (text.length > LENGTH_MAX) throw new TemplateError("it is too long");
  const pieces = piecesOf(text);
  const body = readBody(pieces, 0);
  if (pieces.length > 0) throw new TemplateError(`{% ${String(pieces[0]?.text)} %} does not belong there`);
  return (scope) => body(scope)?.trim();
}

type Piece = { readonly kind: "text" | "value" | "statement"; readonly text: string };

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const at = rest.search(/\{[{%#]/);
    if (at !== 0) pieces.push({ kind: "text", text: at < 0 ? rest : rest.slice(0, at) });
    if (at < 0) break;
    const isValue = rest[at + 1] === "{";
    const end = rest.indexOf(isValue ? "}}" : "%}", at);
    if (end < 0 || rest[at + 1] === "#") throw new TemplateError("a bracket is not closed");
    const inner = rest
      .slice(at + 2, end)
      .replace(/^-/, "")
      .replace(/-$/, "")
      .trim();
    pieces.push({ kind: isValue ? "value" : "statement", text: inner });
    rest = rest.slice(end + 2);
  }
  return pieces;
}

/** Up to the statement that ends it, which stays. */
function readBody(pieces: Piece[], depth: number): Template {
  if (depth > DEPTH_MAX) throw new TemplateError("it is nested too deep");
  const parts: Template[] = [];
  for (let piece = pieces[0]; piece && !isEnd(piece); piece = pieces[0]) {
    pieces.shift();
    const { kind, text } = piece;
    if (kind === "text") parts.push(() => text);
    else if (kind === "value") parts.push(shown(readExpression(text)));
    else parts.push(readIf(text, pieces, depth));
  }
  return (scope) => {
    let whole = "";
    for (const part of parts) {
      const made = part(scope);
      if (made === undefined) return undefined;
      whole += made;
    }
    return whole;
  };
}

function isEnd({ kind, text }: Piece): boolean {
  return kind === "statement" && /^(elif|else|endif)\b/.test(text);
}

function shown(expression: Expression): Template {
  return (scope) => {
    const value = expression(scope);
    return value === undefined ? undefined : textOfValue(value);
  };
}

function readIf(statement: string, pieces: Piece[], depth: number): Template {
  if (!/^if\b/.test(statement)) throw new TemplateError(`{% ${statement.slice(0, 40)} %} is not read`);
  const condition = readExpression(statement.slice(2));
  const then = readBody(pieces, depth + 1);
  const next = pieces.shift()?.text;
  if (next === undefined) throw new TemplateError("{% endif %} is missing");
  let otherwise: Template = () => "";
  if (next.startsWith("elif")) otherwise = readIf(next.slice(2), pieces, depth + 1);
  else if (next === "else") {
    otherwise = readBody(pieces, depth + 1);
    if (pieces.shift()?.text !== "endif") throw new TemplateError("{% endif %} is missing");
  }
  return (scope) => (isTrue(condition(scope)) ? then(scope) : otherwise(scope));
}

/** As Python has it: empty lists and texts are false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (typeof value !== "object" || value === null) return Boolean(value);
  for (const _key in value) return true;
  return false;
}

type Token = { readonly kind: "number" | "text" | "name" | "sign" | "end"; readonly text: string };

function readExpression(text: string): Expression {
  const reader = new ExpressionReader(tokensOf(text));
  const read = reader.choice();
  reader.take("end", "");
  return read;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const [, number, single, double, name, sign] = TOKEN.exec(text) ?? [];
    const quoted = single ?? double;
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (quoted !== undefined) tokens.push({ kind: "text", text: quoted.replace(/\\(.)/g, "$1") });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
    else throw new TemplateError(`${text.slice(from, from + 20)} is not read`);
  }
  return [...tokens, { kind: "end", text: "" }];
}

const COMPARISONS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  "==": isSame,
  "!=": (a, b) => !isSame(a, b),
  "<": (a, b) => compared(a, b) < 0,
  ">": (a, b) => compared(a, b) > 0,
  "<=": (a, b) => compared(a, b) <= 0,
  ">=": (a, b) => compared(a, b) >= 0,
  in: isIn,
};

function compared(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return numberOf(a) - numberOf(b);
}

const SUMS: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  "+": (a, b) =>
    typeof a === "string" && typeof b === "string" ? textOfValue(a) + textOfValue(b) : numberOf(a) + numberOf(b),
  "-": (a, b) => numberOf(a) - numberOf(b),
  "~": (a, b) => textOfValue(a) + textOfValue(b),
};
const PRODUCTS: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  "*": (a, b) => numberOf(a) * numberOf(b),
  "/": (a, b) => numberOf(a) / numberOf(b),
  "//": (a, b) => Math.floor(numberOf(a) / numberOf(b)),
  // The sign is that of the divisor.
  "%": (a, b) => ((numberOf(a) % numberOf(b)) + numberOf(b)) % numberOf(b),
};

class ExpressionReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** @throws TemplateError when the next token is another one */
  take(kind: Token["kind"], text: string): void {
    if (!this.#has(kind, text)) throw new TemplateError(`"${this.#token.text}" does not belong there`);
  }

  /** `x if condition else y` */
  choice(): Expression {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new TemplateError("it is nested too deep");
    const value = this.#either();
    let made = value;
    if (this.#has("name", "if")) {
      const condition = this.#either();
      const other: Expression = this.#has("name", "else") ? this.choice() : () => undefined;
      made = (scope) => (isTrue(condition(scope)) ? value(scope) : other(scope));
    }
    this.#depth -= 1;
    return made;
  }

  #either(): Expression {
    let left = this.#both();
    while (this.#has("name", "or")) {
      const [a, b] = [left, this.#both()];
      left = (scope) => {
        const value = a(scope);
        return isTrue(value) ? value : b(scope);
      };
    }
    return left;
  }

  #both(): Expression {
    let left = this.#negated();
    while (this.#has("name", "and")) {
      const [a, b] = [left, this.#negated()];
      left = (scope) => {
        const value = a(scope);
        return isTrue(value) ? b(scope) : value;
      };
    }
    return left;
  }

  #negated(): Expression {
    let isNegated = false;
    while (this.#has("name", "not")) isNegated = !isNegated;
    const value = this.#comparison();
    return isNegated ? (scope) => !isTrue(value(scope)) : value;
  }

  #comparison(): Expression {
    const left = this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#signed()));
    const isNegated = this.#has("name", "not");
    const compare = ownMember(COMPARISONS, this.#token.text);
    if (!compare || this.#token.kind === "text") return left;
    this.#at += 1;
    const right = this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#signed()));
    return (scope) => compare(left(scope), right(scope)) !== isNegated;
  }

  #chain(signs: typeof SUMS, next: () => Expression): Expression {
    let left = next();
    while (this.#token.kind === "sign" && Object.hasOwn(signs, this.#token.text)) {
      const combine = signs[this.#token.text];
      this.#at += 1;
      const [a, b] = [left, next()];
      left = (scope) => combine?.(a(scope), b(scope));
    }
    return left;
  }

  #signed(): Expression {
    let isNegative = false;
    while (this.#has("sign", "-")) isNegative = !isNegative;
    const value = this.#filtered(this.#path());
    return isNegative ? (scope) => -numberOf(value(scope)) : value;
  }

  /** `| filter(x)` and `is defined`. */
  #filtered(start: Expression): Expression {
    let value = start;
    for (;;) {
      const of = value;
      if (this.#has("sign", "|")) {
        const name = this.#name();
        const filter: Filter | undefined = ownMember(FILTERS, name);
        if (!filter) throw new TemplateError(`the filter ${name} is not known`);
        const given = this.#has("sign", "(") ? this.#list(")") : [];
        value = (scope) => filter(of(scope), ...given.map((each) => each(scope)));
      } else if (this.#has("name", "is")) {
        const isNegated = this.#has("name", "not");
        const test = this.#name();
        if (test !== "defined" && test !== "none") throw new TemplateError(`the test ${test} is not known`);
        const absent = test === "defined" ? undefined : null;
        const wanted = (test === "none") !== isNegated;
        value = (scope) => (of(scope) === absent) === wanted;
      } else return value;
    }
  }

  #path(): Expression {
    let value = this.#atom();
    for (;;) {
      const of = value;
      if (this.#has("sign", ".")) {
        const { text } = this.#token;
        this.#at += 1;
        if (text === "get" && this.#has("sign", "(")) {
          const [key, otherwise] = this.#list(")");
          value = (scope) => memberOf(of(scope), key?.(scope)) ?? otherwise?.(scope) ?? null;
        } else value = (scope) => memberOf(of(scope), text);
      } else if (this.#has("sign", "[")) {
        const key = this.choice();
        this.take("sign", "]");
        value = (scope) => memberOf(of(scope), key(scope));
      } else return value;
    }
  }

  #atom(): Expression {
    const { kind, text } = this.#token;
    this.#at += 1;
    if (kind === "number") return () => Number(text);
    if (kind === "text") return () => text;
    if (kind === "name" && Object.hasOwn(CONSTANTS, text)) return () => CONSTANTS[text];
    if (kind === "name") {
      if (this.#token.kind === "sign" && this.#token.text === "(") throw new TemplateError(`${text}() is not read`);
      return (scope) => (Object.hasOwn(scope, text) ? scope[text] : undefined);
    }
    if (text === "(") {
      const inner = this.choice();
      this.take("sign", ")");
      // A filter in brackets ends before what follows them.
      return inner;
    }
    if (text === "[") {
      const items = this.#list("]");
      return (scope) => items.map((each) => each(scope));
    }
    if (text === "{") return this.#dictionary();
    throw new TemplateError(`"${text}" does not belong there`);
  }

  /** Its keys keep their type: 1 is not "1". */
  #dictionary(): Expression {
    const entries: (readonly [Expression, Expression])[] = [];
    while (!this.#has("sign", "}")) {
      const key = this.choice();
      this.take("sign", ":");
      entries.push([key, this.choice()]);
      if (!this.#has("sign", ",") && !this.#isNext("}")) throw new TemplateError("a dictionary is not closed");
    }
    return (scope) => new Map(entries.map(([key, value]) => [key(scope), value(scope)]));
  }

  #list(end: string): readonly Expression[] {
    const items: Expression[] = [];
    while (!this.#has("sign", end)) {
      items.push(this.choice());
      if (!this.#has("sign", ",") && !this.#isNext(end)) throw new TemplateError("a list is not closed");
    }
    return items;
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== "name") throw new TemplateError("a name is missing");
    this.#at += 1;
    return text;
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", text: "" };
  }

  #isNext(text: string): boolean {
    return this.#token.kind === "sign" && this.#token.text === text;
  }

  #has(kind: Token["kind"], text: string): boolean {
    const isThere = this.#token.kind === kind && this.#token.text === text;
    if (isThere) this.#at += 1;
    return isThere;
  }
}
