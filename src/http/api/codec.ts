/**
 * How values stand in JSON: what is written, how it is read, and the schema of it, each said once. Reading is strict; it throws
 * ControllerError BAD_BODY with the place.
 */

import { type JsonSchema, list, object } from "../schema.ts";
import type { LocatedValue, Members } from "./located-value.ts";

export type Codec<T> = {
  readonly schema: JsonSchema;
  readonly write: (value: T) => unknown;
  readonly read: (placed: LocatedValue) => T;
};

type Schemas = Readonly<Record<string, JsonSchema>>;

type Json = Record<string, unknown>;

/** Members of an object that hold a value together. */
export type Part<T> = {
  readonly required: Schemas;
  readonly optional: Schemas;
  /** Puts the members into an object. */
  readonly write: (value: T, into: Json) => void;
  readonly read: (members: Members) => T;
};

export function wholeNumber(min: number, max: number): Codec<number> {
  return { schema: { type: "integer" }, write: (value) => value, read: (placed) => placed.integer(min, max) };
}

/** At least one character, none of them a control character. */
export function plainText(lengthMax: number): Codec<string> {
  return { schema: { type: "string" }, write: (value) => value, read: (placed) => placed.text(lengthMax) };
}

export function oneOf<const T extends string>(allowed: readonly T[]): Codec<T> {
  return {
    schema: { type: "string", enum: allowed },
    write: (value) => value,
    read: (placed) => placed.oneOf(allowed),
  };
}

export const truth: Codec<boolean> = {
  schema: { type: "boolean" },
  write: (value) => value,
  read: (placed) => placed.boolean(),
};

export function listOf<T>({ schema, write, read }: Codec<T>): Codec<readonly T[]> {
  return { schema: list(schema), write: (items) => items.map(write), read: (placed) => placed.list(read) };
}

/** Another value in place of the one that the codec reads and writes. */
export function mapped<T, U>(codec: Codec<T>, toJson: (value: U) => T, ofJson: (value: T) => U): Codec<U> {
  const { schema, write, read } = codec;
  return { schema, write: (value) => write(toJson(value)), read: (placed) => ofJson(read(placed)) };
}

/** @param about description in the schema */
export function member<T>(name: string, { schema, write, read }: Codec<T>, about?: string): Part<T> {
  return {
    required: { [name]: described(schema, about) },
    optional: {},
    write: (value, into) => {
      into[name] = write(value);
    },
    read: (members) => read(members.get(name)),
  };
}

/** Written always; a reader may find it missing. */
export function usual<T>(name: string, codec: Codec<T>, absent: T, about?: string): Part<T> {
  const { required, write } = member(name, codec, about);
  const read = (members: Members) => {
    const found = members.find(name);
    return found ? codec.read(found) : absent;
  };
  return { required: {}, optional: required, write, read };
}

/** Written only where it is not `absent`, a scalar. */
export function maybe<T>(name: string, codec: Codec<T>, absent: T, about?: string): Part<T> {
  const part = usual(name, codec, absent, about);
  return {
    ...part,
    write: (value, into) => {
      if (value !== absent) part.write(value, into);
    },
  };
}

/** The parts of an object, by its members inside. */
export function all<T>(parts: { readonly [K in keyof T]-?: Part<T[K]> }): Part<T> {
  const entries = Object.entries<Part<unknown>>(parts as Readonly<Record<string, Part<unknown>>>);
  return {
    required: Object.assign({}, ...entries.map(([, { required }]) => required)),
    optional: Object.assign({}, ...entries.map(([, { optional }]) => optional)),
    write: (value, into) => {
      for (const [key, part] of entries) part.write((value as Readonly<Json>)[key], into);
    },
    // The members of T are those of `parts`.
    read: (members) => Object.fromEntries(entries.map(([key, part]) => [key, part.read(members)])) as T,
  };
}

export function objectOf<T>(part: Part<T>, about?: string): Codec<T> {
  return {
    schema: described(object(part.required, { optional: part.optional }), about),
    write: (value) => written(part, value, {}),
    read: (placed) => placed.object(part.read),
  };
}

