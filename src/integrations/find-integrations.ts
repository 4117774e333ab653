/** What could be added: found in this machine and its network, and connected by no integration yet. */

import type { IntegrationSettings, IntegrationType } from "../drivers/integration-type.ts";
import type { Surroundings } from "../drivers/surroundings.ts";
import type { IntegrationRecord } from "../home/integrations.ts";
import { settingsViolation } from "./check-settings.ts";

/** Its label is as its maker calls it; its settings lack secrets. */
export type FoundIntegration = {
  readonly type: string;
  readonly label: string;
  readonly settings: IntegrationSettings;
};

const FOUND_MAX = 50;
const LABEL_CHARS_MAX = 100;

/** @param records those that there are when the search is over */
export async function findIntegrations(
  types: readonly IntegrationType[],
  surroundings: Surroundings,
  records: () => readonly IntegrationRecord[],
): Promise<readonly FoundIntegration[]> {
  const found = await Promise.all(types.map((type) => findOfType(type, surroundings, records)));
  return found.flat().slice(0, FOUND_MAX);
}

async function findOfType(
  type: IntegrationType,
  surroundings: Surroundings,
  records: () => readonly IntegrationRecord[],
): Promise<readonly FoundIntegration[]> {
  const found = (await type.find?.(surroundings)) ?? [];
  const present = records();
  if (present.filter((record) => record.type === type.type).length >= type.instancesMax) return [];
  const used = new Set(present.filter(({ enabled }) => enabled).map(({ settings }) => placeOf(settings)));
  // What the network says of itself fits the type, or is left out.
  const fits = found.filter(
    ({ settings }) => settingsViolation(type.settings, settings) === null && !used.has(placeOf(settings)),
  );
  return fits.map(({ label, settings }) => ({ type: type.type, label: label.slice(0, LABEL_CHARS_MAX), settings }));
}

/** A serial port fits several types, and serves one. */
function placeOf({ port, url }: IntegrationSettings): unknown {
  return port ?? url;
}
