/**
 * The parameters of a command as clients write them, read against the command's definition. Clients write bare values
 * (`DON/128`), pairs of value and unit (`DON/50/51`), names (`?OL.uom51=50`), fractions, and a Python tuple (`DON/(128,)`).
 *
 * A bare level on a wired node whose status is a raw level is the raw byte 0 to 255, and stays one (unit 100): drivers
 * of such nodes take levels in units 51 and 100. Everything else leaves here in a unit of the parameter's editor.
 *
 * @see docs/interface/commands.md
 */

import { familyOf } from "../families.ts";
import type { Editor } from "./editor.ts";
import {
  acceptRawLevel,
  acceptValue,
  describeEditor,
  type EditorValue,
  takesUnit,
  type WrittenValue,
} from "./editor-value.ts";
import type { CommandDefinition, CommandParameter } from "./nodedef.ts";
import {
  type NamedParameter,
  parameterName,
  readSegments,
  readUnit,
  readWritten,
  refused,
  type WrittenNumber,
} from "./parameter-text.ts";
import type { NodedefKey } from "./predicates.ts";
import type { Profile } from "./profile.ts";
import { UOM } from "./uom.ts";

/** displayed = value / 10^prec; the id of the unnamed first parameter is "". */
export type ParameterValue = EditorValue & { readonly id: string };

/**
 * Reads what was written after the command's name.
 *
 * @param statusUom unit of the node's ST, null when it has none or no value yet.
 * @param definition null when the nodedef is unknown: values are then passed on unchecked.
 * @param segments path segments behind the command id, percent-decoded.
 * @param named query parameters, as `readNamedParameters` gives them; the one without a name is the first parameter.
 * @throws ControllerError BAD_PARAMETER with a sentence that names the parameter and what it takes.
 */
export function readCommandParameters(
  profile: Profile,
  node: NodedefKey,
  statusUom: number | null,
  definition: CommandDefinition | null,
  segments: readonly string[],
  named: ReadonlyMap<string, NamedParameter>,
): readonly ParameterValue[] {
  const numbers = readSegments(segments);
  if (definition === null) return [...readUndefined(numbers), ...readUndefinedNames(named)];
  const slots = definition.parameters.map((parameter) => slotFor(profile, node, statusUom, definition, parameter));
  const written = new Map<string, WrittenValue>();
  for (const [index, value] of spread(numbers, slots).entries()) {
    written.set(slots[index]?.parameter.id ?? "", value);
  }
  for (const [name, value] of named) putNamed(written, slots, name, value);
  return slots.flatMap((slot) => readSlot(slot, written.get(slot.parameter.id)) ?? []);
}

/**
 * The level of a group command in percent, 0 to 100, or null without one.
 *
 * @throws ControllerError BAD_PARAMETER
 */
export function readGroupLevel(
  segments: readonly string[],
  named: ReadonlyMap<string, NamedParameter>,
): EditorValue | null {
  const [number, unit, ...more] = readSegments(segments);
  const byName = named.get("");
  if (more.length > 0 || (number && byName)) throw refused("A group takes one level: 0 to 100 %.");
  const written = byName
    ? readWritten("The level", byName)
    : number
      ? { ...number, uom: unit ? readUnit(unit) : null }
      : null;
  if (written === null) return null;
  const level = acceptValue(GROUP_LEVEL, written);
  if (level === null) throw refused(`The level ${written.value} is refused: a group takes 0 to 100 %.`);
  return level;
}

/** Whether an editor takes a raw value in this unit and precision; no editor takes every value. */
export function checkAgainstEditor(editor: Editor | null, value: number, uom: number, prec: number): boolean {
  return Number.isFinite(value) && acceptValue(editor, { value: value / 10 ** prec, decimals: prec, uom }) !== null;
}

/** Commands whose level wired hardware takes as a raw byte. */
const LEVEL_COMMANDS: ReadonlySet<string> = new Set(["DON", "DFON", "OL"]);
const GROUP_LEVEL: Editor = {
  id: "group level",
  ranges: [{ uom: UOM.percent, prec: 0, min: 0, max: 100, step: null, subset: null, names: new Map() }],
};

type Slot = { readonly parameter: CommandParameter; readonly editor: Editor | null; readonly rawLevel: boolean };

function slotFor(
  profile: Profile,
  node: NodedefKey,
  statusUom: number | null,
  definition: CommandDefinition,
  parameter: CommandParameter,
): Slot {
  const editor = profile.editor(parameter.editor, node.family, node.instance);
  const statusIsLevel = statusUom === UOM.level || statusUom === UOM.none || statusUom === null;
  const rawLevel =
    familyOf(node.family).hasByteLevels && statusIsLevel && LEVEL_COMMANDS.has(definition.id) && takesLevels(editor);
  return { parameter, editor, rawLevel };
}

function takesLevels(editor: Editor | null): boolean {
  return editor?.ranges.some(({ uom }) => uom === UOM.percent) ?? false;
}

