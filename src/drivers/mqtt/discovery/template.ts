/**
 * Templates of announced entities: the part of Jinja that devices use. Text with `{{ }}`, `{% if %}` and `{% set %}`; paths, subscripts,
 * some methods of texts, filters, comparisons, arithmetic, literals. Only own properties are read, there are no loops and no other calls,
 * so that a template can do nothing but compute a value. What is computed from a value that is not in the message is not known either.
 *
 * @see docs/announced-devices.md
 */

import { ownMember } from "../../../util/foreign-value.ts";
import {
  FILTERS,
  type Filter,
  FUNCTIONS,
  isIn,
  isSame,
  METHODS,
  memberOf,
  NAMED,
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
  /\s*(?:(\d+(?:\.\d+)?)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|[<>+\-*/%~|.,:=()[\]{}]))/y;
const CONSTANTS: Readonly<Record<string, unknown>> = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
};

/** @throws TemplateError with what it holds that is not read */
export function readTemplate(text: string): Template {
  if (text.length > LENGTH_MAX) throw new TemplateError("it is too long");
  const pieces = piecesOf(text);
  const body = readBody(pieces, 0);
  if (pieces.length > 0) throw new TemplateError(`{% ${String(pieces[0]?.text)} %} does not belong there`);
  // Variables that a template sets are its own.
  return (scope) => body({ ...scope })?.trim();
}

type Piece = { readonly kind: "text" | "value" | "statement"; readonly text: string };

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const at = rest.search(/\{[{%#]/);
    if (at !== 0) pieces.push({ kind: "text", text: at < 0 ? rest : rest.slice(0, at) });
    if (at < 0) break;
    const sign = rest[at + 1] ?? "";
    const isValue = sign === "{";
    const end = rest.indexOf(isValue ? "}}" : `${sign}}`, at + 2);
    if (end < 0) throw new TemplateError("a bracket is not closed");
    const inner = rest
      .slice(at + 2, end)
      .replace(/^-/, "")
      .replace(/-$/, "")
      .trim();
    if (sign !== "#") pieces.push({ kind: isValue ? "value" : "statement", text: inner });
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
    else if (/^set\b/.test(text)) parts.push(readSet(text));
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

function readSet(statement: string): Template {
  const [, name, text] = /^set\s+([A-Za-z]\w*)\s*=(.+)$/s.exec(statement) ?? [];
  if (name === undefined || text === undefined) throw new TemplateError(`{% ${statement.slice(0, 40)} %} is not read`);
  const value = readExpression(text);
  return (scope) => {
    // The scope is this template's own copy.
    (scope as Record<string, unknown>)[name] = value(scope);
    return "";
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
  return (scope) =>
    chosen(
      condition(scope),
      () => then(scope),
      () => otherwise(scope),
    );
}

function chosen<T>(condition: unknown, then: () => T, otherwise: () => T): T | undefined {
  if (condition === undefined) return undefined;
  return isTrue(condition) ? then() : otherwise();
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

type Comparison = (a: unknown, b: unknown) => boolean | undefined;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  "==": sameOrUnknown,
  "!=": (a, b) => negated(sameOrUnknown(a, b)),
  "<": ordered((order) => order < 0),
  ">": ordered((order) => order > 0),
  "<=": ordered((order) => order <= 0),
  ">=": ordered((order) => order >= 0),
  in: (a, b) => (a === undefined || b === undefined ? undefined : isIn(a, b)),
};

/** A value that is not there can be compared with none. */
function sameOrUnknown(a: unknown, b: unknown): boolean | undefined {
  const isUnknown = (a === undefined && b !== null) || (b === undefined && a !== null);
  return isUnknown ? undefined : isSame(a, b);
}

/** Values that are neither two texts nor numbers have no order: undefined. */
function ordered(is: (order: number) => boolean): Comparison {
  return (a, b) => {
    const order = compared(a, b);
    return Number.isNaN(order) ? undefined : is(order);
  };
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function compared(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return numberOf(a) - numberOf(b);
}

/** undefined: one of them is no number, or the result is none. */
function computed(compute: (a: number, b: number) => number) {
  return (a: unknown, b: unknown): number | undefined => {
    const result = compute(numberOf(a), numberOf(b));
    return Number.isFinite(result) ? result : undefined;
  };
}

const added = computed((a, b) => a + b);
const SUMS: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  "+": (a, b) => (typeof a === "string" && typeof b === "string" ? textOfValue(a) + textOfValue(b) : added(a, b)),
  "-": computed((a, b) => a - b),
  "~": (a, b) => (a === undefined || b === undefined ? undefined : textOfValue(a) + textOfValue(b)),
};
const remainder = computed((a, b) => ((a % b) + b) % b);
const PRODUCTS: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  "*": computed((a, b) => a * b),
  "/": computed((a, b) => a / b),
  "//": computed((a, b) => Math.floor(a / b)),
  // The sign is that of the divisor. A text is a format.
  "%": (a, b) => (typeof a === "string" ? FILTERS.format?.(a, b) : remainder(a, b)),
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
      made = (scope) =>
        chosen(
          condition(scope),
          () => value(scope),
          () => other(scope),
        );
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
    return isNegated
      ? (scope) =>
          chosen(
            value(scope),
            () => false,
            () => true,
          )
      : value;
  }

  #comparison(): Expression {
    const left = this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#signed()));
    const isNegated = this.#has("name", "not");
    const compare = ownMember(COMPARISONS, this.#token.text);
    if (!compare || this.#token.kind === "text") return left;
    this.#at += 1;
    const right = this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#signed()));
    return (scope) => (isNegated ? negated(compare(left(scope), right(scope))) : compare(left(scope), right(scope)));
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
    return isNegative ? (scope) => PRODUCTS["*"]?.(value(scope), -1) : value;
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
        const given = this.#has("sign", "(") ? this.#parameters(name) : [];
        value = (scope) => filter(of(scope), ...given.map((each) => each?.(scope)));
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
        } else if (Object.hasOwn(METHODS, text) && this.#has("sign", "(")) {
          const given = this.#list(")");
          value = (scope) => METHODS[text]?.(of(scope), ...given.map((each) => each(scope)));
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
      if (this.#isNext("(")) return this.#call(text);
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

  #call(name: string): Expression {
    if (!FUNCTIONS.has(name)) throw new TemplateError(`${name}() is not read`);
    const filter: Filter | undefined = ownMember(FILTERS, name);
    this.take("sign", "(");
    const [first, ...given] = this.#list(")");
    return (scope) => filter?.(first?.(scope), ...given.map((each) => each(scope)));
  }

  /** Those of a filter by their places; some may be named instead. */
  #parameters(filter: string): readonly (Expression | undefined)[] {
    const given: (Expression | undefined)[] = [];
    while (!this.#has("sign", ")")) {
      const isNamed = this.#tokens[this.#at + 1]?.text === "=" && this.#token.kind === "name";
      const at = isNamed ? (ownMember(NAMED, filter) ?? []).indexOf(this.#name()) : given.length;
      if (isNamed) this.take("sign", "=");
      if (at < 0) throw new TemplateError(`a parameter of the filter ${filter} is not known`);
      const value = this.choice();
      while (given.length <= at) given.push(undefined);
      given[at] = value;
      if (!this.#has("sign", ",") && !this.#isNext(")")) throw new TemplateError("a list is not closed");
    }
    return given;
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
