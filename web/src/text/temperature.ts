/** Temperatures in words, in the unit of the home. */

import { homeUnits } from "./home-units.ts";
import { number } from "./text.ts";

/** `21.5°`, with the letter of the unit where temperatures stand among other values. */
export function temperatureText(value: number, withLetter = false): string {
  const letter = withLetter ? (homeUnits() === "us" ? "F" : "C") : "";
  return `${number(Math.round(value * 10) / 10)}${withLetter ? " " : ""}°${letter}`;
}
