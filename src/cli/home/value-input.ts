/** Values as people write them, read with the editor of what they are for: `on`, `75%`, `21.5°C`, `21,5 C`, `heat`. */

import { ClientError, type CommandValue, type Editor, type EditorRange } from "@domovoi/client";
import { nearestRamp } from "../../profile/ramps.ts";
import { findUom } from "../../profile/uom.ts";
import { readSeconds } from "../edit/edit-output.ts";
import { usageFailure } from "../outcome.ts";

/** An optional sign, digits with a decimal point or comma, then maybe a unit. */
const QUANTITY = /^([+-]?\d+(?:[.,]\d+)?)\s*(\D.*)?$/u;
/** Further spellings of units' symbols. */
const SPELLINGS: Readonly<Record<string, string>> = {
  percent: "%",
  second: "seconds",
  minute: "minutes",
  hour: "hours",
};

/**
 * A label first: some of them are numbers. Without a unit a number is meant in the first unit that takes it.
 * @param what the value is for, as a sentence begins: `DON of Hall Ceiling`
 * @throws CommandFailure usage, with what the editor takes.
 */
export function readValue(text: string, editor: Editor | null, what: string): CommandValue {
  const written = text.trim();
  const label = editor && (findLabel(editor, written) ?? findRamp(editor, written, what));
  if (label) return label;
  const [, digits, unit] = QUANTITY.exec(written) ?? [];
  if (digits === undefined) throw refused(what, text, editor);
  const value = Number(digits.replace(",", "."));
  const uom = unit === undefined ? undefined : editor && uomCalled(unit, editor);
  if (uom === null) throw refused(what, text, editor);
  const read = uom === undefined ? value : { value, uom };
  if (editor && !isTaken(editor, read)) throw refused(what, text, editor);
  return read;
}

function findLabel(editor: Editor, written: string): CommandValue | null {
  const wanted = written.toLowerCase();
  for (const { uom, prec, names } of editor.ranges) {
    for (const [raw, name] of names) {
      if (name.toLowerCase() === wanted) return { value: raw / 10 ** prec, uom: Number(uom) };
    }
  }
  return null;
}

/** A list of times takes any time, as scenes do: the nearest counts. A bare number would be a place in the list. */
function findRamp({ ranges }: Editor, written: string, what: string): CommandValue | null {
  for (const { uom, names } of ranges) {
    if (nearestRamp(names, 0) === null) continue;
    if (Number.isFinite(Number(written))) throw usageFailure(`${what} takes a time with its unit: 500ms, 2s, 3m.`);
    return { value: nearestRamp(names, readSeconds(written)) ?? 0, uom: Number(uom) };
  }
  return null;
}

function isTaken(editor: Editor, value: CommandValue): boolean {
  try {
    editor.encode(value);
    return true;
  } catch (error) {
    if (error instanceof ClientError) return false;
    throw error;
  }
}

/** Among the editor's own units, so that "%" is the one that is meant there. */
function uomCalled(unit: string, editor: Editor): number | null {
  const wanted = normalized(unit);
  const found = editor.units.map(Number).find((uom) => {
    const { symbol } = findUom(uom);
    return symbol !== "" && [normalized(symbol), normalized(symbol.slice(0, 1))].includes(wanted);
  });
  return found ?? null;
}

/** Without case, spaces and the sign of degrees: "C", "°C" and "° c" are one. */
function normalized(unit: string): string {
  const bare = unit.toLowerCase().replaceAll(/[\s°]/g, "");
  return SPELLINGS[bare] ?? bare;
}

const LABELS_MAX = 12;

function refused(what: string, text: string, editor: Editor | null): Error {
  return usageFailure(
    `${what} does not take "${text}": ${editor ? `it takes ${describe(editor)}` : "a number is expected"}.`,
  );
}

/** `0 to 100%`, `Off, Heat or Cool`. */
function describe({ ranges }: Editor): string {
  return ranges.map(describeRange).join(", or ");
}

function describeRange({ uom, min, max, subset, names }: EditorRange): string {
  const unit = findUom(Number(uom)).suffix;
  const labels = [...names.values()].slice(0, LABELS_MAX);
  const listed = names.size > LABELS_MAX ? `${labels.join(", ")} …` : labels.join(", ").replace(/, ([^,]*)$/, " or $1");
  if (min !== null && max !== null) return `${min} to ${max}${unit}`;
  if (names.size > 0) return listed;
  return subset === null ? `a number${unit === "" ? "" : ` in ${unit.trim()}`}` : `${subset}${unit}`;
}
