/** Units in words, as firmware before 5 wrote them beside the values of wired devices, and their numbers. */

import { UOM } from "../../profile/uom.ts";

/** The number of a unit that was written as a word, or null for an unknown word. */
export function unitOfWord(propertyId: string, word: string): number | null {
  return OF_PROPERTY[propertyId] ?? WORDS.get(word.trim().toLowerCase()) ?? null;
}

/** Properties whose unit was written as "n/a", or as a measure that is not that of the raw value. */
const OF_PROPERTY: Readonly<Record<string, number>> = { RR: UOM.index, CLIMD: 98, CLIFS: 99, CLIHCS: 66, CLIHUM: 22 };

const WORDS: ReadonlyMap<string, number> = new Map([
  ["%/on/off", UOM.level],
  ["on/off", UOM.level],
  ["off/low/med/high", UOM.level],
  ["degrees", UOM.halfDegrees],
  ["locked/unlocked", UOM.deadbolt],
  ["open/closed", UOM.openClosed],
  ["open/closed/closing/opening/stopped", UOM.barrier],
  ["%", UOM.percent],
  ["seconds", UOM.seconds],
]);
