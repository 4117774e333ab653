/** The announcements of the home on a message broker, as an integration. The bridge is imported when the first one is made. */

import type { CommandPorts } from "../../commands/ports.ts";
import type { Config } from "../../config.ts";
import { BROKER_SETTINGS, brokerOf, shortText, wantedBroker } from "../../drivers/broker-settings.ts";
import type { IntegrationType, WantedIntegration } from "../../drivers/integration-type.ts";
import { badValue } from "../../errors.ts";
import type { Home } from "../../home/home.ts";
import { productVersion } from "../../version.ts";
import { accessOf, shownOf, shownSettings } from "../shown-nodes.ts";

const NODES_MAX = 1000;
const BASE_TOPIC = "domovoi";
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
      const { MqttBridge } = await import("./mqtt-bridge.ts");
      const bridge = new MqttBridge(ports, {
        name: id,
        ...(await brokerOf(settings)),
        base: String(settings.baseTopic),
        discoveryPrefix: String(settings.discoveryPrefix),
        ...shownOf(settings),
        version: productVersion,
      });
      return { bridge };
    },
  };
}

/** What the topics of the announcements begin with. */
export function announcedTopics({ integrations }: Pick<Home, "integrations">): readonly string[] {
  const own = [...integrations.values()].filter(({ type }) => type === "announce");
  return own
    .flatMap(({ settings }) => [settings.baseTopic ?? BASE_TOPIC, settings.discoveryPrefix])
    .flatMap((topic) => (typeof topic === "string" ? [topic] : []));
}

/** @throws ControllerError BAD_VALUE for an account that there is not, or without a broker. */
export function wantedAnnouncements(config: Config): readonly WantedIntegration[] {
  const { mqttAnnounce: access, mqttAnnounceSecured: secured, mqttAnnounceNodes: nodes } = config;
  if (access === "") return [];
  if (accessOf(access) === null) throw badValue("The setting mqttAnnounce is none, guest or user.");
  const broker = wantedBroker(config);
  if (broker.url === "") throw badValue("The setting mqttAnnounce needs a broker: set mqttUrl.");
  const { mqttBaseTopic: baseTopic, mqttDiscoveryPrefix: discoveryPrefix } = config;
  const settings = { ...broker, access, secured, nodes, baseTopic, discoveryPrefix };
  return [{ id: "announce", type: "announce", name: "MQTT announcements", setting: "mqttAnnounce", settings }];
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["url"],
  additionalProperties: false,
  properties: {
    ...BROKER_SETTINGS,
    ...shownSettings(NODES_MAX, "none"),
    baseTopic: {
      ...shortText("Base topic", "What the topics of values begin with."),
      pattern: TOPIC_FORM,
      default: BASE_TOPIC,
    },
    discoveryPrefix: {
      ...shortText("Discovery prefix", "What the topics of announcements begin with."),
      default: "homeassistant",
    },
  },
};
