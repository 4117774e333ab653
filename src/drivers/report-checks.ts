/**
 * Checks of driver reports, as pure functions: the form of addresses and ids, the range of numbers, the characters of
 * texts. Each returns the violation as a sentence, or null.
 */

import { familyOf } from "../families.ts";
import type { Origin } from "../home/origin.ts";
import { CONTROLS } from "../util/foreign-text.ts";
import type { NodeSpec } from "./driver.ts";
import type { PropertyReport } from "./report.ts";

const NAME_LENGTH_MAX = 200;
const TEXT_LENGTH_MAX = 1000;
const ID = /^[A-Za-z0-9_.-]{1,32}$/;
const NODEDEF_ID = /^[A-Za-z0-9_.-]{1,64}$/;
const TYPE = /^\d{1,5}\.\d{1,5}\.\d{1,5}\.\d{1,5}$/;
const PREC_MAX = 9;
const UOM_MAX = 65_535;

export function violationOfSpec(spec: NodeSpec): string | null {
  const form = familyOf(spec.family).addressForm;
  if (!isCount(spec.family, UOM_MAX) || !isCount(spec.instance, UOM_MAX))
    return "The family or instance is not a number.";
  if (!fits(form, spec.address)) return "The address does not have the form of its family.";
  if (!fits(form, spec.primary)) return "The address of the first node does not have the form of its family.";
  if (!fits(NODEDEF_ID, spec.nodeDefId)) return "The nodedef id is malformed.";
  return fits(TYPE, spec.type) ? null : "The type is not four dotted numbers.";
}

export function violationOfReport({ id, value, uom, prec }: PropertyReport): string | null {
  if (!fits(ID, id)) return "The property id is malformed.";
  if (value !== null && !Number.isSafeInteger(value)) return `The value of ${id} is not an integer.`;
  if (!isCount(uom, UOM_MAX)) return `The unit of ${id} is not a unit id.`;
  return isCount(prec, PREC_MAX) ? null : `The precision of ${id} is not 0 to 9.`;
}

export function violationOfControl(control: string, value: number): string | null {
  if (!fits(ID, control)) return "The control id is malformed.";
  return Number.isSafeInteger(value) ? null : `The value of ${control} is not an integer.`;
}

/** A name that a device gives: without control characters, 1 to 200 characters long, `fallback` when nothing is left. */
export function cleanName(name: string, fallback: string): string {
  return cleanText(name, NAME_LENGTH_MAX).trim() || fallback;
}

/** A text for a value that no editor can format. */
export function cleanReportText(text: string | undefined): string | null {
  return text === undefined ? null : cleanText(text, TEXT_LENGTH_MAX);
}

/** With a name that is at most as long as that of a node. */
export function cleanOrigin(origin: Origin | undefined): Origin | null {
  if (origin?.kind !== "automation" && origin?.kind !== "person") return null;
  return { kind: origin.kind, name: cleanText(origin.name, NAME_LENGTH_MAX).trim() };
}

const ALL_CONTROLS = new RegExp(CONTROLS, "gu");

function cleanText(text: string, lengthMax: number): string {
  if (typeof text !== "string") return "";
  const clean = text.toWellFormed().replaceAll(ALL_CONTROLS, "");
  return clean.length <= lengthMax ? clean : [...clean].slice(0, lengthMax).join("");
}

/** A driver is foreign code: what its types promise as a text may be anything, and testing it must not call it. */
function fits(form: RegExp, text: unknown): boolean {
  return typeof text === "string" && form.test(text);
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}
