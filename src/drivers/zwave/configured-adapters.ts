/** The adapters that the settings name, as drivers: the first serves family 4, the second family 12. */

import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import type { RadioFamily } from "./addresses.ts";
import { createZWaveDriver, type ZWaveDriver } from "./zwave-driver.ts";

type AdapterConfig = Pick<
  Config,
  | "zwavePort"
  | "zwave2Port"
  | "zwaveRegion"
  | "zwaveDevicesAtOnce"
  | "zwaveSleeperQueueMax"
  | "zwaveInclusionWaitMs"
  | "zwaveDeadPingMaxMs"
  | "zwaveSleeperKeepMs"
  | "data"
>;

/** @throws ControllerError BAD_VALUE for a port that is neither a path nor `tcp://HOST:PORT`, and for a region that there is not. */
export function configuredAdapters(config: AdapterConfig): readonly ZWaveDriver[] {
  const adapters: readonly (readonly ["zwavePort" | "zwave2Port", string, RadioFamily])[] = [
    ["zwavePort", "zwave", 4],
    ["zwave2Port", "zwave2", 12],
  ];
  return adapters.flatMap(([setting, name, family]) => {
    const port = config[setting].trim();
    if (port === "") return [];
    if (!PORT.test(port)) throw badPort(setting);
    const region = regionOf(config.zwaveRegion.trim());
    return [createZWaveDriver({ name, family, dir: config.data, region, limits: config, openPort: () => port })];
  });
}

/** By the numbers of the serial protocol. */
const REGIONS: Readonly<Record<string, number>> = {
  Europe: 0,
  USA: 1,
  "Australia/New Zealand": 2,
  "Hong Kong": 3,
  India: 5,
  Israel: 6,
  Russia: 7,
  China: 8,
  "USA (Long Range)": 9,
  "Europe (Long Range)": 11,
  Japan: 32,
  Korea: 33,
};

function regionOf(wanted: string): number | null {
  if (wanted === "") return null;
  const region = Object.entries(REGIONS).find(([name]) => name.toLowerCase() === wanted.toLowerCase());
  if (region) return region[1];
  throw new ControllerError("BAD_VALUE", {
    sentence: `The setting zwaveRegion is one of: ${Object.keys(REGIONS).join(", ")}.`,
  });
}

/** A path of Linux or macOS, a port of Windows, or a serial port behind a network address. */
const PORT = /^(\/[^\s\p{Cc}]+|COM\d{1,3}|tcp:\/\/(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.-]+):\d{1,5})$/u;

function badPort(setting: string): ControllerError {
  return new ControllerError("BAD_VALUE", {
    sentence: `The setting ${setting} is the path of a serial port, such as /dev/ttyACM0, or tcp://HOST:PORT.`,
  });
}
