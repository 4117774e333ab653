/** A message broker as an integration: its Zigbee devices. The driver is imported when the first one is made. */

import { readFile } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { badValue, ControllerError } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import type { IntegrationType, WantedIntegration } from "../integration-type.ts";

type MqttConfig = Pick<
  Config,
  | ("mqttUrl" | "mqttUser" | "mqttPasswordFile" | "mqttCaFile" | "zigbee2mqttTopic")
  | ("mqttMessageBytesMax" | "zigbeeDevicesMax" | "mqttDiscovery" | "mqttDiscoveryPrefix" | "mqttEntitiesMax")
>;

const URL_FORM = String.raw`^mqtts?://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+)(:\d{1,5})?$`;
const ZIGBEE_FAMILY = 14;

export function mqttType(
  limits: Pick<MqttConfig, "mqttMessageBytesMax" | "mqttEntitiesMax" | "zigbeeDevicesMax">,
  uuid: string,
): IntegrationType {
  return {
    type: "mqtt",
    name: "MQTT",
    about: "A message broker: the Zigbee devices of Zigbee2MQTT on it, and devices that announce themselves.",
    families: [ZIGBEE_FAMILY, PLUGINS.id],
    instancesMax: 1,
    settings: SETTINGS,
    claims: () => ["Zigbee addresses"],
    async create({ id, settings }) {
      const { url, user = "", password = "", passwordFile = "", caFile = "", zigbee2mqttTopic = "" } = settings;
      const { discovery = false, discoveryPrefix = "" } = settings;
      const { MqttDriver } = await import("./mqtt-driver.ts");
      const driver = new MqttDriver({
        name: id,
        url: String(url),
        user: String(user),
        password: passwordFile === "" ? String(password) : (await textOf(passwordFile, "passwordFile")).trim(),
        ca: caFile === "" ? "" : await textOf(caFile, "caFile"),
        base: String(zigbee2mqttTopic),
        discoveryPrefix: discovery === true ? String(discoveryPrefix) : "",
        uuid,
        limits,
      });
      return { driver };
    },
  };
}

/** @throws ControllerError BAD_VALUE for an address that is no broker's. */
export function wantedMqtt(config: MqttConfig): readonly WantedIntegration[] {
  const url = config.mqttUrl.trim();
  if (url === "") return [];
  if (!new RegExp(URL_FORM, "u").test(url)) {
    throw badValue("The setting mqttUrl is the address of a broker: mqtt://HOST:1883 or mqtts://HOST:8883.");
  }
  const { mqttUser: user, mqttPasswordFile: passwordFile, mqttCaFile: caFile, zigbee2mqttTopic } = config;
  const given = Object.entries({ user, passwordFile, caFile }).filter(([, value]) => value !== "");
  const { mqttDiscovery: discovery, mqttDiscoveryPrefix: discoveryPrefix } = config;
  const settings = { url, ...Object.fromEntries(given), zigbee2mqttTopic, discovery, discoveryPrefix };
  return [{ id: "mqtt", type: "mqtt", name: "MQTT", setting: "mqttUrl", settings }];
}

async function textOf(path: unknown, setting: string): Promise<string> {
  try {
    return await readFile(String(path), "utf8");
  } catch {
    throw new ControllerError("SETTINGS_REFUSED", `The file of the setting ${setting} cannot be read.`);
  }
}

const text = (title: string, description: string) => ({ type: "string", title, description, maxLength: 300 }) as const;

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["url"],
  additionalProperties: false,
  properties: {
    url: { ...text("Broker", "mqtt://HOST:1883, or mqtts://HOST:8883 with a certificate."), pattern: URL_FORM },
    user: text("User", "Where the broker asks for one."),
    password: { ...text("Password", "Where the broker asks for one."), writeOnly: true },
    passwordFile: text("Password file", "A file on the controller's machine that holds the password instead."),
    caFile: text("Authority", "PEM file of the authority that signed the broker's certificate."),
    zigbee2mqttTopic: {
      ...text("Zigbee2MQTT", "Base topic of Zigbee2MQTT; empty: none."),
      default: "zigbee2mqtt",
    },
    discovery: {
      type: "boolean",
      title: "Discovery",
      description: "Whether devices that announce themselves the way of Home Assistant are taken.",
      default: true,
    },
    discoveryPrefix: {
      ...text("Discovery prefix", "What the topics of announcements begin with."),
      default: "homeassistant",
    },
  },
};
