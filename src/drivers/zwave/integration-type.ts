/** A Z-Wave adapter as an integration. The driver, and the library behind it, are imported when the first one is made. */

import type { Config } from "../../config.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { fenceOfPort, type IntegrationSettings, type IntegrationType } from "../integration-type.ts";
import { familyOfNetwork, NETWORKS } from "./addresses.ts";

type AdapterConfig = Pick<
  Config,
  Extract<keyof Config, `zwave${string}`> | "data" | "backupHour" | "backupPassphraseFile"
>;

/** The port of an adapter that is simulated inside the process. */
const SIMULATED = "simulated";
/** A path of Linux or macOS, a port of Windows, or a serial port behind a network address. */
const PORT = String.raw`^(/[^\s\p{Cc}]+|COM\d{1,3}|tcp://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+):\d{1,5})$`;
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

export function zwaveType(config: AdapterConfig, log: Log, clock: Clock): IntegrationType {
  return {
    type: "zwave",
    name: "Z-Wave",
    about: "A Z-Wave adapter and the devices of its network.",
    families: Object.values(NETWORKS),
    instancesMax: Object.keys(NETWORKS).length,
    settings: SETTINGS,
    wanted: [
      { setting: "demoRadio", settings: { port: SIMULATED, network: "first" } },
      { setting: "zwavePort", from: { port: "zwavePort", region: "zwaveRegion" }, settings: { network: "first" } },
      {
        id: "zwave2",
        name: "Z-Wave 2",
        setting: "zwave2Port",
        settings: { network: "second" },
        from: { port: "zwave2Port", region: "zwaveRegion" },
      },
    ],
    async find(around) {
      const servers = await around.services("zwave");
      return [
        ...around.ports().map(({ path, label }) => ({ label, settings: { port: path } })),
        ...servers.map(({ name, host, port }) => ({ label: name, settings: { port: `tcp://${host}:${port}` } })),
      ];
    },
    claims: ({ port, network }) => [`port ${String(port)}`, `${String(network)} network`],
    create: async ({ id, settings }) => ({
      driver: await createDriver(id, settings, { config, log, clock }),
      fence: fenceOfPort(String(settings.port)),
    }),
  };
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["port"],
  additionalProperties: false,
  properties: {
    port: {
      type: "string",
      title: "Port",
      description: `A serial port such as /dev/ttyACM0, tcp://HOST:PORT, or ${SIMULATED} for a network to try things.`,
      pattern: `^${SIMULATED}$|${PORT}`,
    },
    network: {
      type: "string",
      title: "Network",
      description: "first: addresses begin with ZW; second: with ZY. Each can be used once.",
      enum: Object.keys(NETWORKS),
      default: "first",
    },
    region: {
      type: "string",
      title: "Region",
      description: "Region to set in the adapter. Default: unchanged.",
      enum: Object.keys(REGIONS),
    },
  },
};

type Surroundings = { readonly config: AdapterConfig; readonly log: Log; readonly clock: Clock };

async function createDriver(id: string, settings: IntegrationSettings, { config, log, clock }: Surroundings) {
  const { data, backupHour, backupPassphraseFile } = config;
  const port = String(settings.port);
  const family = familyOfNetwork(settings);
  if (port === SIMULATED) {
    return (await import("./demo-radio.ts")).createDemoRadio({
      name: id,
      family,
      dir: data,
      log,
      clock,
    });
  }
  if (backupHour >= 0 && backupPassphraseFile === "") {
    log.warn("Nightly backups are open and lack the radio's keys; the setting backupPassphraseFile makes them whole.");
  }
  const { createZWaveDriver } = await import("./zwave-driver.ts");
  const region = REGIONS[String(settings.region)] ?? null;
  return createZWaveDriver({ name: id, family, dir: data, region, limits: config, openPort: () => port });
}
