/** Humidifiers and dehumidifiers: mode, operating state, setpoints in percent. */

import { CommandClasses } from "@zwave-js/core";
import { bitMask, encodeFloat, type Model, report } from "../model.ts";
import { modeModel, stateModel } from "./mode-model.ts";
import { setpointModel, setpointTypes } from "./setpoint-model.ts";

const SETPOINT = CommandClasses["Humidity Control Setpoint"];
const NIBBLE = 0x0f;
const PERCENT = { scale: 0, min: 0, max: 100, initial: 0 };

export const humidityMode: Model = modeModel({ cc: CommandClasses["Humidity Control Mode"], mask: NIBBLE });

export const humidityState: Model = stateModel(CommandClasses["Humidity Control Operating State"], 1);

export const humiditySetpoint: Model = setpointModel({
  cc: SETPOINT,
  range: () => PERCENT,
  unknown: [0],
  hear(body, { endpoint, command, payload }) {
    const { scale, min, max } = PERCENT;
    switch (command) {
      case 4:
        return report(5, bitMask(setpointTypes(body, endpoint, SETPOINT)));
      case 6:
        return report(7, bitMask([scale]));
      case 8:
        return report(9, [(payload[0] ?? 0) & NIBBLE, ...encodeFloat(min, scale), ...encodeFloat(max, scale)]);
      default:
        return null;
    }
  },
});
