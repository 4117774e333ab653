/**
 * The model of each kind of virtual device. A new kind needs a model in `devices/` and a row here.
 */

import type { Models } from "./device-model.ts";
import { meter } from "./devices/meter.ts";
import { pluginIrrigation, pluginWeather, pluginZone } from "./devices/plugin-nodes.ts";
import { RADIO_LIGHTS } from "./devices/radio-lights.ts";
import { radioLock } from "./devices/radio-lock.ts";
import { RADIO_SENSORS } from "./devices/radio-sensors.ts";
import { siren } from "./devices/siren.ts";
import { radioThermostat, thermostat } from "./devices/thermostats.ts";
import { WIRED_LIGHTS } from "./devices/wired-lights.ts";
import { WIRED_SENSORS } from "./devices/wired-sensors.ts";

/** Kinds of family 10 begin with `plugin-`; those of families 4 and 12, by the form of the address, with `radio-`. */
export const MODELS = {
  ...WIRED_LIGHTS,
  thermostat,
  ...WIRED_SENSORS,
  siren,
  meter,
  ...RADIO_LIGHTS,
  ...RADIO_SENSORS,
  "radio-thermostat": radioThermostat,
  "radio-lock": radioLock,
  "plugin-weather": pluginWeather,
  "plugin-irrigation": pluginIrrigation,
  "plugin-zone": pluginZone,
} satisfies Models;

export type DeviceKind = keyof typeof MODELS;
