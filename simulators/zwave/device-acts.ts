/** Actions of people and the environment at a simulated device. Each resolves when the device has reported it. */

import { CommandClasses } from "@zwave-js/core";
import { thermostatSetpoint } from "./models/climate.ts";
import { binarySensorReport, meterReport, multilevelSensorReport, notificationReport } from "./models/sensors.ts";
import { setpointReport } from "./models/setpoint-model.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

const SET = 1;
const REPORT = 3;
const SENSOR_REPORT = 5;
const METER_REPORT = 2;
const SCENE_NOTIFICATION = 3;
/** Values of Basic. */
const ON = 0xff;
const OFF = 0;

/** Somebody presses the switch. */
export async function switchByHand(device: SimulatedDevice, on: boolean, endpoint = 0): Promise<void> {
  device.values.set(endpoint, CommandClasses["Binary Switch"], "on", on);
  await device.tell(endpoint, CommandClasses["Binary Switch"]);
  device.control(endpoint, on ? ON : OFF);
}

/** @param level 0 … 99. */
export async function dimByHand(device: SimulatedDevice, level: number, endpoint = 0): Promise<void> {
  device.values.set(endpoint, CommandClasses["Multilevel Switch"], "level", level);
  await device.tell(endpoint, CommandClasses["Multilevel Switch"]);
  device.control(endpoint, level > 0 ? ON : OFF);
}

/** A device with Basic only reports its value. */
export async function setBasicByHand(device: SimulatedDevice, value: number): Promise<void> {
  device.values.set(0, CommandClasses.Basic, "value", value);
  await device.tell(0, CommandClasses.Basic);
}

/** A device with Basic only that controls its associations: it says what they shall do. */
export async function controlWithBasic(device: SimulatedDevice, value: number): Promise<void> {
  await device.say(0, CommandClasses.Basic, SET, [value]);
}

const KEYS = { once: 0, released: 1, held: 2, twice: 3 } as const;

/** A button of a remote. @param scene counted from 1. */
export async function pressButton(
  device: SimulatedDevice,
  scene: number,
  how: keyof typeof KEYS = "once",
): Promise<void> {
  const SCENES = CommandClasses["Central Scene"];
  const sequence = (device.values.number(0, SCENES, "sequence", 0) + 1) & 0xff;
  device.values.set(0, SCENES, "sequence", sequence);
  await device.say(0, SCENES, SCENE_NOTIFICATION, [sequence, KEYS[how], scene]);
}

/**
 * @param type kind of notification, for example 7 for home security.
 * @param event 0 = what was active is over, which is then named by the first parameter.
 */
export async function notify(
  device: SimulatedDevice,
  type: number,
  event: number,
  parameters: readonly number[] = [],
): Promise<void> {
  const NOTIFICATION = CommandClasses.Notification;
  device.values.set(0, NOTIFICATION, `type ${type}`, event);
  await device.say(0, NOTIFICATION, SENSOR_REPORT, notificationReport(type, event, parameters));
}

const MOTION = { type: 7, event: 8 };
const LEAK = { type: 5, event: 2 };
const SMOKE = { type: 1, event: 2 };
const CARBON_MONOXIDE = { type: 2, event: 2 };
const TAMPER = { type: 7, event: 3 };

const alarm =
  ({ type, event }: { readonly type: number; readonly event: number }) =>
  (device: SimulatedDevice, active: boolean): Promise<void> =>
    notify(device, type, active ? event : 0, active ? [] : [event]);

export async function senseMotion(device: SimulatedDevice, active: boolean): Promise<void> {
  await alarm(MOTION)(device, active);
  device.control(0, active ? ON : OFF);
}
export const senseLeak = alarm(LEAK);
export const senseSmoke = alarm(SMOKE);
export const senseCarbonMonoxide = alarm(CARBON_MONOXIDE);
export const senseTamper = alarm(TAMPER);

/** Listeners and windows say which of the two they are, never that it is over. */
export function openByHand(device: SimulatedDevice, open: boolean): Promise<void> {
  const ACCESS = 6;
  return notify(device, ACCESS, open ? 22 : 23);
}

/** An old contact or motion sensor. @param type of the Binary Sensor. */
export async function senseBinary(device: SimulatedDevice, type: number, active: boolean): Promise<void> {
  const SENSOR = CommandClasses["Binary Sensor"];
  device.values.set(0, SENSOR, `type ${type}`, active);
  await device.say(0, SENSOR, REPORT, binarySensorReport(device, 0, type));
}

/** @param type and scale by the numbers of the Multilevel Sensor, for example 1 and 0 for °C. */
export async function sense(
  device: SimulatedDevice,
  type: number,
  scale: number,
  value: number,
  endpoint = 0,
): Promise<void> {
  const SENSOR = CommandClasses["Multilevel Sensor"];
  device.values.set(endpoint, SENSOR, `${type}/${scale}`, value);
  await device.say(endpoint, SENSOR, SENSOR_REPORT, multilevelSensorReport(device, endpoint, type, scale));
}

const METER_SCALES = { kWh: 0, W: 2, V: 4, A: 5 } as const;

export async function measure(
  device: SimulatedDevice,
  unit: keyof typeof METER_SCALES,
  value: number,
  endpoint = 0,
): Promise<void> {
  const METER = CommandClasses.Meter;
  const scale = METER_SCALES[unit];
  device.values.set(endpoint, METER, `scale ${scale}`, value);
  await device.say(endpoint, METER, METER_REPORT, meterReport(device, endpoint, scale));
}

/** @param percent 0 reports a low battery. */
export async function drainTo(device: SimulatedDevice, percent: number): Promise<void> {
  device.values.set(0, CommandClasses.Battery, "percent", percent);
  await device.tell(0, CommandClasses.Battery);
}

/** Somebody turns the setpoint at the wall. @param type 1 heating, 2 cooling. */
export async function turnSetpoint(device: SimulatedDevice, type: number, value: number): Promise<void> {
  const SETPOINT = CommandClasses["Thermostat Setpoint"];
  device.values.set(0, SETPOINT, `setpoint ${type}`, value);
  await device.say(0, SETPOINT, REPORT, setpointReport(thermostatSetpoint, device, 0, type));
}

/** A person turns the bolt. The lock reports its mode, and that it was turned manually. */
export async function turnBolt(device: SimulatedDevice, locked: boolean): Promise<void> {
  const ACCESS = 6;
  const SECURED = 0xff;
  device.values.set(0, CommandClasses["Door Lock"], "mode", locked ? SECURED : 0);
  await device.tell(0, CommandClasses["Door Lock"]);
  await notify(device, ACCESS, locked ? 1 : 2);
}

/** Somebody unlocks with the code of a slot; the notification names the slot, as User Code reports do. */
export async function enterCode(device: SimulatedDevice, slot: number): Promise<void> {
  const ACCESS = 6;
  const KEYPAD_UNLOCK = 6;
  const USER_CODE_REPORT = 3;
  device.values.set(0, CommandClasses["Door Lock"], "mode", 0);
  await device.tell(0, CommandClasses["Door Lock"]);
  await notify(device, ACCESS, KEYPAD_UNLOCK, [CommandClasses["User Code"], USER_CODE_REPORT, slot]);
}

/** A relay gone mad: on and off so many times. */
export async function flap(device: SimulatedDevice, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await switchByHand(device, time % 2 === 0);
}

/** A person resets it to factory settings. It reports that, and leaves the network. */
export async function resetByHand(device: SimulatedDevice): Promise<void> {
  await device.say(0, CommandClasses["Device Reset Locally"], 1, []);
  device.condition = "silent";
}
