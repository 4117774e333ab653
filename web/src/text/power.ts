/** Power in words: `0.4 W`, `294 W`, `1.28 kW`. */

import { number } from "./text.ts";

export function powerText(watts: number): string {
  if (Math.abs(watts) >= 1000) return `${number(Math.round(watts / 10) / 100)} kW`;
  return `${number(Math.abs(watts) < 10 ? Math.round(watts * 10) / 10 : Math.round(watts))} W`;
}
