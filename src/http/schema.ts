/** JSON Schema 2020-12, as far as Domovoi's own schemas use it: it validates requests and is the OpenAPI document. */

import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { ControllerError } from "../errors.ts";

export type JsonSchema = {
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null" | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
};

const validators = new WeakMap<JsonSchema, Validator>();

/** @throws ControllerError BAD_BODY with the place and the rule that did not hold. */
export function checkBody(schema: JsonSchema, body: unknown): void {
  let validator = validators.get(schema);
  if (!validator) {
    validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], "2020-12", true);
    validators.set(schema, validator);
  }
  const result = validator.validate(body);
  if (result.valid) return;
  const last = result.errors.at(-1);
  const place = last?.instanceLocation === "#" ? "The body" : `The body at ${last?.instanceLocation.slice(1)}`;
  throw new ControllerError("BAD_BODY", {
    sentence: `${place} does not fit: ${last ? reasonOf(last) : "see the documentation"}`,
  });
}

/** The validator says of too many members that there are too few. */
function reasonOf({ keyword, error }: OutputUnit): string {
  return keyword === "maxProperties" ? error.replace(/^.*at least (\d+) .*$/, "It has more than $1 member(s).") : error;
}
