/** The model of every command class that the library's mocks know not, or not well enough. */

import type { Model } from "./model.ts";
import { centralScene, doorLock, entryControl } from "./models/access.ts";
import { fanMode, fanState, operatingState, setpoint, thermostatMode } from "./models/climate.ts";
import { humidityMode, humiditySetpoint, humidityState } from "./models/humidity.ts";
import { battery, binarySensor, meter, multilevelSensor, notification } from "./models/sensors.ts";
import { clock, indicator, protection } from "./models/settings.ts";
import { barrier, basic, binarySwitch, multilevelSwitch } from "./models/switches.ts";
import { association, firmware, groupInformation, multiAssociation, wakeUp } from "./models/upkeep.ts";

const ALL: readonly Model[] = [
  basic,
  binarySwitch,
  multilevelSwitch,
  barrier,
  binarySensor,
  multilevelSensor,
  meter,
  notification,
  battery,
  thermostatMode,
  operatingState,
  setpoint,
  fanMode,
  fanState,
  doorLock,
  centralScene,
  entryControl,
  humidityMode,
  humidityState,
  humiditySetpoint,
  clock,
  indicator,
  protection,
  wakeUp,
  association,
  multiAssociation,
  groupInformation,
  firmware,
];

export const MODELS: ReadonlyMap<number, Model> = new Map(ALL.map((model) => [model.cc, model]));
