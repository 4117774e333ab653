/** Reads properties from the status table or from their node. */

import type { Property } from "../../home/property.ts";
import { UOM } from "../../profile/uom.ts";
import { withoutEnd } from "../../util/foreign-text.ts";
import { childElements, type XmlElement } from "../../util/read-xml.ts";
import { text, whole } from "../../wire/loose.ts";
import type { TreeObject } from "../../wire/spelling/tree.ts";

export type ReceivedProperty = Pick<Property, "id" | "value" | "uom" | "prec"> & { readonly formatted: string };

/** The form of property ids everywhere. Other ids appear in documents, but no device has them. */
const ID = /^[A-Za-z0-9_.-]{1,32}$/;
const PREC_MAX = 9;
const UOM_MAX = 65_535;
const WORD_LENGTH_MAX = 40;

/** By address of the node. */
export function readStatus(document: XmlElement): ReadonlyMap<string, readonly ReceivedProperty[]> {
  return new Map(
    childElements(document, "node").map((node) => {
      const properties = childElements(node, "property").map((each) => Object.fromEntries(each.attributes));
      return [node.attributes.get("id") ?? "", receivedProperties(properties)];
    }),
  );
}

export function receivedProperties(properties: readonly TreeObject[]): readonly ReceivedProperty[] {
  return properties.flatMap((each): readonly ReceivedProperty[] => {
    const id = text(each.id);
    if (!ID.test(id)) return [];
    const uom = whole(each.uom) ?? unitOfWord(id, text(each.uom).slice(0, WORD_LENGTH_MAX)) ?? 0;
    const quantity = rawValue(text(each.value), whole(each.prec) ?? 0);
    return [{ id, uom: uom <= UOM_MAX ? uom : 0, formatted: text(each.formatted), ...quantity }];
  });
}

/** A value with decimals is stored with a finer precision. */
function rawValue(written: string, prec: number): { readonly value: number | null; readonly prec: number } {
  const match = /^\s*([+-]?\d{1,16})(?:\.(\d{1,9}))?\s*$/.exec(written);
  const received = Math.min(prec, PREC_MAX);
  if (!match) return { value: null, prec: received };
  const decimals = withoutEnd(match[2] ?? "", "0");
  const value = Number(`${match[1]}${decimals}`);
  const finer = received + decimals.length;
  return Number.isSafeInteger(value) && finer <= PREC_MAX
    ? { value: value + 0, prec: finer }
    : { value: null, prec: received };
}

/** The number of a unit that firmware before 5 wrote as a word, or null for an unknown word. */
function unitOfWord(propertyId: string, word: string): number | null {
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
