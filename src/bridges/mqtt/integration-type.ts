/** The announcements of the home on a message broker, as an integration. The bridge is imported when the first one is made. */

import type { CommandPorts } from "../../commands/ports.ts";
import { SETTINGS as CONTROLLER } from "../../config.ts";
import { BROKER_FROM, BROKER_SETTINGS, brokerOf, shortText } from "../../drivers/broker-settings.ts";
import type { IntegrationType } from "../../drivers/integration-type.ts";
import type { Home } from "../../home/home.ts";
import { productVersion } from "../../version.ts";
import { shownOf, shownSettings } from "../shown-nodes.ts";

const NODES_MAX = 1000;
const TOPIC_FORM = "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$";

export function announceType(ports: CommandPorts): IntegrationType {
  return {
    type: "announce",
    name: "MQTT announcements",
    about: "Shows the nodes of the home on a message broker, announced the way of Home Assistant.",
    families: [],
    instancesMax: 1,
    settings: SETTINGS,
    wanted: [
      {
        setting: "mqttAnnounce",
        from: {
          ...BROKER_FROM,
          access: "mqttAnnounce",
          secured: "mqttAnnounceSecured",
          nodes: "mqttAnnounceNodes",
          baseTopic: "mqttBaseTopic",
          discoveryPrefix: "mqttDiscoveryPrefix",
        },
      },
    ],
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
    .flatMap(({ settings }) => [settings.baseTopic ?? CONTROLLER.mqttBaseTopic.fallback, settings.discoveryPrefix])
    .flatMap((topic) => (typeof topic === "string" ? [topic] : []));
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
      default: CONTROLLER.mqttBaseTopic.fallback,
    },
    discoveryPrefix: {
      ...shortText("Discovery prefix", "What the topics of announcements begin with."),
      default: CONTROLLER.mqttDiscoveryPrefix.fallback,
    },
  },
};
