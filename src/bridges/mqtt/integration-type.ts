/** The announcements of the home on a message broker, as an integration. The bridge is imported when the first one is made. */

import { readFile } from "node:fs/promises";
import type { CommandPorts } from "../../commands/ports.ts";
import type { Config } from "../../config.ts";
import type { IntegrationType, WantedIntegration } from "../../drivers/integration-type.ts";
import { badValue, ControllerError } from "../../errors.ts";
import { productVersion } from "../../version.ts";

const ACCESS = ["none", "guest", "user"] as const;
const URL_FORM = String.raw`^mqtts?://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+)(:\d{1,5})?$`;
const TOPIC_FORM = "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$";

export function announceType(ports: CommandPorts): IntegrationType {
  return {
    type: "announce",
    name: "MQTT announcements",
    about: "Shows the nodes of the home on a message broker, announced the way of Home Assistant.",
    families: [],
    instancesMax: 1,
    settings: SETTINGS,
    async create({ id, settings }) {
      const { user = "", password = "", passwordFile = "", caFile = "" } = settings;
      const { MqttBridge } = await import("./mqtt-bridge.ts");
      const bridge = new MqttBridge(ports, {
        name: id,
        url: String(settings.url),
        user: String(user),
        password: passwordFile === "" ? String(password) : (await textOf(passwordFile, "passwordFile")).trim(),
        ca: caFile === "" ? "" : await textOf(caFile, "caFile"),
        base: String(settings.baseTopic),
        discoveryPrefix: String(settings.discoveryPrefix),
        access: ACCESS.find((each) => each === settings.access) ?? "none",
        secured: settings.secured === true,
        version: productVersion,
      });
      return { bridge };
    },
  };
}

/** @throws ControllerError BAD_VALUE for an account that there is not, or without a broker. */
export function wantedAnnouncements(config: Config): readonly WantedIntegration[] {
  const { mqttUrl: url, mqttUser: user, mqttPasswordFile: passwordFile, mqttCaFile: caFile } = config;
  const { mqttAnnounce: access, mqttAnnounceSecured: secured, mqttBaseTopic: baseTopic } = config;
  if (access === "") return [];
  if (!ACCESS.some((each) => each === access)) throw badValue("The setting mqttAnnounce is none, guest or user.");
  if (url.trim() === "") throw badValue("The setting mqttAnnounce needs a broker: set mqttUrl.");
  const given = Object.fromEntries(Object.entries({ user, passwordFile, caFile }).filter(([, value]) => value !== ""));
  const settings = {
    url: url.trim(),
    ...given,
    access,
    secured,
    baseTopic,
    discoveryPrefix: config.mqttDiscoveryPrefix,
  };
  return [{ id: "announce", type: "announce", name: "MQTT announcements", setting: "mqttAnnounce", settings }];
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
    access: {
      type: "string",
      title: "Access",
      description: "Whose rights commands from the broker have: none are taken, or those of a guest or a user.",
      enum: ACCESS,
      default: "none",
    },
    secured: {
      type: "boolean",
      title: "Locks and alarms",
      description: "Whether locks, garage doors, sirens and alarms are announced. Only a user can command them.",
      default: false,
    },
    baseTopic: {
      ...text("Base topic", "What the topics of values begin with."),
      pattern: TOPIC_FORM,
      default: "domovoi",
    },
    discoveryPrefix: {
      ...text("Discovery prefix", "What the topics of announcements begin with."),
      default: "homeassistant",
    },
  },
};