function written<T>(part: Part<T>, value: T, into: Json): Readonly<Json> {
  part.write(value, into);
  return into;
}

/** Both parts in one object. */
export function join<A extends object, B extends object>(a: Part<A>, b: Part<B>): Part<A & B> {
  return {
    required: { ...a.required, ...b.required },
    optional: { ...a.optional, ...b.optional },
    write: (value, into) => {
      a.write(value, into);
      b.write(value, into);
    },
    read: (members) => ({ ...a.read(members), ...b.read(members) }),
  };
}

/** The members of the part, in an object of their own. */
export function within<T>(name: string, part: Part<T>): Part<T> {
  return member(name, objectOf(part));
}

/** Not in JSON. */
export function fixed<const T>(value: T): Part<T> {
  return { required: {}, optional: {}, write: () => {}, read: () => value };
}

type Option<U> = {
  readonly name: string;
  readonly codec: Codec<U>;
  readonly is: (value: U) => boolean;
};

/** @param is whether a value is one of the codec */
export function option<U, T extends U>(name: string, codec: Codec<T>, is: (value: U) => boolean): Option<U> {
  return { name, codec: codec as Codec<unknown> as Codec<U>, is };
}

/** The first of these members that is there; the last one must be there when no other is. */
export function choice<U>(...options: readonly Option<U>[]): Part<U> {
  const last = options.at(-1) as Option<U>;
  return {
    required: {},
    optional: Object.fromEntries(options.map(({ name, codec }) => [name, codec.schema])),
    write: (value, into) => {
      const { name, codec } = options.find(({ is }) => is(value)) ?? last;
      into[name] = codec.write(value);
    },
    read: (members) => {
      const found = options.find(({ name }) => members.find(name) !== null) ?? last;
      return found.codec.read(members.get(found.name));
    },
  };
}

/** One kind of a union: which `type` it has in JSON, and the rest of it. */
type KindRow<T> = {
  readonly type: string;
  readonly part: Part<T>;
  /** Member that tells it from other kinds of the same type; the last one of a type has none. */
  readonly when?: string;
  readonly about?: string;
};

/** The members of a union that can have the kind. */
type OfKind<U, K> = U extends { readonly kind: infer P } ? (K extends P ? U : never) : never;

type Kinds<U extends { readonly kind: string }> = {
  readonly [K in U["kind"]]: KindRow<Omit<OfKind<U, K>, "kind">>;
};

/** A union by its kinds, as members of an object beside `type`. */
export function kindsOf<U extends { readonly kind: string }>(rows: Kinds<U>) {
  const entries = Object.entries(rows) as [string, KindRow<object>][];
  const types = [...new Set(entries.map(([, { type }]) => type))];
  const schemas = (common: Schemas = {}): readonly JsonSchema[] =>
    entries.map(([, { type, part, about }]) => {
      const required = { type: { const: type }, ...common, ...part.required };
      return described(object(required, { optional: part.optional }), about);
    });
  /** @param common members that go before those of the kind */
  const write = (value: U, common: Readonly<Json> = {}): Readonly<Json> => {
    // The row of a kind is that of its values.
    const { type, part } = rows[value.kind as U["kind"]] as KindRow<object>;
    return written(part, value, { type, ...common });
  };
  /** @param others further types, which the caller reads. */
  const read = (members: Members, others: readonly string[] = []): U => {
    const type = members.get("type").oneOf([...types, ...others]);
    const found = entries.find(([, { type: own, when }]) => own === type && (!when || members.find(when) !== null));
    if (!found) throw members.refuse(`has the type "${type}", which cannot be read here`);
    const [kind, { part }] = found;
    return { kind, ...part.read(members) } as unknown as U;
  };
  const codec: Codec<U> = {
    schema: { anyOf: schemas() },
    write: (value) => write(value),
    read: (placed) => placed.object((own) => read(own)),
  };
  return { codec, schemas, write, read };
}

function described(schema: JsonSchema, about: string | undefined): JsonSchema {
  return about === undefined ? schema : { ...schema, description: about };
}
