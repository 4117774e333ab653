/**
 * Decides which records change at the start because of the settings of the controller. A setting has priority: it creates the record,
 * or writes its members into the existing one, and enables it. A record of a setting that is absent now is disabled,
 * never removed, so its nodes stay.
 */

import { isDeepStrictEqual } from "node:util";
import type { SettingName } from "../config.ts";
import type { IntegrationType } from "../drivers/integration-type.ts";
import { badValue } from "../errors.ts";
import type { Change } from "../home/change.ts";
import type { IntegrationRecord } from "../home/integrations.ts";
import { settingsViolation } from "./check-settings.ts";

export type ControllerSettings = Readonly<Record<SettingName | "twin", unknown>>;
type WantedIntegration = Pick<IntegrationRecord, "id" | "type" | "name" | "settings"> & {
  /** The setting of the controller that asks for it. */
  readonly setting: string;
};

/** @throws ControllerError BAD_VALUE naming the setting of the controller */
export function wantedBy(
  settings: ControllerSettings,
  types: readonly IntegrationType[],
): readonly WantedIntegration[] {
  const wanted = types.flatMap((type) => wantedOf(settings, type));
  for (const [at, { id, setting }] of wanted.entries()) {
    const other = wanted.slice(0, at).find((each) => each.id === id);
    if (other) throw badValue(`The settings ${other.setting} and ${setting} exclude each other: there is one ${id}.`);
  }
  return wanted;
}

function wantedOf(settings: ControllerSettings, type: IntegrationType): readonly WantedIntegration[] {
  const asked = (type.wanted ?? []).filter(({ setting }) => {
    const value = settings[setting];
    return typeof value === "string" ? value.trim() !== "" : value === true;
  });
  return asked.map(({ id = type.type, name = type.name, setting, from = {}, settings: implied = {} }) => {
    const given = Object.entries(from).map(([own, of]) => [own, valueFor(type, own, settings[of])] as const);
    const own = { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), ...implied };
    const missing = type.settings.required.find((each) => own[each] === undefined);
    if (missing) throw badValue(`The setting ${setting} needs another one: set ${from[missing] ?? missing}.`);
    const violation = settingsViolation(type.settings, own, (each) => from[each] ?? each);
    if (violation) throw badValue(violation);
    return { id, type: type.type, name, settings: own, setting };
  });
}

/** undefined: not given. Of a list of texts, the one that is meant, whatever its case. */
function valueFor({ settings: { properties } }: IntegrationType, name: string, given: unknown): unknown {
  if (typeof given !== "string") return given;
  const text = given.trim();
  const { enum: texts = [], default: usual } = properties[name] ?? {};
  if (text === "" && usual === undefined) return undefined;
  return texts.find((each) => String(each).toLowerCase() === text.toLowerCase()) ?? text;
}

export function reconcile(
  records: ReadonlyMap<string, IntegrationRecord>,
  wanted: readonly WantedIntegration[],
): readonly Change[] {
  const changes = wanted.flatMap((each) => changeFor(records.get(each.id), each));
  const wantedIds = new Set(wanted.map(({ id }) => id));
  for (const before of records.values()) {
    if (before.origin !== "settings" || !before.enabled || wantedIds.has(before.id)) continue;
    changes.push({ type: "integration-changed", integration: { ...before, enabled: false }, before });
  }
  return changes;
}

function changeFor(before: IntegrationRecord | undefined, wanted: WantedIntegration): Change[] {
  const { id, type, name, settings } = wanted;
  if (!before) {
    const integration = { id, type, name, settings, secrets: [], enabled: true, origin: "settings" } as const;
    return [{ type: "integration-added", integration }];
  }
  const stored = before.origin === "owner" ? before.settings : {};
  const integration = { ...before, settings: { ...stored, ...settings }, enabled: true };
  return isDeepStrictEqual(integration, before) ? [] : [{ type: "integration-changed", integration, before }];
}
