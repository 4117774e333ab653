/** A message broker as an integration: its Zigbee devices. The driver is imported when the first one is made. */

import type { Config } from "../../config.ts";
import { badValue } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import { BROKER_SETTINGS, BROKER_URL, brokerOf, shortText, wantedBroker } from "../broker-settings.ts";
import type { IntegrationType, WantedIntegration } from "../integration-type.ts";
import type { FoundService } from "../search-network.ts";

type MqttConfig = Pick<
  Config,
  | ("mqttUrl" | "mqttUser" | "mqttPasswordFile" | "mqttCaFile" | "zigbee2mqttTopic")
  | ("mqttMessageBytesMax" | "zigbeeDevicesMax" | "mqttDiscovery" | "mqttDiscoveryPrefix" | "mqttEntitiesMax")
>;

const ZIGBEE_FAMILY = 14;
const MQTT_PORT = 1883;

/** @param announcedTopics what the topics of this controller's own announcements begin with */
export function mqttType(
  limits: Pick<MqttConfig, "mqttMessageBytesMax" | "mqttEntitiesMax" | "zigbeeDevicesMax">,
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

/** @throws ControllerError BAD_VALUE for an address that is no broker's. */
export function wantedMqtt(config: MqttConfig): readonly WantedIntegration[] {
  const broker = wantedBroker(config);
  if (broker.url === "") return [];
  if (!new RegExp(BROKER_URL, "u").test(broker.url)) {
    throw badValue("The setting mqttUrl is the address of a broker: mqtt://HOST:1883 or mqtts://HOST:8883.");
  }
  const { zigbee2mqttTopic, mqttDiscovery: discovery, mqttDiscoveryPrefix: discoveryPrefix } = config;
  const settings = { ...broker, zigbee2mqttTopic, discovery, discoveryPrefix };
  return [{ id: "mqtt", type: "mqtt", name: "MQTT", setting: "mqttUrl", settings }];
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["url"],
  additionalProperties: false,
  properties: {
    ...BROKER_SETTINGS,
    zigbee2mqttTopic: {
      ...shortText("Zigbee2MQTT", "Base topic of Zigbee2MQTT; empty: none."),
      default: "zigbee2mqtt",
    },
    discovery: {
      type: "boolean",
      title: "Discovery",
      description: "Whether devices that announce themselves the way of Home Assistant are taken.",
      default: true,
    },
    discoveryPrefix: {
      ...shortText("Discovery prefix", "What the topics of announcements begin with."),
      default: "homeassistant",
    },
  },
};
