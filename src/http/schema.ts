/**
 * JSON Schema 2020-12, as far as Domovoi's own schemas use it. A schema is the one definition of a body: it validates requests, is
 * the OpenAPI document, and `Fits` makes the TypeScript type of it.
 */

import { ControllerError } from "../errors.ts";
import { schemaViolation } from "../util/json-schema.ts";

type TypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

export type JsonSchema = {
  readonly type?: TypeName | readonly TypeName[];
  /** Name of an object's type in the client library. */
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly writeOnly?: boolean;
};

type Members = Readonly<Record<string, JsonSchema>>;
type None = Readonly<Record<never, JsonSchema>>;
type Rest = Omit<JsonSchema, "type" | "properties" | "required" | "items" | "enum" | "const" | "anyOf">;

type ObjectSchema<R extends Members, O extends Members> = {
  readonly type: "object";
  readonly required: readonly (keyof R & string)[];
  readonly properties: R & O;
};

type ListSchema<S, X> = { readonly type: "array"; readonly items: S } & X;

/** An object with these members, and perhaps those that are optional. */
export function object<const R extends Members, const O extends Members = None, const X extends Rest = None>(
  members: R,
  { optional, ...rest }: X & { readonly optional?: O } = {} as X,
): ObjectSchema<R, O> & Omit<NoInfer<X>, "optional"> {
  const schema = { type: "object", required: Object.keys(members), properties: { ...members, ...optional }, ...rest };
  return schema as unknown as ObjectSchema<R, O> & Omit<X, "optional">;
}

/** A JSON Schema as a value, such as that of an integration's settings. */
export function schemaDocument<const D extends string>(description: D) {
  return { type: "object", additionalProperties: { description: "A keyword of JSON Schema." }, description } as const;
}

/** An object of which every member is optional. */
export function partial<const O extends Members, const X extends Rest = None>(
  optional: O,
  rest: X = {} as X,
): ObjectSchema<None, O> & NoInfer<X> {
  return { type: "object", required: [], properties: optional, ...rest };
}

export function list<const S extends JsonSchema, const X extends Rest = None>(
  items: S,
  rest: X = {} as X,
): ListSchema<S, NoInfer<X>> {
  return { type: "array", items, ...rest } as ListSchema<S, X>;
}

export function text<const D extends string>(description: D) {
  return { type: "string", description } as const;
}

export function integer(minimum: number, maximum: number, description: string) {
  return { type: "integer", minimum, maximum, description } as const;
}

export function textOrNull<const D extends string>(description: D) {
  return { type: ["string", "null"], description } as const;
}

export const time = text("ISO 8601 in UTC.");

/** A text of at least one character, none of them a control character. */
export function line(maxLength: number) {
  return { type: "string", minLength: 1, maxLength, pattern: "^\\P{Cc}*$" } as const;
}

export function orNull<const S extends { readonly type: TypeName }, const X extends Rest = None>(
  schema: S,
  rest: X = {} as X,
): Omit<S, "type"> & NoInfer<X> & { readonly type: readonly [S["type"], "null"] } {
  return { ...schema, ...rest, type: [schema.type, "null"] };
}

/** The type of what fits a schema. */
export type Fits<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer A)[] }
      ? FitsAny<A>
      : S extends { readonly type: readonly (infer T)[] }
        ? FitsType<T, S>
        : S extends { readonly type: infer T }
          ? FitsType<T, S>
          : unknown;

type FitsAny<A> = A extends unknown ? Fits<A> : never;

type FitsType<T, S> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "array"
        ? readonly (S extends { readonly items: infer I } ? Fits<I> : unknown)[]
        : T extends "object"
          ? FitsObject<S>
          : null;

type FitsObject<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P & RequiredOf<S>]: Fits<P[K]> } & {
      readonly [K in Exclude<keyof P, RequiredOf<S>>]?: Fits<P[K]>;
    }
  : Readonly<Record<string, S extends { readonly additionalProperties: infer V extends object } ? Fits<V> : unknown>>;

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

/** @throws ControllerError BAD_BODY with the place and the rule that did not hold. */
export function checkBody(schema: JsonSchema, body: unknown): void {
  const violation = schemaViolation(schema, body);
  if (!violation) return;
  const { path, rule } = violation;
  const place = path.length === 0 ? "The body" : `"${path.join("/")}"`;
  throw new ControllerError("BAD_BODY", `${place} ${rule}.`);
}

/** The body of a request, as the schema of its route has it: it was checked before the handler was called. */
export function bodyOf<S extends JsonSchema>({ body }: { readonly body: unknown }, _schema: S): Fits<S> {
  return body as Fits<S>;
}
