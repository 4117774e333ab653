/** Kinds of simulated Zigbee devices, as Zigbee2MQTT lists them. */

import type { SimulatedDevice } from "./simulated-bridge.ts";

type Message = Readonly<Record<string, unknown>>;

let last = 1;

function device(
  name: string,
  model: string,
  exposes: readonly Message[],
  state: Message,
  description = model,
): SimulatedDevice {
  last += 1;
  return {
    listed: {
      type: "Router",
      ieee_address: `0x00124b${last.toString(16).padStart(10, "0")}`,
      friendly_name: name,
      interview_completed: true,
      software_build_id: "1.0.0",
      definition: { vendor: "Example", model, description, exposes },
    },
    state: { ...state },
  };
}

const SWITCHED = { type: "binary", name: "state", property: "state", access: 7, value_on: "ON", value_off: "OFF" };
const BATTERY = { type: "numeric", name: "battery", property: "battery", access: 1, unit: "%", category: "diagnostic" };

export function bulb(name: string): SimulatedDevice {
  const features = [
    SWITCHED,
    { type: "numeric", name: "brightness", property: "brightness", access: 7, value_min: 0, value_max: 254 },
    {
      type: "numeric",
      name: "color_temp",
      property: "color_temp",
      access: 7,
      unit: "mired",
      value_min: 250,
      value_max: 454,
    },
    { type: "composite", name: "color_xy", property: "color", access: 7, features: [] },
  ];
  return device(name, "Bulb", [{ type: "light", features }], { state: "OFF", brightness: 100, color_temp: 300 });
}

export function plug(name: string): SimulatedDevice {
  const power = { type: "numeric", name: "power", property: "power", access: 5, unit: "W" };
  const energy = { type: "numeric", name: "energy", property: "energy", access: 1, unit: "kWh" };
  const behavior = {
    ...{ type: "enum", name: "power_on_behavior", property: "power_on_behavior", label: "Power-on behavior" },
    ...{ access: 7, category: "config", values: ["off", "on", "previous"] },
  };
  const exposes = [{ type: "switch", features: [SWITCHED] }, power, energy, behavior];
  const state = { state: "OFF", power: 0, energy: 12.345, power_on_behavior: "previous" };
  return device(name, "Plug", exposes, state, "Smart plug (with power monitoring)");
}

export function twoGang(name: string): SimulatedDevice {
  const gang = (endpoint: string) => ({
    type: "switch",
    endpoint,
    features: [{ ...SWITCHED, property: `state_${endpoint}`, endpoint }],
  });
  return device(name, "Two gang", [gang("left"), gang("right")], { state_left: "OFF", state_right: "OFF" });
}

export function contact(name: string): SimulatedDevice {
  const exposes = [
    { type: "binary", name: "contact", property: "contact", access: 1, value_on: false, value_off: true },
    BATTERY,
  ];
  return device(name, "Contact", exposes, { contact: true, battery: 90 });
}

export function motion(name: string): SimulatedDevice {
  const exposes = [
    { type: "binary", name: "occupancy", property: "occupancy", access: 1, value_on: true, value_off: false },
    { type: "numeric", name: "temperature", property: "temperature", access: 1, unit: "°C" },
    { type: "numeric", name: "illuminance", property: "illuminance", access: 1, unit: "lx" },
    BATTERY,
  ];
  return device(name, "Motion", exposes, { occupancy: false, temperature: 21.37, illuminance: 40, battery: 80 });
}

export function leak(name: string): SimulatedDevice {
  const exposes = [
    { type: "binary", name: "water_leak", property: "water_leak", access: 1, value_on: true, value_off: false },
    BATTERY,
  ];
  return device(name, "Leak", exposes, { water_leak: false, battery: 100 });
}

export function lock(name: string): SimulatedDevice {
  const features = [
    { type: "binary", name: "state", property: "state", access: 7, value_on: "LOCK", value_off: "UNLOCK" },
    { type: "enum", name: "lock_state", property: "lock_state", access: 1, values: ["locked", "unlocked"] },
  ];
  const code = { type: "composite", name: "pin_code", property: "pin_code", access: 7, features: [] };
  return device(name, "Lock", [{ type: "lock", features }, code, BATTERY], { state: "LOCK", battery: 70 });
}

export function blind(name: string): SimulatedDevice {
  const features = [
    { type: "enum", name: "state", property: "state", access: 3, values: ["OPEN", "CLOSE", "STOP"] },
    { type: "numeric", name: "position", property: "position", access: 7, value_min: 0, value_max: 100 },
  ];
  return device(name, "Blind", [{ type: "cover", features }], { state: "OPEN", position: 100 });
}

export function radiator(name: string): SimulatedDevice {
  const numeric = (property: string, access: number) => ({
    type: "numeric",
    name: property,
    property,
    access,
    unit: "°C",
  });
  const features = [
    { ...numeric("occupied_heating_setpoint", 7), value_min: 5, value_max: 35 },
    numeric("local_temperature", 5),
    { type: "enum", name: "system_mode", property: "system_mode", access: 7, values: ["off", "heat"] },
    { type: "enum", name: "running_state", property: "running_state", access: 5, values: ["idle", "heat"] },
  ];
  const state = { occupied_heating_setpoint: 20, local_temperature: 19.5, system_mode: "heat", running_state: "idle" };
  return device(name, "Radiator", [{ type: "climate", features }], state);
}

export function remote(name: string): SimulatedDevice {
  const values = ["on", "off", "brightness_move_up", "brightness_move_down", "brightness_stop"];
  return device(name, "Remote", [{ type: "enum", name: "action", property: "action", access: 1, values }, BATTERY], {});
}

/** Its only function is a composite that is written whole. */
export function siren(name: string): SimulatedDevice {
  const level = (property: string) => ({
    type: "enum",
    name: property,
    property,
    access: 2,
    values: ["low", "medium", "high", "very_high"],
  });
  const modes = ["stop", "burglar", "fire", "emergency", "police_panic", "fire_panic", "emergency_panic"];
  const features = [
    { type: "enum", name: "mode", property: "mode", access: 2, values: modes },
    level("level"),
    level("strobe_level"),
    { type: "binary", name: "strobe", property: "strobe", access: 2, value_on: true, value_off: false },
    {
      type: "numeric",
      name: "strobe_duty_cycle",
      property: "strobe_duty_cycle",
      access: 2,
      value_min: 0,
      value_max: 10,
    },
    { type: "numeric", name: "duration", property: "duration", access: 2, unit: "s" },
  ];
  return device(name, "Siren", [{ type: "composite", name: "warning", property: "warning", access: 2, features }], {});
}
