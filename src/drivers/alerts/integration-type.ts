/** Alerts as an integration. The driver is imported when it is made. */

import type { Config } from "../../config.ts";
import { badValue } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import { ALERTS } from "../../home/integrations.ts";
import { messageOf } from "../../util/message-of.ts";
import type { IntegrationType } from "../integration-type.ts";
import type { AlertWorld } from "./alert-world.ts";
import { readOrder } from "./order.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type AlertsTypePorts = {
  readonly config: Pick<Config, "alertDeliveriesPerMinute">;
  readonly world: Omit<AlertWorld, "pageUrl">;
  /** URL of the portal listener; null while it is closed. */
  readonly portalUrl: () => string | null;
};

export function alertsType({ config, world, portalUrl }: AlertsTypePorts): IntegrationType {
  return {
    type: ALERTS,
    name: "Alerts",
    about: "Water, smoke, gas, break-in and alerts of your own, repeated until somebody confirms.",
    families: [PLUGINS.id],
    instancesMax: 1,
    settings: SETTINGS,
    check: ({ order = ORDER }) => violationOfOrder(String(order)),
    async create({ id, settings }) {
      const { AlertsDriver } = await import("./alerts-driver.ts");
      const { sensors, order, again, hours, address = "" } = settings;
      const driver = new AlertsDriver({
        name: id,
        isSensing: sensors !== false,
        order: String(order),
        againMs: Number(again) * MINUTE_MS,
        lastsMs: Number(hours) * HOUR_MS,
        deliveriesPerMinute: config.alertDeliveriesPerMinute,
        world: { ...world, pageUrl: () => (address === "" ? (portalUrl() ?? "") : String(address)).replace(/\/$/, "") },
      });
      return { driver, alerts: driver };
    },
  };
}

function violationOfOrder(order: string): string | null {
  try {
    if (order === "") throw badValue("The order names at least who is at home.");
    readOrder(order);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

const ORDER = "home, 3 all";

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    sensors: {
      type: "boolean",
      title: "Sensors raise alerts",
      description: "Water, smoke, gas, carbon monoxide, break-in and jammed locks ring by themselves.",
      default: true,
    },
    order: {
      type: "string",
      title: "Order",
      description:
        "Who gets alerts, with the minutes after which: home are the persons at home, all is everybody, others are persons and channels by name.",
      maxLength: 500,
      default: ORDER,
    },
    again: {
      type: "integer",
      title: "Minutes to repeat",
      description: "The last step of the order is done again after so many minutes. 0: never.",
      minimum: 0,
      maximum: 120,
      default: 10,
    },
    hours: {
      type: "integer",
      title: "Hours",
      description: "Nothing more is delivered after so many hours. The alert rings on in the page.",
      minimum: 1,
      maximum: 48,
      default: 2,
    },
    address: {
      type: "string",
      title: "Address for links",
      description: "How phones reach the page: https://home.example.org. Left out: the address of the portal.",
      maxLength: 300,
      pattern: "^(https://[^/?#\\s]+/?)?$",
    },
  },
};
