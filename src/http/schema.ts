/** JSON Schema 2020-12, as far as Domovoi's own schemas use it: it validates requests and is the OpenAPI document. */

import { ControllerError } from "../errors.ts";
import { schemaViolation } from "../util/json-schema.ts";

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

/** @throws ControllerError BAD_BODY with the place and the rule that did not hold. */
export function checkBody(schema: JsonSchema, body: unknown): void {
  const violation = schemaViolation(schema, body);
  if (!violation) return;
  const { path, rule } = violation;
  const place = path.length === 0 ? "The body" : `The body at /${path.join("/")}`;
  throw new ControllerError("BAD_BODY", { sentence: `${place} does not fit: ${rule}` });
}
