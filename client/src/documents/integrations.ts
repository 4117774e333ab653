/** Reads integrations and their types. */

import type {
  Integration,
  IntegrationOperation,
  IntegrationOperationKind,
  IntegrationSetting,
  IntegrationState,
  IntegrationType,
} from "../model/integrations.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

const STATES: readonly IntegrationState[] = ["starting", "ready", "degraded", "failed", "stopped"];

export function readIntegration(data: unknown): Integration {
  const { id, type, name, enabled, state, reason, settings, secrets, nodes, setting } = isObject(data) ? data : {};
  return {
    id: textOf(id),
    type: textOf(type),
    name: textOf(name),
    enabled: booleanOf(enabled, false),
    state: STATES.find((known) => known === state) ?? "stopped",
    reason: textOf(reason),
    settings: isObject(settings) ? settings : {},
    secrets: Array.isArray(secrets) ? secrets.map((secret) => textOf(secret)) : [],
    nodes: numberOf(nodes),
    setting: textOrNull(setting),
  };
}

export function readIntegrationType({
  type,
  name,
  about,
  families,
  instancesMax,
  notifies,
  settings,
}: Json): IntegrationType {
  return {
    type: textOf(type),
    name: textOf(name),
    about: textOf(about),
    families: Array.isArray(families) ? families.map((family) => numberOf(family)) : [],
    instancesMax: numberOf(instancesMax),
    notifies: notifies === true,
    settings: readSettings(settings),
  };
}

export function readOperationKind({ kind, name, about, input }: Json): IntegrationOperationKind {
  return { kind: textOf(kind), name: textOf(name), about: textOf(about), input: readSettings(input) };
}

/** Null before the first one. */
export function readIntegrationOperation(data: unknown): IntegrationOperation | null {
  if (!isObject(data)) return null;
  const { id, kind, stage, question, address, percent, result, detail } = data;
  return {
    id: textOf(id),
    kind: textOf(kind),
    stage: textOf(stage),
    question: isObject(question)
      ? {
          kind: textOf(question.kind),
          data: isObject(question.data) ? question.data : {},
          answer: readSettings(question.answer),
        }
      : null,
    address: textOrNull(address),
    percent: typeof percent === "number" ? percent : null,
    result: isObject(result) ? result : {},
    detail: textOf(detail),
  };
}

export const readIntegrations = (data: unknown): readonly Integration[] => objectsOf(data).map(readIntegration);

function readSettings(schema: unknown): readonly IntegrationSetting[] {
  const { required, properties } = isObject(schema) ? schema : {};
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
