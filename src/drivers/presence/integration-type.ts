/** Persons as an integration. The driver is imported when it is made. */

import type { Config } from "../../config.ts";
import { PLUGINS } from "../../families.ts";
import type { ControllerRecord } from "../../home/controller.ts";
import { BROKER_SETTINGS, brokerOf, shortText } from "../broker-settings.ts";
import type { IntegrationType } from "../integration-type.ts";
import type { SaidByNodes } from "./presence-driver.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type PresenceTypePorts = {
  readonly config: Pick<Config, "journalDaysMax" | "historyDaysMax">;
  readonly controller: () => ControllerRecord;
  /** Whether its place is the owner's, and not that of every new home. */
  readonly isPlaced: () => boolean;
  readonly nodes: SaidByNodes;
};

export function presenceType({ config, controller, isPlaced, nodes }: PresenceTypePorts): IntegrationType {
  return {
    type: "presence",
    name: "Persons",
    about: "Who is at home: by phones with OwnTracks, by nodes that say it, by a press.",
    families: [PLUGINS.id],
    instancesMax: 1,
    settings: SETTINGS,
    async create({ id, settings }) {
      const { PresenceDriver } = await import("./presence-driver.ts");
      const { radius, accuracy, leaveMinutes, silentHours, silent, region, baseTopic, url = "" } = settings;
      const driver = new PresenceDriver({
        name: id,
        rules: {
          leaveMs: Number(leaveMinutes) * MINUTE_MS,
          silentMs: Number(silentHours) * HOUR_MS,
          silentIsAway: silent === "away",
        },
        place: () => {
          const { latitude, longitude } = controller();
          return {
            latitude,
            longitude,
            isPlaced: isPlaced(),
            radiusM: Number(radius),
            accuracyMaxM: Number(accuracy),
            region: String(region),
          };
        },
        nodes,
        broker: url === "" ? null : await brokerOf(settings),
        baseTopic: String(baseTopic),
        uuid: controller().uuid,
        retention: config,
      });
      return { driver, presence: driver };
    },
  };
}

const { url, ...LOGIN } = BROKER_SETTINGS;

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    radius: {
      type: "integer",
      title: "Radius",
      description: "Meters around the place of the controller that count as home.",
      minimum: 20,
      maximum: 5000,
      default: 100,
    },
    accuracy: {
      type: "integer",
      title: "Accuracy",
      description: "A fix that is accurate to more meters than this says nothing.",
      minimum: 20,
      maximum: 5000,
      default: 200,
    },
    leaveMinutes: {
      type: "integer",
      title: "Minutes to leave",
      description: "Somebody is away when a source has said so for this long. Coming home needs no time.",
      minimum: 1,
      maximum: 120,
      default: 5,
    },
    silentHours: {
      type: "integer",
      title: "Hours of silence",
      description: "Where a phone is that says nothing for so long is not known.",
      minimum: 1,
      maximum: 168,
      default: 12,
    },
    silent: {
      type: "string",
      title: "A silent phone is",
      description: "Not known, or away.",
      enum: ["unknown", "away"],
      default: "unknown",
    },
    region: {
      ...shortText("Region", "Name of the region in the phone that is the home."),
      minLength: 1,
      default: "Home",
    },
    url: { ...url, description: "Of OwnTracks over MQTT: mqtt://HOST:1883, or mqtts://HOST:8883 with a certificate." },
    ...LOGIN,
    baseTopic: {
      ...shortText("Base topic", "What the topics of OwnTracks begin with."),
      pattern: "^[^/#+]+(/[^/#+]+)*$",
      default: "owntracks",
    },
  },
};
