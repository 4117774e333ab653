/**
 * The profile of a data directory without its drivers: the built-in definitions, and those that each integration
 * stored or would declare. A new type of integration with definitions of its own needs a line here.
 */

import { join } from "node:path";
import { demoDevices } from "../demo/demo-devices.ts";
import type { DriverHost, DriverStore } from "../drivers/driver.ts";
import type { IntegrationSettings } from "../drivers/integration-type.ts";
import { pluginRoot } from "../drivers/plugin/integration-type.ts";
import { readPluginProfile } from "../drivers/plugin/profile-files.ts";
import { allDevices } from "../drivers/virtual/integration-type.ts";
import { MODELS } from "../drivers/virtual/kinds.ts";
import { declareDefinitions } from "../drivers/virtual/units.ts";
import { familyOfNetwork } from "../drivers/zwave/addresses.ts";
import { Shapes } from "../drivers/zwave/stored-shapes.ts";
import { PLUGINS } from "../families.ts";
import type { Home } from "../home/home.ts";
import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import { Profile } from "../profile/profile.ts";
import { declareReceivedProfile } from "../twin/received-profile.ts";
import type { Log } from "../util/log.ts";

export type Stored = {
  /** The data directory. */
  readonly data: string;
  readonly log: Log;
  driverStore(id: string): DriverStore;
  readonly receivedDocuments: Parameters<typeof declareReceivedProfile>[1];
};

type Declare = (
  settings: IntegrationSettings,
  host: Pick<DriverHost, "define" | "store" | "log">,
  data: string,
) => unknown;

const DECLARE: Readonly<Record<string, Declare>> = {
  virtual(settings, host) {
    const devices = allDevices(settings, demoDevices);
    declareDefinitions(
      devices.map(({ address, kind }) => ({ address, model: MODELS[kind] })),
      host,
    );
  },
  zwave: (settings, host) => new Shapes(host, familyOfNetwork(settings)),
  async plugin({ slot, folder }, host, data) {
    const { definitions } = await readPluginProfile(join(pluginRoot(data), String(folder)));
    host.define(PLUGINS.id, Number(slot), definitions, false);
  },
};

/** @param home as it is now. */
export async function storedProfile(
  home: Home,
  { data, log, driverStore, receivedDocuments }: Stored,
): Promise<Profile> {
  const profile = new Profile();
  if (receivedDocuments.names().length > 0) declareReceivedProfile(profile, receivedDocuments);
  else declareBuiltinProfile(profile);
  for (const { id, type, settings } of home.integrations.values()) {
    const define: DriverHost["define"] = (family, instance, definitions, dynamic) =>
      profile.declare(family, instance, definitions, dynamic, id);
    await DECLARE[type]?.(settings, { define, store: driverStore(id), log }, data);
  }
  return profile;
}
