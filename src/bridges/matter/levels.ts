/** Levels of Matter, 1 to 254, and what a command for one does. Pure. */

import { UOM } from "../../profile/uom.ts";

const LEVEL_MAX = 254;
const RAW_MAX = 255;
const PERCENT_MAX = 100;
/** An "off" and a level that follows at once come from one order of a person, who wants the lamp off. */
const AFTER_OFF_MS = 1000;

/** null for a lamp that is off, or in a state without a level: the level that it had stays. */
export function matterLevel(displayed: number | null, uom: number): number | null {
  const max = fullOf(uom);
  if (displayed === null || displayed <= 0 || displayed > max) return null;
  return Math.max(1, Math.min(LEVEL_MAX, Math.round((displayed * LEVEL_MAX) / max)));
}

/** The displayed value, never 0: a lamp with a level is on. */
export function levelValue(level: number, uom: number): number {
  return Math.max(1, Math.round((Math.min(level, LEVEL_MAX) * fullOf(uom)) / LEVEL_MAX));
}

export function percentOf(displayed: number, uom: number): number {
  return Math.max(0, Math.min(PERCENT_MAX, Math.round((displayed * PERCENT_MAX) / fullOf(uom))));
}

export function percentValue(percent: number, uom: number): number {
  return Math.round((percent * fullOf(uom)) / PERCENT_MAX);
}

type LevelRequest = {
  readonly level: number;
  readonly minLevel: number;
  /** The command switches the lamp on or off with its level. */
  readonly withOnOff: boolean;
  readonly isOn: boolean;
  /** Since an "off" of the same controller; null: there was none. */
  readonly sinceOffMs: number | null;
};

/** "store": only the level to which the lamp comes on the next time changes. */
export function effectOfLevel({ level, minLevel, withOnOff, isOn, sinceOffMs }: LevelRequest): "off" | "store" | "set" {
  if (withOnOff && level <= minLevel) return "off";
  if (sinceOffMs !== null && sinceOffMs < AFTER_OFF_MS) return "store";
  return isOn || withOnOff ? "set" : "store";
}

function fullOf(uom: number): number {
  return uom === UOM.level ? RAW_MAX : PERCENT_MAX;
}
