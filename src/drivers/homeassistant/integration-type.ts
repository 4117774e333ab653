/** Home Assistant as an integration. The driver is imported when the first one is made. */

import { readFile } from "node:fs/promises";
import { ControllerError } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import { shortText } from "../broker-settings.ts";
import type { IntegrationType } from "../integration-type.ts";

const PORT = 8123;
const ADDRESS = String.raw`^(https?|wss?)://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+)(:\d{1,5})?/?$`;

/** @param uuid of this controller, by which it knows its own devices there */
export function homeAssistantType(uuid: string): IntegrationType {
  return {
    type: "homeassistant",
    name: "Home Assistant",
    about: "The devices of a Home Assistant, which keeps its integrations: its entities are nodes here.",
    families: [PLUGINS.id],
    instancesMax: 1,
    settings: SETTINGS,
    async find(around) {
      const [found, isLocal] = await Promise.all([around.services("home-assistant"), around.isListening(PORT)]);
      const own = { label: "Home Assistant on this machine", settings: { url: `http://127.0.0.1:${PORT}` } };
      const others = found.map(({ name, host, port }) => ({
        label: name,
        settings: { url: `http://${host.replace(/\.$/, "")}:${port}` },
      }));
      return [...(isLocal ? [own] : []), ...others];
    },
    async create({ id, settings }) {
      const { url, token, label = "", secured = false, caFile = "" } = settings;
      const { HomeAssistantDriver } = await import("./homeassistant-driver.ts");
      const driver = new HomeAssistantDriver({
        ...{ name: id, url: String(url), token: String(token), label: String(label), secured: secured === true, uuid },
        ca: caFile === "" ? "" : await authorityIn(String(caFile)),
      });
      return { driver };
    },
  };
}

/** @throws ControllerError SETTINGS_REFUSED for a file that cannot be read */
async function authorityIn(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw new ControllerError("SETTINGS_REFUSED", "The file of the setting caFile cannot be read.");
  }
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["url", "token"],
  additionalProperties: false,
  properties: {
    url: {
      ...shortText("Home Assistant", "http://HOST:8123, or https:// with a certificate."),
      pattern: ADDRESS,
    },
    token: {
      ...shortText("Token", "A long-lived token: in Home Assistant under your name, Security, at the end of the page."),
      writeOnly: true,
      minLength: 1,
    },
    label: {
      ...shortText("Label", "Only entities with this label, or of a device or an area that has it; empty: all."),
      default: "",
    },
    secured: {
      type: "boolean",
      title: "Locks, garage doors, scripts",
      description: "Whether locks, doors of garages, sirens and scripts come too.",
      default: false,
    },
    caFile: shortText("Authority", "PEM file of the authority that signed its certificate."),
  },
};
