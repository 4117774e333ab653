/** A message broker as an integration: its Zigbee devices. The driver is imported when the first one is made. */

import { SETTINGS as CONTROLLER, type Config } from "../../config.ts";
import { PLUGINS } from "../../families.ts";
import { BROKER_FROM, BROKER_SETTINGS, brokerOf, shortText } from "../broker-settings.ts";
import type { IntegrationType } from "../integration-type.ts";
import type { FoundService } from "../search-network.ts";

const ZIGBEE_FAMILY = 14;
const MQTT_PORT = 1883;

/** @param announcedTopics what the topics of this controller's own announcements begin with */
export function mqttType(
  limits: Pick<Config, "mqttMessageBytesMax" | "mqttEntitiesMax" | "zigbeeDevicesMax">,
  uuid: string,
  announcedTopics: () => readonly string[],
): IntegrationType {
  return {
    type: "mqtt",
    name: "MQTT",
    about: "A message broker: the Zigbee devices of Zigbee2MQTT on it, and devices that announce themselves.",
    families: [ZIGBEE_FAMILY, PLUGINS.id],
    instancesMax: 1,
    settings: SETTINGS,
    wanted: [
      {
        setting: "mqttUrl",
        from: {
          ...BROKER_FROM,
          zigbee2mqttTopic: "zigbee2mqttTopic",
          discovery: "mqttDiscovery",
          discoveryPrefix: "mqttDiscoveryPrefix",
        },
      },
    ],
    async find(around) {
      const [plain, secured, isLocal] = await Promise.all([
        around.services("mqtt"),
        around.services("secure-mqtt"),
        around.isListening(MQTT_PORT),
      ]);
      const own = { label: "A broker on this machine", settings: { url: `mqtt://127.0.0.1:${MQTT_PORT}` } };
      const found = (scheme: string) => (broker: FoundService) => ({
        label: broker.name,
        settings: { url: `${scheme}://${broker.host.replace(/\.$/, "")}:${broker.port}` },
      });
      return [...(isLocal ? [own] : []), ...plain.map(found("mqtt")), ...secured.map(found("mqtts"))];
    },
    claims: () => ["Zigbee addresses"],
    async create({ id, settings }) {
      const { zigbee2mqttTopic = "", discovery = false, discoveryPrefix = "" } = settings;
      const { MqttDriver } = await import("./mqtt-driver.ts");
      const driver = new MqttDriver({
        name: id,
        ...(await brokerOf(settings)),
        base: String(zigbee2mqttTopic),
        discoveryPrefix: discovery === true ? String(discoveryPrefix) : "",
        reserved: () =>
          [zigbee2mqttTopic, discoveryPrefix, ...announcedTopics()].map(String).filter((each) => each !== ""),
        uuid,
        limits,
      });
      return { driver };
    },
  };
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["url"],
  additionalProperties: false,
  properties: {
    ...BROKER_SETTINGS,
    zigbee2mqttTopic: {
      ...shortText("Zigbee2MQTT", "Base topic of Zigbee2MQTT; empty: none."),
      default: CONTROLLER.zigbee2mqttTopic.fallback,
    },
    discovery: {
      type: "boolean",
      title: "Discovery",
      description: "Whether devices that announce themselves the way of Home Assistant are taken.",
      default: true,
    },
    discoveryPrefix: {
      ...shortText("Discovery prefix", "What the topics of announcements begin with."),
      default: CONTROLLER.mqttDiscoveryPrefix.fallback,
    },
  },
};
