/** Checks the settings of an integration against the schema of its type, and takes the secrets out of them. */

import type { IntegrationSettings, IntegrationType } from "../drivers/integration-type.ts";
import type { SettingsSchema } from "../drivers/settings-schema.ts";
import { ControllerError } from "../errors.ts";
import { schemaViolation } from "../util/json-schema.ts";

/**
 * Settings with changes laid over them; null takes a setting back.
 * @throws ControllerError SETTINGS_REFUSED when the result does not fit the type.
 */
export function changedSettings(
  type: IntegrationType,
  before: IntegrationSettings,
  changes: IntegrationSettings,
): IntegrationSettings {
  const merged = { ...before, ...changes };
  const settings = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  const violation = settingsViolation(type.settings, settings) ?? type.check?.(withDefaults(type.settings, settings));
  if (violation) throw new ControllerError("SETTINGS_REFUSED", violation);
  return settings;
}

export function withDefaults({ properties }: SettingsSchema, settings: IntegrationSettings): IntegrationSettings {
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default] as const],
  );
  return { ...Object.fromEntries(defaults), ...settings };
}

export function secretNames({ properties }: SettingsSchema): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.writeOnly);
}

/** The error as a sentence; null when all settings are valid. @param shown the name of a setting in the sentence; default: its own */
export function settingsViolation(
  schema: SettingsSchema,
  settings: IntegrationSettings,
  shown = (name: string) => name,
): string | null {
  const missing = schema.required.find((name) => settings[name] === undefined);
  if (missing !== undefined) return `The setting ${missing} is missing. ${aboutOf(schema, missing)}`.trim();
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(schema.properties, name));
  if (unknown !== undefined) {
    return `There is no setting ${unknown}. The settings are ${Object.keys(schema.properties).join(", ")}.`;
  }
  const violation = schemaViolation(schema, settings);
  if (!violation) return null;
  const [name = "", ...inner] = violation.path;
  const place = inner.length === 0 ? shown(name) : `${shown(name)} (at ${inner.join("/")})`;
  return `The setting ${place} ${violation.rule}. ${aboutOf(schema, name)}`.trim();
}

function aboutOf({ properties }: SettingsSchema, name: string): string {
  return properties[name]?.description ?? "";
}
