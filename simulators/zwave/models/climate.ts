/** Thermostats: mode, operating state, setpoints, fan mode, fan state. */

import { CommandClasses } from "@zwave-js/core";
import {
  type Answer,
  type Body,
  DONE,
  decodeFloat,
  encodeFloat,
  type Heard,
  type Model,
  REFUSED,
  report,
} from "../model.ts";
import { modeModel } from "./mode-model.ts";

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

/** It heats as soon as it may, and cools as soon as it may: nobody waits for a simulated room. */
function follow(body: Body, endpoint: number): void {
  if (body.version(endpoint, OPERATING) === 0) return;
  const mode = body.values.number(endpoint, MODE, "mode", OFF);
  body.values.set(endpoint, OPERATING, "state", mode === HEAT ? HEAT : mode === COOL ? COOL : OFF);
  body.report(endpoint, OPERATING);
}

/** Values: `state`. */
export const operatingState: Model = {
  cc: OPERATING,
  hear: (body, { endpoint, command }) => (command === 2 ? report(3, operatingNow(body, endpoint)) : null),
  state: (body, endpoint) => ({ command: 3, payload: operatingNow(body, endpoint) }),
};

function operatingNow({ values }: Body, endpoint: number): readonly number[] {
  return [values.number(endpoint, OPERATING, "state", OFF)];
}

/** Values: `setpoint N` in the scale of its capabilities, `scale` (0 °C, 1 °F), `min`, `max`. */
export const setpoint: Model = {
  cc: SETPOINT,
  hear(body, heard) {
    const { endpoint, command, payload } = heard;
    if (command === 1) return setSetpoint(body, heard);
    if (command !== 2) return null;
    const type = payload[0] ?? 0;
    const isKnown = body.values.names(endpoint, SETPOINT).includes(`setpoint ${type}`);
    return report(3, isKnown ? setpointReport(body, endpoint, type) : [0, 1, 0]);
  },
};

function setSetpoint(body: Body, { endpoint, payload }: Heard): Answer {
  const { values } = body;
  const type = (payload[0] ?? 0) & FAN_MASK;
  const wanted = decodeFloat(payload.subarray(1));
  if (!wanted || !values.names(endpoint, SETPOINT).includes(`setpoint ${type}`)) return REFUSED;
  const isOutside = wanted.value < values.number(endpoint, SETPOINT, "min", 5);
  if (isOutside || wanted.value > values.number(endpoint, SETPOINT, "max", 95)) return REFUSED;
  values.set(endpoint, SETPOINT, `setpoint ${type}`, wanted.value);
  body.say(endpoint, SETPOINT, 3, setpointReport(body, endpoint, type));
  return DONE;
}

export function setpointReport({ values }: Body, endpoint: number, type: number): readonly number[] {
  const scale = values.number(endpoint, SETPOINT, "scale", 0);
  return [type, ...encodeFloat(values.number(endpoint, SETPOINT, `setpoint ${type}`, 20), scale)];
}

export const fanMode: Model = modeModel({ cc: FAN_MODE, mask: FAN_MASK });

/** Values: `state`. */
export const fanState: Model = {
  cc: FAN_STATE,
  hear: (body, { endpoint, command }) => (command === 2 ? report(3, fanNow(body, endpoint)) : null),
  state: (body, endpoint) => ({ command: 3, payload: fanNow(body, endpoint) }),
};

function fanNow({ values }: Body, endpoint: number): readonly number[] {
  return [values.number(endpoint, FAN_STATE, "state", OFF)];
}
