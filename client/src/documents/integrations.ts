/** Operations of integrations, and the settings that a JSON Schema describes. */

import { ClientError } from "../errors.ts";
import type { IntegrationOperation, IntegrationSetting, OperationStep } from "../model/integrations.ts";
import type { Routes } from "../model/routes.ts";
import { isObject, type Json, textOf } from "./json.ts";
import { childOf, childText, type XmlElement } from "./xml.ts";

type Operation = Routes["GET /api/integrations/:id/operation"]["data"];

/** Null before the first one. */
export function readOperation(data: Operation): IntegrationOperation | null {
  if (!data) return null;
  const { question } = data;
  return { ...data, question: question && { ...question, answer: readSettings(question.answer) } };
}

/** The answer of a begin. @throws ClientError `BAD_DOCUMENT` without an operation */
export function begunOperation(data: Operation): IntegrationOperation {
  const operation = readOperation(data);
  if (operation) return operation;
  throw new ClientError("BAD_DOCUMENT", "The controller began the operation and returned no state of it.");
}

/** `<operation …>` in the frame of an event; null without one. @param node of the frame */
export function readStep(info: XmlElement | null, node: string): OperationStep | null {
  const element = childOf(info, "operation");
  if (!element) return null;
  const { id = "", kind = "", stage = "", percent, ...result } = element.attributes;
  const question = element.children.find(({ name }) => name !== "detail");
  return {
    ...{ id, kind, stage, result, address: node || null },
    question: question ? { kind: question.name, data: { ...question.attributes, ...listsIn(question) } } : null,
    percent: percent === undefined ? null : Number(percent),
    detail: childText(element, "detail"),
  };
}

/** The texts of all children of a name. */
function listsIn({ children }: XmlElement): Readonly<Record<string, readonly string[]>> {
  const lists = Object.groupBy(children, ({ name }) => name);
  return Object.fromEntries(Object.entries(lists).map(([name, each = []]) => [name, each.map(({ text }) => text)]));
}

export function readSettings({ required, properties }: Json): readonly IntegrationSetting[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, each]) =>
    readSetting(name, isObject(each) ? each : {}, needed.includes(name)),
  );
}

function readSetting(name: string, schema: Json, isRequired: boolean): IntegrationSetting {
  return {
    name,
    title: textOf(schema.title, name),
    description: textOf(schema.description),
    type: textOf(schema.type),
    isRequired,
    isSecret: schema.writeOnly === true,
    schema,
  };
}
