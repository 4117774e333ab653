/** What a thermostat sends by itself about its climate: one value a message, in the device's own unit. */

import type { DeviceMessage } from "../line/messages.ts";
import type { DeviceNode } from "./products.ts";
import type { Values } from "./status.ts";

/** Adapters of Venstar thermostats send whole degrees, the others half degrees. */
const WHOLE_DEGREES = "TempLinc";
/** The messages count the modes otherwise than the status does. */
const MODES: Readonly<Record<number, number>> = { 0: 0, 1: 1, 2: 2, 3: 3, 4: 5 };
const FAN_ON = 0x10;
const FAN = { on: 7, auto: 8 } as const;

/** Messages that a thermostat sends to the group of the modem that is reserved for them. */
export const CLIMATE_GROUP = 0xef;

/** null: the message is about something else. */
export function climateReport({ nodeDefId }: DeviceNode, { type, cmd1, cmd2, data }: DeviceMessage): Values | null {
  if (type !== "direct" || data !== null) return null;
  switch (cmd1) {
    case 0x6e:
      return { ST: nodeDefId === WHOLE_DEGREES ? cmd2 * 2 : cmd2 };
    case 0x6f:
      return { CLIHUM: cmd2 };
    case 0x70: {
      const mode = MODES[cmd2 & 0x0f];
      const fan = (cmd2 & FAN_ON) !== 0 ? FAN.on : FAN.auto;
      return mode === undefined ? { CLIFS: fan } : { CLIMD: mode, CLIFS: fan };
    }
    case 0x71:
      return { CLISPC: cmd2 * 2 };
    case 0x72:
      return { CLISPH: cmd2 * 2 };
    default:
      return null;
  }
}
