/** Things that measure power: the main meter of family 1, and the life that every meter shares. */

import { HOUR_MS } from "../../../util/clock.ts";
import { BY_ITSELF, type DayMoment, type DeviceModel, type DeviceNode, type Life } from "../device-model.ts";
import { inner, reading } from "./quantities.ts";
import { counted } from "./wired-lights.ts";

/** Longest span that a meter counts at once: what happened while the controller was off is not known. */
const SPAN_MAX_MS = 120_000;

type MeterScale = {
  readonly power: string;
  /** Raw value of one watt and of one kilowatt-hour. */
  readonly watt: number;
  readonly kilowattHour: number;
  /** Watts drawn at this moment. */
  draw(node: DeviceNode, moment: DayMoment): number;
};

/** Reports the power and adds what was used since the last look; `seenMs` and `milliWattHours` are the meter's own. */
export function meterLife({ power, watt, kilowattHour, draw }: MeterScale): Life {
  return {
    pace: "ticking",
    live(node, moment) {
      const watts = draw(node, moment);
      const spanMs = Math.min(SPAN_MAX_MS, Math.max(0, moment.nowMs - node.value("seenMs")));
      const used = node.value("milliWattHours") + Math.round((watts * 1000 * spanMs) / HOUR_MS);
      node.change(
        {
          [power]: Math.round(watts * watt),
          TPW: Math.round((used / 1_000_000) * kilowattHour),
          milliWattHours: used,
          seenMs: moment.nowMs,
        },
        BY_ITSELF,
      );
    },
  };
}

/** A home draws most at breakfast and in the evening. */
function houseDraw(_node: DeviceNode, { minuteOfDay, roll }: DayMoment): number {
  const hour = minuteOfDay / 60;
  const base = 220 + 400 * Math.exp(-((hour - 7.5) ** 2) / 2) + 900 * Math.exp(-((hour - 19.5) ** 2) / 6);
  return base * (0.9 + roll * 0.2);
}

export const meter: DeviceModel = {
  nodes: [
    {
      nodeDefId: "IMETER_SOLO",
      type: "9.7.64.0",
      properties: [
        reading("ST", 73, 0, 340),
        reading("TPW", 33, 3, 1_284_620),
        inner("milliWattHours", 1_284_620_000),
        inner("seenMs", 0),
        inner("beeps", 0),
      ],
      commands: {
        BEEP: counted("beeps"),
        WDU: (node) => node.write(),
        RESET: (node, { occasion }) => node.change({ TPW: 0, milliWattHours: 0 }, occasion),
      },
      life: meterLife({ power: "ST", watt: 1, kilowattHour: 1000, draw: houseDraw }),
    },
  ],
};
