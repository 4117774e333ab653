/**
 * How members of JSON are spelled in XML: as attributes, child elements or text, both ways from one description. Reading is
 * strict: what the description does not name is refused.
 */

import type { XmlElement } from "../../util/read-xml.ts";

/** `unknown`: an element or attribute; `value`: a text of another form; `structure`: missing, doubled or misplaced. */
export type MisspelledReason = "unknown" | "value" | "structure";

/** Why an element cannot be read, or a value not be spelled. The message continues "`<cmd>` …". */
export class Misspelled extends Error {
  readonly reason: MisspelledReason;
  readonly line: number;

  constructor(reason: MisspelledReason, message: string, line = 0) {
    super(message);
    this.name = "Misspelled";
    this.reason = reason;
    this.line = line;
  }
}

/** @throws Misspelled, both ways */
export type Spelling = {
  readonly write: (name: string, value: unknown) => XmlElement;
  readonly read: (element: XmlElement) => unknown;
};

/** A scalar as a text. @throws Misspelled, both ways */
type Leaf = { readonly toText: (value: unknown) => string; readonly ofText: (text: string, line: number) => unknown };

type Member =
  | { readonly as: "attribute"; readonly leaf: Leaf; readonly name: string | null }
  | { readonly as: "text"; readonly leaf: Leaf; readonly name: null }
  /** `isMany`: a list, one element for each. */
  | { readonly as: "child"; readonly spelling: Spelling; readonly name: string | null; readonly isMany: boolean };

type JsonObject = Readonly<Record<string, unknown>>;

export const word: Leaf = {
  toText: (value) => {
    if (typeof value === "string") return value;
    throw new Misspelled("value", "has a member that is no text");
  },
  ofText: (text) => text,
};

export const whole: Leaf = {
  toText: (value) => {
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
    throw new Misspelled("value", "has a member that is no whole number");
  },
  ofText: (text, line) => {
    const written = text.trim();
    if (/^[+-]?\d{1,16}$/.test(written)) return Number(written) + 0;
    throw new Misspelled("value", `has "${shortened(written)}" where a whole number belongs`, line);
  },
};

/** @param name in XML; left out: as in JSON. */
export function attribute(leaf: Leaf, name: string | null = null): Member {
  return { as: "attribute", leaf, name };
}

export function inside(leaf: Leaf): Member {
  return { as: "text", leaf, name: null };
}

/** @param name in XML; left out: as in JSON. */
export function child(spelling: Spelling | Leaf, name: string | null = null): Member {
  return { as: "child", spelling: spellingOf(spelling), name, isMany: false };
}

/** A list: one child for each of its items. An empty list is not written. */
export function each(spelling: Spelling | Leaf, name: string | null = null): Member {
  return { as: "child", spelling: spellingOf(spelling), name, isMany: true };
}

function spellingOf(given: Spelling | Leaf): Spelling {
  return "read" in given ? given : element({ text: inside(given) }, { isText: true });
}

/** `<random />`: true. */
export const flag: Spelling = {
  write: (name, value) => {
    if (value !== true) throw new Misspelled("value", `has a member ${name} that is not true`);
    return made(name, [], [], "", true);
  },
  read: ({ attributes, children, text, line }) => {
    if (attributes.size === 0 && children.length === 0 && text.trim() === "") return true;
    throw new Misspelled("structure", "has something in an element that is empty by itself", line);
  },
};

/** Members that say what a value is; the name of its element says so in XML. */
const OF_JSON_ONLY: ReadonlySet<string> = new Set(["type", "andOr"]);

type Options = {
  /** Children that are always there, with their texts. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The JSON is the text alone, not an object. */
  readonly isText?: boolean;
};

