/**
 * The model of each kind of virtual device. A new kind needs a model in `devices/`, a member of `DeviceKind` and a
 * row here.
 */

import type { DeviceModel } from "./device-model.ts";
import { fan } from "./devices/fan.ts";
import { meter } from "./devices/meter.ts";
import { pluginIrrigation, pluginWeather, pluginZone } from "./devices/plugin-nodes.ts";
import { radioDimmer, radioPlug, radioSwitch } from "./devices/radio-lights.ts";
import { radioLock } from "./devices/radio-lock.ts";
import { radioContact, radioMotion, radioSensor } from "./devices/radio-sensors.ts";
import { radioThermostat } from "./devices/radio-thermostat.ts";
import { siren } from "./devices/siren.ts";
import { thermostat } from "./devices/thermostat.ts";
import { blind, dimmer, keypad, outlet, relay } from "./devices/wired-lights.ts";
import { door, leak, motion } from "./devices/wired-sensors.ts";
import type { DeviceKind } from "./virtual-device.ts";

export const MODELS: Readonly<Record<DeviceKind, DeviceModel>> = {
  dimmer,
  relay,
  outlet,
  keypad,
  fan,
  blind,
  thermostat,
  motion,
  leak,
  door,
  siren,
  meter,
  "radio-dimmer": radioDimmer,
  "radio-switch": radioSwitch,
  "radio-plug": radioPlug,
  "radio-sensor": radioSensor,
  "radio-contact": radioContact,
  "radio-motion": radioMotion,
  "radio-thermostat": radioThermostat,
  "radio-lock": radioLock,
  "plugin-weather": pluginWeather,
  "plugin-irrigation": pluginIrrigation,
  "plugin-zone": pluginZone,
};
