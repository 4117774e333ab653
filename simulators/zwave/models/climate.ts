/** Thermostats: mode, operating state, setpoints, fan mode, fan state. */

import { CommandClasses } from "@zwave-js/core";
import type { Body, Model } from "../model.ts";
import { modeModel, stateModel } from "./mode-model.ts";
import { type SetpointClass, setpointModel } from "./setpoint-model.ts";

const MODE = CommandClasses["Thermostat Mode"];
const OPERATING = CommandClasses["Thermostat Operating State"];
const SETPOINT = CommandClasses["Thermostat Setpoint"];
const FAN_MODE = CommandClasses["Thermostat Fan Mode"];
const FAN_STATE = CommandClasses["Thermostat Fan State"];

const OFF = 0;
const HEAT = 1;
const COOL = 2;
const MODE_MASK = 0x1f;
const FAN_MASK = 0x0f;

export const thermostatMode: Model = modeModel({ cc: MODE, mask: MODE_MASK, onSet: follow });

/** It heats or cools whenever the mode requires it, because a simulated room has no temperature of its own. */
function follow(body: Body, endpoint: number): void {
  if (body.version(endpoint, OPERATING) === 0) return;
  const mode = body.values.number(endpoint, MODE, "mode", OFF);
  body.values.set(endpoint, OPERATING, "state", mode === HEAT ? HEAT : mode === COOL ? COOL : OFF);
  body.report(endpoint, OPERATING);
}

export const operatingState: Model = stateModel(OPERATING, 2);

/** Values: also `scale` (0 °C, 1 °F), `min`, `max`. */
export const thermostatSetpoint: SetpointClass = {
  cc: SETPOINT,
  range: (values, endpoint) => ({
    scale: values.number(endpoint, SETPOINT, "scale", 0),
    min: values.number(endpoint, SETPOINT, "min", 5),
    max: values.number(endpoint, SETPOINT, "max", 95),
    initial: 20,
  }),
  unknown: [0, 1, 0],
};
export const setpoint: Model = setpointModel(thermostatSetpoint);

export const fanMode: Model = modeModel({ cc: FAN_MODE, mask: FAN_MASK });

export const fanState: Model = stateModel(FAN_STATE, 2);
