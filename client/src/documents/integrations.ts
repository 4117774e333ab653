/** Reads integrations and their types. */

import type { Integration, IntegrationSetting, IntegrationState, IntegrationType } from "../model/integrations.ts";
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

export function readIntegrationType({ type, name, about, families, instancesMax, settings }: Json): IntegrationType {
  const { required, properties } = isObject(settings) ? settings : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return {
    type: textOf(type),
    name: textOf(name),
    about: textOf(about),
    families: Array.isArray(families) ? families.map((family) => numberOf(family)) : [],
    instancesMax: numberOf(instancesMax),
    settings: Object.entries(isObject(properties) ? properties : {}).map(([key, schema]) =>
      readSetting(key, isObject(schema) ? schema : {}, needed.includes(key)),
    ),
  };
}

export const readIntegrations = (data: unknown): readonly Integration[] => objectsOf(data).map(readIntegration);

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
