/** An Insteon modem as an integration. The driver is imported when the first one is made. */

import { WIRED } from "../../families.ts";
import type { Clock } from "../../util/clock.ts";
import { fenceOfPort, type IntegrationSettings, type IntegrationType } from "../integration-type.ts";

/** A path of Linux or macOS, a port of Windows, or a serial port behind a network address. */
const PORT = String.raw`^(/[^\s\p{Cc}]+|COM\d{1,3}|tcp://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+):\d{1,5})$`;

/** A Hub 2245, which is asked by HTTP. */
const HUB = String.raw`^hub://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+)(:\d{1,5})?$`;
const HUB_PORT = "25105";
/** The port of a modem that is simulated inside the process. */
const SIMULATED = "simulated";

export function insteonType(clock: Clock): IntegrationType {
  return {
    type: "insteon",
    name: "Insteon",
    about: "A PowerLinc modem and the Insteon devices that are linked with it.",
    families: [WIRED.id],
    instancesMax: 1,
    settings: {
      type: "object",
      required: ["port"],
      additionalProperties: false,
      properties: {
        port: {
          type: "string",
          title: "Port",
          description: `A serial port such as /dev/ttyUSB0, tcp://HOST:PORT, hub://HOST for a Hub 2245, or ${SIMULATED} for devices to try things.`,
          pattern: `^${SIMULATED}$|${PORT}|${HUB}`,
        },
        user: { type: "string", title: "User", description: "Of a Hub; on its label.", maxLength: 100 },
        password: {
          type: "string",
          title: "Password",
          description: "Of a Hub; on its label.",
          maxLength: 100,
          writeOnly: true,
        },
      },
    },
    wanted: [
      { setting: "demoInsteon", settings: { port: SIMULATED } },
      { setting: "insteonPort", from: { port: "insteonPort" } },
    ],
    find: async (around) => around.ports().map(({ path, label }) => ({ label, settings: { port: path } })),
    claims: ({ port }) => [`port ${String(port)}`],
    async create({ id, settings }) {
      const port = String(settings.port);
      if (port === SIMULATED) {
        const { createDemoInsteon } = await import("./demo-insteon.ts");
        return { driver: createDemoInsteon({ name: id, clock }), fence: "local" };
      }
      const { InsteonDriver } = await import("./insteon-driver.ts");
      const driver = new InsteonDriver({ name: id, openPort: await openerOf(settings, clock) });
      return { driver, fence: fenceOfPort(port) };
    },
  };
}

/** Opens the line that the settings name. */
async function openerOf({ port, user = "", password = "" }: IntegrationSettings, clock: Clock) {
  const path = String(port);
  if (!path.startsWith("hub://")) {
    const { openModemPort } = await import("./line/modem-port.ts");
    return (signal: AbortSignal, onLost: (detail: string) => void) => openModemPort(path, signal, onLost);
  }
  const { openHub } = await import("./line/hub-port.ts");
  const url = new URL(path.replace(/^hub:/, "http:"));
  if (url.port === "") url.port = HUB_PORT;
  const access = { url, user: String(user), password: String(password) };
  return (signal: AbortSignal, onLost: (detail: string) => void) => openHub(access, clock, signal, onLost);
}
