/** The bulbs as a type of integration. Its driver is loaded when the first integration of the type is made. */

import { connect } from "node:net";
import type { IntegrationType } from "../../src/drivers/integration-type.ts";

export const bulbType: IntegrationType = {
  type: "bulbs",
  name: "Bulbs",
  about: "Bulbs behind a bridge that speaks lines over TCP.",
  families: [50],
  instancesMax: 1,
  settings: {
    type: "object",
    required: ["host", "port"],
    properties: {
      host: { type: "string", title: "Host", description: "Of the bridge, for example 192.168.1.20.", maxLength: 255 },
      port: { type: "integer", title: "Port", description: "TCP port of the bridge.", minimum: 1, maximum: 65_535 },
    },
    additionalProperties: false,
  },
  async create({ id, settings }) {
    const { BulbDriver } = await import("./bulb-driver.ts");
    return {
      driver: new BulbDriver(id, () => connect({ host: String(settings.host), port: Number(settings.port) })),
    };
  },
};
