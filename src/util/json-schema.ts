/** Checks a value against a JSON Schema 2020-12. */

import { type OutputUnit, Validator } from "@cfworker/json-schema";

/** Where the first mistake is, as names from the outside in, and what has to be so there: `must be at most 9`. */
type SchemaViolation = { readonly path: readonly string[]; readonly rule: string };

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

/** By keyword, with the limit that the validator names last; its own sentences speak of instances and of subschemas. */
const RULES: Readonly<Record<string, (limit: string, error: string) => string>> = {
  type: (_limit, error) => `must be of type ${quotedIn(error).slice(1).join(" or ")}`,
  enum: (_limit, error) => `must be one of ${error.replace(/^.*any of \[|\]\.$|"/g, "").replaceAll(",", ", ")}`,
  const: (_limit, error) => `must be ${error.replace(/^.*match |\.$|"/g, "")}`,
  required: (_limit, error) => `needs the member "${quotedIn(error).join("")}"`,
  false: () => "is not known here",
  pattern: () => "does not have the form that it needs",
  anyOf: () => "does not have the form that it needs",
  minLength: (limit) => (limit === "1" ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minProperties: (limit) => (limit === "1" ? "must not be empty" : `must have at least ${limit} members`),
  maxProperties: (limit) => `must have at most ${limit} ${limit === "1" ? "member" : "members"}`,
  maxItems: (limit) => `must have at most ${limit} entries`,
};

function ruleOf({ keyword, error }: OutputUnit): string {
  const limit = error.match(/-?\d+(?:\.\d+)?(?=\D*$)/)?.[0] ?? "";
  return RULES[keyword]?.(limit, error) ?? `is not as described: ${error.replace(/\.$/, "")}`;
}

function quotedIn(error: string): readonly string[] {
  return [...error.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);
}
