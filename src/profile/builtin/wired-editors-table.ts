/** Editors of the wired family (1); families 3 and 6 borrow those that they use. */

import { UOM } from "../uom.ts";
import { editor } from "./definition-text.ts";
import { RAMP_RATE_SECONDS } from "./uom-table.ts";

const OFF_ON = "0 Off, 100 On";
const ZERO_OFF = "0 Off";
const SECONDS = 58;
const WATTS = 73;
const KILOWATT_HOURS = 33;
const HUMIDITY = 22;
const SECURE_MODE = 84;

/** Minutes down to index 12, seconds from there on; always one decimal. */
function rampRateLabels(): string {
  return RAMP_RATE_SECONDS.map((seconds, index) =>
    seconds >= 60 ? `${index} ${(seconds / 60).toFixed(1)} minutes` : `${index} ${seconds.toFixed(1)} seconds`,
  ).join(", ");
}

/** The keypad's backlight is one number: 16 times the level of buttons that are off, plus that of buttons that are on. */
function keypadBacklightLabels(): string {
  return Array.from({ length: 128 }, (_, index) => `${index} On ${index % 16} / Off ${Math.floor(index / 16)}`).join(
    ", ",
  );
}

export const WIRED_EDITORS = [
  editor("I_OL", { uom: UOM.percent, min: 0, max: 100, names: ZERO_OFF }),
  editor("I_OL_PARAM", { uom: UOM.percent, min: 0, max: 100 }),
  editor("I_OL_RELAY", { uom: UOM.percent, subset: "0,100", names: OFF_ON }),
  editor("I_0_100_PERCENT", { uom: UOM.percent, subset: "0,100" }),
  editor("I_FLM_LVL", { uom: UOM.percent, subset: "0,25,75,100", names: "0 Off, 25 Low, 75 Medium, 100 High" }),
  editor("I_LOCK", { uom: UOM.percent, subset: "0,100", names: "0 Unlocked, 100 Locked" }),
  editor("I_SECMD", { uom: SECURE_MODE, subset: "0,1", names: "0 Unlock, 1 Lock" }),
  editor("I_RR", { uom: UOM.index, subset: "0-31", names: rampRateLabels() }),
  editor("I_BL", { uom: UOM.percent, min: 0, max: 100 }),
  editor("I_BL_KP", { uom: UOM.index, min: 0, max: 127, names: keypadBacklightLabels() }),
  editor("I_LED", { uom: UOM.percent, min: 0, max: 100 }),
  editor("I_BEEP_255", { uom: UOM.level, subset: "0-255" }),
  editor("I_ERR", { uom: UOM.index, subset: "0,1", names: "0 True, 1 False" }),
  editor("I_BOOL", { uom: UOM.boolean, subset: "0,1", names: "0 False, 1 True" }),
  editor("I_TSTAT_MODE", {
    uom: 98,
    subset: "0-3,5-7",
    names: "0 Off, 1 Heat, 2 Cool, 3 Auto, 5 Program Auto, 6 Program Heat, 7 Program Cool",
  }),
  editor("I_TSTAT_FAN_MODE", { uom: 99, subset: "7,8", names: "7 On, 8 Auto" }),
  editor("I_TSTAT_HCS", { uom: 66, subset: "0-2", names: "0 Idle, 1 Heating, 2 Cooling" }),
  editor("I_TSTAT_UOM", { uom: UOM.none, subset: "1,2", names: "1 Celsius, 2 Fahrenheit" }),
  editor("I_CLISPH_DEG", { uom: UOM.degrees, min: 0, max: 120 }),
  editor("I_CLISPC_DEG", { uom: UOM.degrees, min: 10, max: 120 }),
  editor("I_CLISPD_DEG", { uom: UOM.degrees, min: -20, max: 20 }),
  editor("I_TEMP_DEG_1", { uom: UOM.degrees, prec: 1, step: 0.5, min: -50, max: 150 }),
  editor("I_TEMP_F", { uom: UOM.fahrenheit, prec: 1, min: -40, max: 185 }),
  editor("I_TEMP_C", { uom: UOM.celsius, prec: 1, min: -40, max: 85 }),
  editor("I_HUM", { uom: HUMIDITY, min: 0, max: 100 }),
  editor("I_PERCENT", { uom: UOM.percent, min: 0, max: 100 }),
  editor("I_POWER", { uom: WATTS, min: -100_000, max: 100_000 }),
  editor("I_ENERGY", { uom: KILOWATT_HOURS, prec: 3, min: 0, max: 10_000_000 }),
  editor("I_DUR_255", { uom: SECONDS, min: 0, max: 255 }),
  editor("I_SIREN_MODE", { uom: UOM.index, subset: "1,3,4", names: "1 Home, 3 Away, 4 Home and Away" }),
  editor("I_SIREN_MODE_QUERY", {
    uom: UOM.index,
    subset: "0,1,3,4",
    names: "0 Disarmed, 1 Armed Home, 3 Armed Away, 4 Armed Home and Away",
  }),
  editor("I_I3_MODE", { uom: UOM.index, subset: "0,1", names: "0 Dimmer, 1 Relay" }),
];
