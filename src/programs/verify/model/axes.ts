/**
 * The axes of a home. An axis is made wide where the profile is silent or the driver may know better: what verification calls
 * impossible must be so.
 */

import { familyOf } from "../../../families.ts";
import type { Node } from "../../../home/nodes.ts";
import type { VariableType } from "../../../home/variables.ts";
import { type Message, type MessageValue, message } from "../../../messages.ts";
import { convertUnit } from "../../../profile/convert-unit.ts";
import type { Editor, EditorRange } from "../../../profile/editor.ts";
import { subsetValues } from "../../../profile/subset.ts";
import { UOM } from "../../../profile/uom.ts";
import { type Axis, rescaled } from "./axis.ts";
import { EVERYTHING, NOTHING, type NumberSet, pointsOf, unionOf, unite } from "./number-set.ts";
import type { World } from "./world.ts";

export const EVENT_AXIS: Axis = plain("event", "what starts it", [0, Number.POSITIVE_INFINITY]);

/** null when the node, its definition or the property in it is not known. */
export function propertyAxis(world: World, address: string, property: string): Axis | null {
  return world.axis(propertyKey(address, property), () => {
    const node = world.home.nodes.get(address);
    const definition = node && world.nodedefOf(node)?.properties.find(({ id }) => id === property);
    if (!node || !definition) return null;
    const editor = world.profile.editor(definition.editor, node.family, node.instance);
    const name = message("axis.property", { property: world.propertyName(address, property), name: node.name });
    return axisOfProperty(node, property, editor, name);
  });
}

export function propertyKey(address: string, property: string): string {
  return `property ${property} ${address}`;
}

export function variableAxis(world: World, type: VariableType, id: number): Axis | null {
  const variable = world.home.variables[type].get(id);
  if (!variable) return null;
  const { name, prec } = variable;
  const key = variableAxisKey(type, id);
  return world.axis(key, () => ({
    ...plain(key, message("thing.variable", { name }), INT32),
    prec,
  }));
}

export function variableAxisKey(type: VariableType, id: number): string {
  return `variable ${type}/${id}`;
}

/** The status of a program or folder. */
export function statusAxis(world: World, id: number): Axis | null {
  const entry = world.programs.get(id);
  return entry
    ? world.axis(statusKey(id), () => plain(statusKey(id), message("thing.program", { name: entry.name }), [0, 1]))
    : null;
}

export function statusKey(id: number): string {
  return `status ${id}`;
}

/** How two variables compare: −1, 0 or 1. The same pair in the other order is another axis. */
export function orderAxis(world: World, left: Axis, right: Axis): Axis | null {
  const key = `order ${left.key} ${right.key}`;
  const domain = left.key === right.key ? [0, 0] : [-1, 1];
  return world.axis(key, () => ({ ...plain(key, left.name, domain), order: { left, right } }));
}

/** Something of which nothing is known but that it can be true or false. */
export function freeAxis(world: World, key: string, name: string): Axis {
  return world.axis(`free ${key}`, () => plain(`free ${key}`, name, [0, 1]));
}

/** Decimal places kept where the editor does not list its values: some drivers know more than their editor. */
const FINE_PREC = 6;
const VALUES_MAX = 4096;
const INT32: NumberSet = [-2_147_483_648, 2_147_483_647];

function plain(key: string, name: MessageValue, domain: NumberSet): Axis {
  return { key, name, domain, uom: null, prec: 0, step: 1, property: null, order: null };
}

function axisOfProperty(node: Node, property: string, editor: Editor | null, name: Message): Axis {
  const reported = node.properties.get(property);
  const known = reported && reported.value !== null ? { value: reported.value, ...unitOf(reported) } : null;
  const ranges = editor?.ranges ?? [];
  const uom = known?.uom ?? usualUnit(node, ranges);
  const isListed = ranges.length > 0 && ranges.every(({ subset }) => subset !== null);
  const listedPrec = Math.max(0, known?.prec ?? 0, ...ranges.map(({ prec }) => prec));
  const prec = uom === UOM.level ? 0 : isListed ? listedPrec : FINE_PREC;
  const axis: Axis = {
    key: propertyKey(node.address, property),
    name,
    domain: EVERYTHING,
    uom,
    prec,
    step: 10 ** Math.max(0, prec - listedPrec),
    property: { node: node.address, id: property },
    order: null,
  };
  const sets = ranges.map((range): NumberSet => valuesOf(range, axis) ?? EVERYTHING);
  const domain = sets.length === 0 ? EVERYTHING : sets.reduce(unite, NOTHING);
  const seen = known ? rescaled(known.value, known.prec, prec) : null;
  return { ...axis, domain: seen === null ? domain : unite(domain, pointsOf([seen])) };
}

function unitOf({ uom, prec }: { readonly uom: number; readonly prec: number }) {
  return { uom: uom === UOM.none ? null : uom, prec };
}

/** The unit of a property that was never reported; null when several are possible. */
function usualUnit(node: Node, ranges: readonly EditorRange[]): number | null {
  const [range, ...more] = ranges;
  if (!range || more.length > 0 || range.uom === UOM.none) return null;
  if (!familyOf(node.family).hasByteLevels) return range.uom;
  // Wired hardware reports levels as bytes, and temperatures in a unit that its model decides.
  if (range.uom === UOM.percent) return UOM.level;
  return range.uom === UOM.degrees ? null : range.uom;
}

/** The range of the editor, on the axis; null when its unit cannot be converted to the axis's. */
function valuesOf(range: EditorRange, axis: Axis): NumberSet | null {
  const convert = converter(range.uom, axis);
  if (convert === null) return null;
  const listed = subsetValues(range, VALUES_MAX);
  if (listed) return pointsOf(listed.map((raw) => convert(raw / 10 ** range.prec)));
  if (range.subset !== null) return EVERYTHING;
  const labelled = pointsOf([...range.names.keys()].map((raw) => convert(raw / 10 ** range.prec)));
  const first = range.min === null ? Number.NEGATIVE_INFINITY : convert(range.min);
  const last = range.max === null ? Number.POSITIVE_INFINITY : convert(range.max);
  return unite(unionOf([[first, last]]), labelled);
}

/** Displayed value of the range → value on the axis. */
function converter(from: number, { uom, prec }: Axis): ((displayed: number) => number) | null {
  const scale = 10 ** prec;
  if (uom === null || from === uom || from === UOM.none) return (displayed) => Math.round(displayed * scale);
  if (convertUnit(0, from, uom) === null) return null;
  return (displayed) => Math.round((convertUnit(displayed, from, uom) ?? 0) * scale);
}
