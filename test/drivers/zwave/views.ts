/** Plain descriptions of devices for the tables' tests. */

import { CC } from "../../../src/drivers/zwave/plan/command-class-table.ts";
import type { DeviceView, ValueMetadata, ValueView } from "../../../src/drivers/zwave/plan/device-view.ts";

type Value = Partial<ValueMetadata> & {
  readonly cc: number;
  readonly property: string | number;
  readonly key?: string | number;
  readonly endpoint?: number;
};

/** A value, readable and writable unless stated otherwise. */
export function value({ cc, property, key, endpoint = 0, ...metadata }: Value): ValueView {
  return {
    commandClass: cc,
    endpoint,
    property,
    ...(key === undefined ? {} : { propertyKey: key }),
    metadata: { type: "number", readable: true, writeable: true, ...metadata },
  };
}

/** A device of one endpoint. */
export function view(generic: number, specific: number, ...values: readonly ValueView[]): DeviceView {
  const classes = new Set(values.map(({ commandClass }) => commandClass));
  const commandClasses = new Map([...classes].map((commandClass) => [commandClass, 4]));
  return {
    nodeId: 5,
    basic: 4,
    product: [1, 2, 3],
    name: null,
    endpoints: [{ index: 0, generic, specific, commandClasses }],
    values,
  };
}

export const level = value({ cc: CC.multilevelSwitch, property: "currentValue", min: 0, max: 99 });
export const relay = value({ cc: CC.binarySwitch, property: "currentValue", type: "boolean" });
export const bolt = value({ cc: CC.doorLock, property: "currentMode", writeable: false });
export const battery = value({ cc: CC.battery, property: "level", writeable: false, unit: "%" });
export const barrier = value({ cc: CC.barrierOperator, property: "currentState", writeable: false });
export const tone = value({
  cc: CC.soundSwitch,
  property: "toneId",
  states: { 0: "off", 1: "Ding", 2: "Dong", 255: "default" },
});
export const volume = value({ cc: CC.soundSwitch, property: "defaultVolume", unit: "%" });

export const lift = (number: number) => value({ cc: CC.windowCovering, property: "currentValue", key: number });

export const setpoint = (type: number, unit = "°C") =>
  value({ cc: CC.thermostatSetpoint, property: "setpoint", key: type, unit, min: 5, max: 35 });

export const mode = value({
  cc: CC.thermostatMode,
  property: "mode",
  states: { 0: "Off", 1: "Heat", 2: "Cool", 11: "Energy heat" },
});
export const channel = (key: number) => value({ cc: CC.colorSwitch, property: "currentColor", key, writeable: false });

export const sensor = (type: number, scale: number, unit: string | undefined = undefined) =>
  value({
    cc: CC.multilevelSensor,
    property: `sensor ${type}`,
    writeable: false,
    ...(unit === undefined ? {} : { unit }),
    ccSpecific: { sensorType: type, scale },
  });

export const meter = (type: number, scale: number, unit: string | undefined, rateType = 1) =>
  value({
    cc: CC.meter,
    property: "value",
    key: (type << 16) | (scale << 8) | rateType,
    writeable: false,
    ...(unit === undefined ? {} : { unit }),
    label: `Meter ${scale}`,
    ccSpecific: { meterType: type, scale, rateType },
  });

export const notification = (type: number, variable: string, states: Readonly<Record<number, string>>) =>
  value({
    cc: CC.notification,
    property: `notification ${type}`,
    key: variable,
    writeable: false,
    label: variable,
    states,
    ccSpecific: { notificationType: type },
  });

export const binarySensor = (type: number) =>
  value({
    cc: CC.binarySensor,
    property: `sensor ${type}`,
    type: "boolean",
    writeable: false,
    ccSpecific: { sensorType: type },
  });
