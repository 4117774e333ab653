/**
 * The conversions that commands need: a level between percent and 0–255, a temperature between its scales.
 * A device's own degrees (14) and half degrees (101) have no scale of their own: their number is taken as it is.
 */

import { UOM } from "./uom.ts";

const LEVEL_MAX = 255;
const PERCENT_MAX = 100;

/** The displayed value in the other unit, or null when one does not become the other. */
export function convertUnit(displayed: number, from: number, to: number): number | null {
  if (from === to) return displayed;
  if (from === UOM.level && to === UOM.percent) return Math.round((displayed * PERCENT_MAX) / LEVEL_MAX);
  if (from === UOM.percent && to === UOM.level) return Math.round((displayed * LEVEL_MAX) / PERCENT_MAX);
  const degrees = convertTemperature(displayed, from, to);
  return degrees !== null && to === UOM.halfDegrees ? Math.round(degrees) : degrees;
}

/** Decimal places that a converted temperature is compared with. */
export const DEGREES_PREC = 4;

/** The temperature on another scale, or null: it is the same scale already, or one of the two is no temperature. */
export function convertTemperature(displayed: number, from: number, to: number): number | null {
  return from !== to && isTemperature(from) && isTemperature(to) ? onScale(displayed, from, to) : null;
}

export function isTemperature(uom: number): boolean {
  return uom === UOM.celsius || uom === UOM.fahrenheit || uom === UOM.degrees || uom === UOM.halfDegrees;
}

function onScale(displayed: number, from: number, to: number): number {
  if (from === UOM.halfDegrees) return displayed / 2;
  if (to === UOM.halfDegrees) return displayed * 2;
  if (from === UOM.celsius && to === UOM.fahrenheit) return (displayed * 9) / 5 + 32;
  if (from === UOM.fahrenheit && to === UOM.celsius) return ((displayed - 32) * 5) / 9;
  return displayed;
}
