/** Operations of integrations, and the settings that a JSON Schema describes. */

import type { IntegrationOperation, IntegrationSetting } from "../model/integrations.ts";
import type { Routes } from "../model/routes.ts";
import { isObject, type Json, textOf } from "./json.ts";

/** Null before the first one. */
export function readOperation(
  data: Routes["GET /api/integrations/:id/operation"]["data"],
): IntegrationOperation | null {
  if (!data) return null;
  const { question } = data;
  return { ...data, question: question && { ...question, answer: readSettings(question.answer) } };
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
