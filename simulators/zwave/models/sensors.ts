/** Sensors: Binary Sensor, Multilevel Sensor, Meter, Notification, Battery. */

import { CommandClasses } from "@zwave-js/core";
import {
  type Answer,
  type Body,
  bitMask,
  DONE,
  encodeFloat,
  type Heard,
  type Model,
  REFUSED,
  report,
} from "../model.ts";

const BINARY = CommandClasses["Binary Sensor"];
const MULTILEVEL = CommandClasses["Multilevel Sensor"];
const METER = CommandClasses.Meter;
const NOTIFICATION = CommandClasses.Notification;
const BATTERY = CommandClasses.Battery;
const DETECTED = 0xff;
const ANY_TYPE = 0xff;

/** Values: `types` (list), and `type N` for each; of version 1, which knows no types, `type 255`. */
export const binarySensor: Model = {
  cc: BINARY,
  hear(body, { endpoint, command, payload }) {
    const types = body.values.list(endpoint, BINARY, "types");
    if (command === 1) return report(4, bitMask(types));
    if (command !== 2) return null;
    if (body.version(endpoint, BINARY) === 1)
      return report(3, binarySensorReport(body, endpoint, ANY_TYPE).slice(0, 1));
    const asked = payload[0];
    const type = asked === undefined || asked === 0 || asked === ANY_TYPE ? (types[0] ?? 0) : asked;
    return report(3, binarySensorReport(body, endpoint, type));
  },
};

export function binarySensorReport({ values }: Body, endpoint: number, type: number): readonly number[] {
  return [values.number(endpoint, BINARY, `type ${type}`, 0) > 0 ? DETECTED : 0, type];
}

/** Values: `TYPE/SCALE` for every sensor, by the library's numbers. */
export const multilevelSensor: Model = {
  cc: MULTILEVEL,
  hear(body, { endpoint, command, payload }) {
    const sensors = body.values.names(endpoint, MULTILEVEL).map(readSensor);
    const type = payload[0] ?? sensors[0]?.type ?? 0;
    const scales = sensors.filter((sensor) => sensor.type === type).map(({ scale }) => scale);
    switch (command) {
      case 1:
        return report(2, bitMask([...new Set(sensors.map((sensor) => sensor.type))], 1));
      case 3:
        return report(6, [type, bitMask(scales)[0] ?? 0]);
      case 4: {
        const asked = payload.length > 1 ? ((payload[1] ?? 0) >> 3) & 3 : scales[0];
        const scale = scales.includes(asked ?? -1) ? (asked ?? 0) : (scales[0] ?? 0);
        return report(5, multilevelSensorReport(body, endpoint, type, scale));
      }
      default:
        return null;
    }
  },
};

export function multilevelSensorReport(body: Body, endpoint: number, type: number, scale: number): readonly number[] {
  return [type, ...encodeFloat(body.values.number(endpoint, MULTILEVEL, `${type}/${scale}`, 0), scale)];
}

function readSensor(name: string): { readonly type: number; readonly scale: number } {
  const [type = 0, scale = 0] = name.split("/").map(Number);
  return { type, scale };
}

const ELECTRIC = 1;
const CONSUMED = 1;
const RESETTABLE = 0x80;
/** In front of scales that do not fit into three bits; none of them is simulated. */
const SCALE_MASK = 7;

/** Values: `type` (1 electric, 2 gas, 3 water) and `scale N` for every scale. */
export const meter: Model = {
  cc: METER,
  hear(body, { endpoint, command, payload }) {
    const scales = meterScales(body, endpoint);
    switch (command) {
      case 1: {
        const asked = payload.length > 0 ? ((payload[0] ?? 0) >> 3) & SCALE_MASK : scales[0];
        return report(2, meterReport(body, endpoint, scales.includes(asked ?? -1) ? (asked ?? 0) : (scales[0] ?? 0)));
      }
      case 3: {
        const type = body.values.number(endpoint, METER, "type", ELECTRIC);
        return report(4, [RESETTABLE | (CONSUMED << 5) | type, bitMask(scales)[0] ?? 0]);
      }
      case 5:
        body.values.set(endpoint, METER, "scale 0", 0);
        body.say(endpoint, METER, 2, meterReport(body, endpoint, 0));
        return DONE;
      default:
        return null;
    }
  },
};

function meterScales({ values }: Body, endpoint: number): readonly number[] {
  const names = values.names(endpoint, METER).filter((name) => name.startsWith("scale "));
  return names.map((name) => Number(name.slice("scale ".length)));
}

export function meterReport({ values }: Body, endpoint: number, scale: number): readonly number[] {
  const type = values.number(endpoint, METER, "type", ELECTRIC);
  const value = values.number(endpoint, METER, `scale ${scale}`, 0);
  // The third bit of the scale is in the first byte. Two empty bytes mean no time since the previous value.
  return [((scale & 4) << 5) | (CONSUMED << 5) | type, ...encodeFloat(value, scale), 0, 0];
}

/** Values: `type N` with the active event, 0 for idle. Its capabilities list the supported types. */
export const notification: Model = {
  cc: NOTIFICATION,
  hear(body, heard) {
    if (heard.command === 4) return notificationNow(body, heard);
    return heard.command === 6 ? DONE : null;
  },
};

function notificationNow(body: Body, { endpoint, payload }: Heard): Answer {
  const type = payload[1] ?? 0;
  if (body.values.names(endpoint, NOTIFICATION).length === 0) return REFUSED;
  return report(5, notificationReport(type, body.values.number(endpoint, NOTIFICATION, `type ${type}`, 0), []));
}

export function notificationReport(type: number, event: number, parameters: readonly number[]): readonly number[] {
  return [0, 0, 0, DETECTED, type, event, parameters.length, ...parameters];
}

const BATTERY_LOW = 0xff;

/** Values: `percent`; 0 is sent as the warning of a low battery. */
export const battery: Model = {
  cc: BATTERY,
  hear(body, { endpoint, command }) {
    if (command === 2) return report(3, batteryState(body, endpoint));
    return command === 4 ? report(5, [FULL_CAPACITY, ...NO_TEMPERATURE]) : null;
  },
  state: (body, endpoint) => ({ command: 3, payload: batteryState(body, endpoint) }),
};

const FULL_CAPACITY = 100;
/** As the devices say it that have no thermometer: the highest bit alone. */
const NO_TEMPERATURE = [1, 0x80];

function batteryState({ values }: Body, endpoint: number): readonly number[] {
  return [values.number(endpoint, BATTERY, "percent", 100) || BATTERY_LOW];
}
