/** The OpenAPI document against what really comes: where an answer holds something else than the document says. */

import { Validator } from "@cfworker/json-schema";
import type { Answer } from "./https-client.ts";

type Schema = Readonly<Record<string, unknown>>;
type Operation = {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema?: Schema }>> }>>;
};
export type OpenApi = {
  readonly openapi: string;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/**
 * Members that the document does not name count as misfits too, although it allows them.
 *
 * @returns sentences, none for an answer that fits; none for a path outside `/api`, which the document is not about.
 */
export function misfits(document: OpenApi, method: string, target: string, answer: Answer): readonly string[] {
  const [path = ""] = target.split("?");
  if (!path.startsWith("/api/")) return [];
  const operation = operationsAt(document, path).find((operations) => method.toLowerCase() in operations);
  const responses = operation?.[method.toLowerCase()]?.responses;
  const content = (responses?.[answer.status] ?? responses?.default)?.content;
  const [type] = Object.keys(content ?? {});
  if (!content || !type) return [`The document has no ${method} ${path}.`];
  if (!String(answer.headers["content-type"]).startsWith(type)) return [`It is ${answer.headers["content-type"]}.`];
  const { schema } = content[type] ?? {};
  if (!schema) return [];
  const whole = { ...closed(schema), components: closed(document.components) };
  return new Validator(whole, "2020-12", false)
    .validate(JSON.parse(answer.text))
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** Paths without parameters go before those with. */
function operationsAt({ paths }: OpenApi, path: string): readonly Readonly<Record<string, Operation>>[] {
  const fits = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return Object.keys(paths)
    .filter(fits)
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .map((template) => paths[template] ?? {});
}

/** Objects whose members are described hold no others. */
export function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isOpen = "properties" in members && !("additionalProperties" in members) && members.type === "object";
  return (isOpen ? { ...members, additionalProperties: false } : members) as T;
}
