/**
 * Reading what old clients post to `/services`. They agree on little: prefixes that are bound to nothing or to the wrong namespace,
 * no declaration, an end that is cut off. So only the body of the envelope is read, by local names, and the operation is its first
 * element. Strict is what could cost something: size, depth, and no declarations of types or entities.
 *
 * @see docs/interface/soap.md
 */

import { ControllerError } from "../../errors.ts";
import { readXml, type XmlElement, XmlError } from "../../util/read-xml.ts";

const BODY = /<(?:[\w.-]{1,64}:)?Body(?:\s[^<>]*)?>/;
const BODY_END = /<\/(?:[\w.-]{1,64}:)?Body\s{0,64}>/;
/** Comments and literal text are no declarations. */
const DECLARATION = /<!(?!--|\[CDATA\[)/;

/** The name of an element without its prefix. */
export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(":") + 1);
}

/**
 * The element that names the operation, with its parameters as children.
 * @throws ControllerError BAD_BODY
 */
export function readOperation(text: string): XmlElement {
  if (DECLARATION.test(text)) throw bad("Declarations of types and entities are not allowed.");
  const begin = BODY.exec(text);
  const inside = begin ? text.slice(begin.index + begin[0].length) : "";
  const end = BODY_END.exec(inside);
  if (!end) throw bad("It has no body with a beginning and an end.");
  const [operation] = readPart(inside.slice(0, end.index)).children;
  if (!operation) throw bad("Its body names no operation.");
  return operation;
}

function readPart(text: string): XmlElement {
  try {
    return readXml(`<Body>${text}</Body>`);
  } catch (error) {
    if (error instanceof XmlError) throw bad(`${error.message}.`);
    throw error;
  }
}

function bad(sentence: string): ControllerError {
  return new ControllerError("BAD_BODY", `The body is not a SOAP envelope. ${sentence}`);
}

/** By the name that the controller uses: every spelling of an element that clients know, the usual one first. */
export type Spellings = Readonly<Record<string, readonly string[]>>;

/** The parameters of one call, whatever its client calls them. */
export class Given<S extends Spellings> {
  readonly #children: readonly XmlElement[];
  readonly #spellings: S;

  constructor(operation: XmlElement, spellings: S) {
    this.#children = operation.children;
    this.#spellings = spellings;
  }

  /** null: none of its spellings is there, or all are empty. */
  element(name: keyof S): XmlElement | null {
    for (const spelling of this.#spellings[name] ?? []) {
      const found = this.#children.find((child) => localName(child) === spelling);
      if (found && (found.text.trim() !== "" || found.children.length > 0)) return found;
    }
    return null;
  }

  /** Its text without blanks around it; null as for `element`. */
  find(name: keyof S): string | null {
    return this.element(name)?.text.trim() ?? null;
  }

  /** @throws ControllerError BAD_BODY when it is missing. */
  text(name: keyof S): string {
    const found = this.find(name);
    if (found === null) throw missing(this.#spellings[name]);
    return found;
  }

  /** A whole number of up to nine digits. @throws ControllerError BAD_BODY when it is missing or none. */
  integer(name: keyof S): number {
    const text = this.text(name);
    if (!/^-?\d{1,9}$/.test(text)) throw new ControllerError("BAD_BODY", `The element "${String(name)}" is no number.`);
    return Number(text);
  }
}

function missing(spellings: readonly string[] = []): ControllerError {
  return new ControllerError("BAD_BODY", `The element "${spellings[0]}" is missing.`);
}