/** Without a definition two segments are a value and its unit, any other number of them are values. */
function readUndefined(numbers: readonly WrittenNumber[]): readonly ParameterValue[] {
  const [value, unit] = numbers;
  const isPair = numbers.length === 2 && value && unit && Number.isInteger(unit.value) && unit.value >= 0;
  const written = isPair ? [{ ...value, uom: readUnit(unit) }] : numbers.map((number) => ({ ...number, uom: null }));
  return written.flatMap((each) => unchecked("", each));
}

function readUndefinedNames(named: ReadonlyMap<string, NamedParameter>): readonly ParameterValue[] {
  return [...named].flatMap(([id, value]) => unchecked(id, readWritten(parameterName(id), value)));
}

function unchecked(id: string, written: WrittenValue): ParameterValue {
  const accepted = acceptValue(null, written);
  if (accepted === null) throw refused(`${parameterName(id)} is too large: ${written.value}`);
  return { id, ...accepted };
}

/**
 * Puts segments to parameters. Twice as many are pairs; as many or fewer are bare values, unless the second one is a
 * unit of the first parameter and no value of the second. Between the two, a segment is a unit where it can be one:
 * clients leave the unit out where an editor has none.
 */
function spread(numbers: readonly WrittenNumber[], slots: readonly Slot[]): readonly WrittenValue[] {
  if (numbers.length > 0 && numbers.length === slots.length * 2) return inPairs(numbers);
  if (numbers.length <= slots.length && !startsWithPair(numbers, slots)) {
    return numbers.map((number) => ({ ...number, uom: null }));
  }
  return withUnitsWherePossible(numbers, slots);
}

/**
 * Whether the second number is the unit of the first. Where it could also be the second parameter's value, a parameter
 * that may be missing yields: clients write pairs, and 60 % must not become 60 % over 51 minutes.
 */
function startsWithPair(numbers: readonly WrittenNumber[], slots: readonly Slot[]): boolean {
  const [first, second] = slots;
  const candidate = numbers[1];
  if (!candidate || !first || !second || !takesUnit(first.editor, candidate.value)) return false;
  if (second.parameter.optional && areAllPairs(numbers, slots)) return true;
  return readValue(second, { ...candidate, uom: null }) === null;
}

function areAllPairs(numbers: readonly WrittenNumber[], slots: readonly Slot[]): boolean {
  const isUnit = ({ value }: WrittenNumber, slot: Slot | undefined) =>
    slot !== undefined && takesUnit(slot.editor, value);
  return numbers.length % 2 === 0 && numbers.every((number, at) => at % 2 === 0 || isUnit(number, slots[(at - 1) / 2]));
}

function inPairs(numbers: readonly WrittenNumber[]): readonly WrittenValue[] {
  return numbers.flatMap((unit, index) => {
    const value = numbers[index - 1];
    return index % 2 === 1 && value ? [{ ...value, uom: readUnit(unit) }] : [];
  });
}

function withUnitsWherePossible(numbers: readonly WrittenNumber[], slots: readonly Slot[]): readonly WrittenValue[] {
  const written: WrittenValue[] = [];
  let rest = numbers;
  for (const slot of slots) {
    const [value, next] = rest;
    if (!value) break;
    const hasUnit = next !== undefined && takesUnit(slot.editor, next.value);
    written.push({ ...value, uom: hasUnit ? next.value : null });
    rest = rest.slice(hasUnit ? 2 : 1);
  }
  if (rest.length > 0) throw refused(`The command takes ${plural(slots.length)}; ${numbers.length} given.`);
  return written;
}

function plural(count: number): string {
  return count === 0 ? "no parameter" : count === 1 ? "1 parameter" : `${count} parameters`;
}

function putNamed(
  written: Map<string, WrittenValue>,
  slots: readonly Slot[],
  name: string,
  value: NamedParameter,
): void {
  const slot = slots.find(({ parameter }) => parameter.id === name) ?? (name === "" ? slots[0] : undefined);
  if (!slot) throw refused(`${parameterName(name)} is unknown to this command.`);
  const { id } = slot.parameter;
  if (written.has(id)) throw refused(`${parameterName(id)} is given twice.`);
  written.set(id, readWritten(parameterName(id), value));
}

function readSlot(slot: Slot, written: WrittenValue | undefined): ParameterValue | null {
  const name = parameterName(slot.parameter.id);
  if (!written) {
    if (slot.parameter.optional) return null;
    throw refused(`${name} is required: ${takes(slot)}.`);
  }
  const accepted = readValue(slot, written);
  if (accepted) return { id: slot.parameter.id, ...accepted };
  const unit = written.uom === null ? "" : ` in unit ${written.uom}`;
  throw refused(`${name} is refused with ${written.value}${unit}: it takes ${takes(slot)}.`);
}

function readValue({ editor, rawLevel }: Slot, written: WrittenValue): EditorValue | null {
  const isLevel = rawLevel && (written.uom === null || written.uom === UOM.none || written.uom === UOM.level);
  return isLevel ? acceptRawLevel(editor, written.value) : acceptValue(editor, written);
}

function takes({ editor, rawLevel }: Slot): string {
  return rawLevel ? `0 to 255 without a unit, or ${describeEditor(editor)}` : describeEditor(editor);
}
