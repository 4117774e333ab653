/** What keeps the air dry or moist: mode, what it does now, and set-points. */

import { CommandClasses } from "@zwave-js/core";
import {
  type Answer,
  type Body,
  bitMask,
  DONE,
  decodeFloat,
  encodeFloat,
  type Heard,
  type Model,
  REFUSED,
  report,
} from "../model.ts";
import { modeModel } from "./mode-model.ts";

const MODE = CommandClasses["Humidity Control Mode"];
const OPERATING = CommandClasses["Humidity Control Operating State"];
const SETPOINT = CommandClasses["Humidity Control Setpoint"];
const NIBBLE = 0x0f;
const PERCENT_SCALE = 0;
const LEAST_PERCENT = 0;
const MOST_PERCENT = 100;

export const humidityMode: Model = modeModel({ cc: MODE, mask: NIBBLE });

/** Values: `state`. */
export const humidityState: Model = {
  cc: OPERATING,
  hear: ({ values }, { endpoint, command }) =>
    command === 1 ? report(2, [values.number(endpoint, OPERATING, "state", 0)]) : null,
};

/** Values: `setpoint N` in percent. */
export const humiditySetpoint: Model = {
  cc: SETPOINT,
  hear(body, heard) {
    const { endpoint, command, payload } = heard;
    const types = typesOf(body, endpoint);
    const type = (payload[0] ?? 0) & NIBBLE;
    switch (command) {
      case 1:
        return setHumidity(body, heard);
      case 2:
        return report(3, types.includes(type) ? setpointNow(body, endpoint, type) : [0]);
      case 4:
        return report(5, bitMask(types));
      case 6:
        return report(7, bitMask([PERCENT_SCALE]));
      case 8:
        return report(9, [
          type,
          ...encodeFloat(LEAST_PERCENT, PERCENT_SCALE),
          ...encodeFloat(MOST_PERCENT, PERCENT_SCALE),
        ]);
      default:
        return null;
    }
  },
};

function setHumidity(body: Body, { endpoint, payload }: Heard): Answer {
  const type = (payload[0] ?? 0) & NIBBLE;
  const wanted = decodeFloat(payload.subarray(1));
  if (!wanted || !typesOf(body, endpoint).includes(type)) return REFUSED;
  if (wanted.value < LEAST_PERCENT || wanted.value > MOST_PERCENT) return REFUSED;
  body.values.set(endpoint, SETPOINT, `setpoint ${type}`, wanted.value);
  body.say(endpoint, SETPOINT, 3, setpointNow(body, endpoint, type));
  return DONE;
}

function typesOf({ values }: Body, endpoint: number): readonly number[] {
  return values.names(endpoint, SETPOINT).map((name) => Number(name.slice("setpoint ".length)));
}

function setpointNow({ values }: Body, endpoint: number, type: number): readonly number[] {
  return [type, ...encodeFloat(values.number(endpoint, SETPOINT, `setpoint ${type}`, 0), PERCENT_SCALE)];
}
