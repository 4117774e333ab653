/** A replay of a data directory, from the recording to the result; the service may run meanwhile. */

import { join } from "node:path";
import type { Config } from "../config.ts";
import { demoDevices } from "../demo/demo-devices.ts";
import type { DriverHost } from "../drivers/driver.ts";
import type { IntegrationSettings } from "../drivers/integration-type.ts";
import { pluginRoot } from "../drivers/plugin/integration-type.ts";
import { readPluginProfile } from "../drivers/plugin/profile-files.ts";
import type { ServiceStore } from "../drivers/service.ts";
import { allDevices } from "../drivers/virtual/integration-type.ts";
import { MODELS } from "../drivers/virtual/kinds.ts";
import { declareDefinitions } from "../drivers/virtual/units.ts";
import { familyOfNetwork } from "../drivers/zwave/addresses.ts";
import { Shapes } from "../drivers/zwave/stored-shapes.ts";
import { PLUGINS } from "../families.ts";
import type { Home } from "../home/home.ts";
import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import { Profile } from "../profile/profile.ts";
import { replay } from "../replay/replay.ts";
import { type ReplayResult, replayResult } from "../replay/replay-result.ts";
import { type ProgramChange, revisedProgram } from "../replay/revision.ts";
import { openRecording } from "../store/recording/open-recording.ts";
import { declareReceivedProfile } from "../twin/received-profile.ts";
import { createLog, type Log } from "../util/log.ts";

type ReplayOfDirectory = {
  readonly config: Config;
  readonly fromMs: number;
  readonly untilMs: number;
  /** @param present the home as it is now. @returns null: the programs as they were. */
  readonly changes: (present: Home, profile: Profile) => readonly ProgramChange[] | null;
  readonly rowsMax: number;
  readonly onProgress?: (progress: number) => void;
};

/** @throws ControllerError BAD_VALUE when there is no home or no journal of that time; what `changes` throws. */
export async function runReplay(order: ReplayOfDirectory): Promise<ReplayResult> {
  const { config, fromMs, untilMs, changes, rowsMax, onProgress } = order;
  using recording = openRecording(config.data, fromMs, untilMs);
  const log = createLog("silent");
  const present = recording.present();
  const profile = await storedProfile(present, { ...recording, data: config.data, log });
  const changed = changes(present, profile);
  const revise = changed && ((home: Home) => changed.map((change) => revisedProgram(home, change)));
  const ports = { profile, config, log, ...(onProgress && { onProgress }) };
  return replayResult(replay(ports, recording, revise), profile, rowsMax);
}

/**
 * The profile of a data directory without its drivers: the built-in definitions, and those that each integration
 * stored or would declare. A new type of integration with definitions of its own needs a line here.
 */
type Stored = {
  /** The data directory. */
  readonly data: string;
  readonly log: Log;
  driverStore(id: string): ServiceStore;
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
