/** The Matter controller as an integration. Its library is imported when it starts, in its thread, and may not be installed. */

import { join } from "node:path";
import type { Config } from "../../config.ts";
import type { IntegrationType } from "../integration-type.ts";

const FAMILY = 15;

/** @param homeName devices show it as the name of their controller */
export function matterType({ data }: Pick<Config, "data">, homeName: () => string): IntegrationType {
  return {
    type: "matter",
    name: "Matter",
    about: "Devices of other makers that speak Matter, after a phone has added and shared them.",
    families: [FAMILY],
    instancesMax: 1,
    settings: SETTINGS,
    wanted: [{ setting: "matterController", from: { networkInterface: "matterInterface" } }],
    async create({ id, settings: { networkInterface, lockCode = "" } }) {
      const { MatterDriver } = await import("./matter-driver.ts");
      const driver = new MatterDriver({
        ...{ name: id, storage: join(data, "matter"), homeName: homeName(), lockCode: String(lockCode) },
        networkInterface: networkInterface === undefined ? null : String(networkInterface),
      });
      return { driver };
    },
  };
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    networkInterface: {
      ...{ type: "string", maxLength: 50, pattern: "^[A-Za-z0-9_.:@-]+$" },
      title: "Network interface",
      description: "Name of the only network interface on which devices are looked for, such as eth0. Empty: all.",
    },
    lockCode: {
      ...{ type: "string", maxLength: 20, pattern: "^\\d*$", writeOnly: true },
      title: "Lock code",
      description: "Code that is sent with commands to locks which require one. It must be a code of the lock.",
    },
  },
};
