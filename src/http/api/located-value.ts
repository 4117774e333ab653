/**
 * A value of a client's body together with its place in it, so that a refusal can say where: `if[2].conditions[0].op`.
 * Reading is strict: what has another type, lies outside its range or is not known is refused.
 */

import { ControllerError } from "../../errors.ts";

export class LocatedValue {
  readonly value: unknown;
  /** Path from the body's root; empty for the body itself. */
  readonly place: string;
  readonly #strictness: "strict" | "lenient";

  /** @param strictness lenient: unknown members of objects are ignored. */
  constructor(value: unknown, place: string, strictness: "strict" | "lenient" = "strict") {
    this.value = value;
    this.place = place;
    this.#strictness = strictness;
  }

  /** @param expected continues "The body at if[2].op …", for example "has to be a text". */
  refuse(expected: string): ControllerError {
    const subject = this.place === "" ? "The body" : `The body at ${this.place}`;
    return new ControllerError("BAD_BODY", `${subject} ${expected}.`);
  }

  /** @param max inclusive. */
  integer(min: number, max: number): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
      throw this.refuse(`has to be a whole number from ${min} to ${max}`);
    }
    return value === 0 ? 0 : value; // −0 is not a number of its own.
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") throw this.refuse("has to be true or false");
    return this.value;
  }

  /** Any text; what it may hold is for others to decide. */
  string(): string {
    if (typeof this.value !== "string") throw this.refuse("has to be a text");
    return this.value;
  }

  /** Requires at least one character, no control characters and no lone surrogates. */
  text(lengthMax: number): string {
    const { value } = this;
    const isPlain = typeof value === "string" && value.isWellFormed() && !/\p{Cc}/u.test(value);
    if (!isPlain || value === "" || value.length > lengthMax) {
      throw this.refuse(`has to be a text of 1 to ${lengthMax} characters without control characters`);
    }
    return value;
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    const found = allowed.find((each) => each === this.value);
    if (found === undefined) throw this.refuse(`has to be one of ${allowed.join(", ")}`);
    return found;
  }

  list<T>(read: (item: LocatedValue) => T): readonly T[] {
    if (!Array.isArray(this.value)) throw this.refuse("has to be a list");
    return this.value.map((item: unknown, at) =>
      read(new LocatedValue(item, `${this.place}[${at}]`, this.#strictness)),
    );
  }

  /** Members that `read` does not ask for are refused. */
  object<T>(read: (members: Members) => T): T {
    const { value, place } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.refuse("has to be an object");
    const members = new Members({ ...value }, place, this.#strictness);
    const result = read(members);
    if (this.#strictness === "strict") members.end();
    return result;
  }
}

export class Members {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #place: string;
  readonly #unread: Set<string>;
  readonly #strictness: "strict" | "lenient";

  constructor(values: Readonly<Record<string, unknown>>, place: string, strictness: "strict" | "lenient") {
    this.#values = values;
    this.#place = place;
    this.#unread = new Set(Object.keys(values));
    this.#strictness = strictness;
  }

  /** Like `LocatedValue.refuse`, for the object itself. */
  refuse(expected: string): ControllerError {
    return new LocatedValue(null, this.#place).refuse(expected);
  }

  /** @throws ControllerError BAD_BODY when the member is missing. */
  get(name: string): LocatedValue {
    const found = this.find(name);
    if (!found) throw this.refuse(`needs the member "${name}"`);
    return found;
  }

  /** null when the member is missing. */
  find(name: string): LocatedValue | null {
    this.#unread.delete(name);
    if (!Object.hasOwn(this.#values, name)) return null;
    const place = this.#place === "" ? name : `${this.#place}.${name}`;
    return new LocatedValue(this.#values[name], place, this.#strictness);
  }

  /** All members unchanged, for objects that are stored without being understood. */
  takeAll(): Readonly<Record<string, unknown>> {
    this.#unread.clear();
    return this.#values;
  }

  /** @throws ControllerError BAD_BODY for a member that was never read. */
  end(): void {
    const [name] = this.#unread;
    if (name === undefined) return;
    throw this.refuse(`has the unknown member "${name.slice(0, UNKNOWN_NAME_LENGTH)}"`);
  }
}

const UNKNOWN_NAME_LENGTH = 40;