/** Members are written in the order of the JSON, and read in that of the XML. */
export function element(
  members: Readonly<Record<string, Member>>,
  { fixed = {}, isText = false }: Options = {},
): Spelling {
  const byName = (as: Member["as"]) =>
    new Map(
      Object.entries(members).flatMap(([key, member]) =>
        member.as === as ? [[member.name ?? key, { key, member }] as const] : [],
      ),
    );
  const [attributes, children] = [byName("attribute"), byName("child")];
  const inner = Object.entries(members).find(([, member]) => member.as === "text");
  return {
    write: (name, value) => written(name, isText ? { text: value } : objectOf(value), members, fixed),
    read: (given) => {
      const result = new Map<string, unknown>();
      for (const [written, text] of given.attributes) readAttribute(written, text);
      for (const part of given.children) readChild(part);
      if (inner && (isText || given.text.trim() !== ""))
        result.set(inner[0], leafOf(inner[1]).ofText(given.text, given.line));
      else if (given.text.trim() !== "") {
        throw new Misspelled("unknown", `has the text "${shortened(given.text.trim())}"`, given.line);
      }
      return isText ? result.get("text") : Object.fromEntries(result);

      function readAttribute(written: string, text: string): void {
        // Some clients write them in capitals.
        const found = attributes.get(written) ?? attributes.get(written.toLowerCase());
        if (!found) throw new Misspelled("unknown", `has the attribute "${shortened(written)}"`, given.line);
        result.set(found.key, leafOf(found.member).ofText(text, given.line));
      }

      function readChild(part: XmlElement): void {
        if (Object.hasOwn(fixed, part.name)) {
          if (part.text.trim() === fixed[part.name]) return;
          const sentence = `has <${part.name}>${shortened(part.text.trim())}</${part.name}>`;
          throw new Misspelled("value", `${sentence}, and only ${fixed[part.name]} is known there`, part.line);
        }
        const found = children.get(part.name);
        if (found?.member.as !== "child") {
          throw new Misspelled("unknown", `has the element <${shortened(part.name)}>`, part.line);
        }
        const value = found.member.spelling.read(part);
        const before = result.get(found.key);
        if (before === undefined) result.set(found.key, found.member.isMany ? [value] : value);
        else if (Array.isArray(before) && found.member.isMany) before.push(value);
        else throw new Misspelled("structure", `has <${part.name}> twice`, part.line);
      }
    },
  };
}

function written(
  name: string,
  value: JsonObject,
  members: Readonly<Record<string, Member>>,
  fixed: Readonly<Record<string, string>>,
): XmlElement {
  const attributes: [string, string][] = [];
  const children = Object.entries(fixed).map(([key, text]) => made(key, [], [], text));
  let text = "";
  for (const [key, given] of Object.entries(value)) {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    if (!member) {
      if (OF_JSON_ONLY.has(key)) continue;
      throw new Misspelled("unknown", `has the member "${key}"`);
    }
    const called = member.name ?? key;
    if (member.as === "attribute") attributes.push([called, member.leaf.toText(given)]);
    else if (member.as === "text") text = member.leaf.toText(given);
    else {
      const items = member.isMany ? (given as readonly unknown[]) : [given];
      children.push(...items.map((item) => member.spelling.write(called, item)));
    }
  }
  return made(name, attributes, children, text);
}

/** A spelling of other JSON: `toXml` makes what `spelling` spells of it, `ofXml` is the inverse. Each may throw Misspelled. */
export function mapped(
  spelling: Spelling,
  toXml: (value: JsonObject) => unknown,
  ofXml: (value: JsonObject) => unknown,
): Spelling {
  return {
    write: (name, value) => spelling.write(name, toXml(objectOf(value))),
    read: (given) => ofXml(objectOf(spelling.read(given))),
  };
}

/**
 * Any object of scalars, flags and lists of them, for statements that are stored without being understood. Not every object
 * is read back as it was written.
 */
export const anything: Spelling = {
  write: (name, value) => {
    const children = Object.entries(objectOf(value)).flatMap(([key, given]) =>
      OF_JSON_ONLY.has(key) ? [] : (Array.isArray(given) ? given : [given]).map((item) => anyElement(key, item)),
    );
    return made(name, [], children, "");
  },
  read: (given) => {
    const value = anyValue(given);
    return typeof value === "object" ? value : { text: value };
  },
};

function anyElement(name: string, value: unknown): XmlElement {
  if (!NAME.test(name)) throw new Misspelled("structure", "has a member whose name is none in XML");
  if (value === true) return made(name, [], [], "", true);
  if (typeof value === "object") return anything.write(name, value);
  return made(name, [], [], String(value));
}

const NAME = /^[A-Za-z][\w.-]{0,63}$/;

function anyValue({ attributes, children, text }: XmlElement): object | string | number {
  const inner = text.trim();
  if (attributes.size === 0 && children.length === 0) return inner === "" ? {} : anyScalar(text);
  const parts = [...attributes].map(([key, value]) => [key, anyScalar(value)] as const);
  const members = new Map<string, unknown>(inner === "" ? parts : [...parts, ["text", anyScalar(text)]]);
  for (const part of children) {
    const value = part.attributes.size + part.children.length === 0 && part.text.trim() === "" ? true : anyValue(part);
    const before = members.get(part.name);
    if (Array.isArray(before)) before.push(value);
    else members.set(part.name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(members);
}

function anyScalar(text: string): string | number {
  return String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function leafOf(member: Member): Leaf {
  if (member.as === "child") throw new Misspelled("structure", "has an element where a text belongs");
  return member.leaf;
}

function objectOf(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Misspelled("structure", "has a member that is no object");
}

export function made(
  name: string,
  attributes: readonly (readonly [string, string])[],
  children: readonly XmlElement[],
  text = "",
  closesItself = false,
): XmlElement {
  return { name, attributes: new Map(attributes), children, text, closesItself, line: 0 };
}

const SHOWN_MAX = 60;

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
