/** Checks a value against a JSON Schema 2020-12. */

import { type OutputUnit, Validator } from "@cfworker/json-schema";

/** Where the first mistake is, as names from the outside in, and the rule that does not hold. */
export type SchemaViolation = { readonly path: readonly string[]; readonly rule: string };

const validators = new WeakMap<object, Validator>();

export function schemaViolation(schema: object, value: unknown): SchemaViolation | null {
  let validator = validators.get(schema);
  if (!validator) {
    validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], "2020-12", true);
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(value);
  if (valid) return null;
  const last = errors.at(-1);
  return { path: (last?.instanceLocation ?? "").split("/").slice(1), rule: last ? ruleOf(last) : "" };
}

/** The validator reports too many members as too few. */
function ruleOf({ keyword, error }: OutputUnit): string {
  return keyword === "maxProperties" ? error.replace(/^.*at least (\d+) .*$/, "It has more than $1 member(s).") : error;
}
