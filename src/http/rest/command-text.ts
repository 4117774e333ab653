/**
 * The text of a command, as numbers. Clients write bare values (`DON/128`), pairs of value and unit (`DON/50/51`), names
 * (`?OL.uom51=50`), fractions, and a Python tuple (`DON/(128,)`). Which segments are units depends on the parameters of the
 * command, so they are read against the definition of the node, or of the first member of a group that accepts it.
 *
 * @see docs/interface/commands.md
 */

import { acceptsCommand, type CommandRequest } from "../../commands/node-command.ts";
import { findNode, type Node } from "../../home/nodes.ts";
import {
  acceptParameter,
  badParameter,
  findMeaning,
  type ParameterSlot,
  type ParameterValue,
  parameterName,
  printable,
  slotFor,
  tooMany,
} from "../../profile/command-resolver.ts";
import { displayedValue, type EditorValue, takesUnit } from "../../profile/editor-value.ts";
import { UOM, uomOfWord } from "../../profile/uom.ts";
import type { Services } from "../services.ts";

type ReadPorts = Pick<Services, "home" | "profile">;
type Query = Iterable<readonly [name: string, value: string]>;
type WrittenNumber = Pick<EditorValue, "value" | "prec">;

/**
 * @param segments of the path behind the command, percent-decoded.
 * @param query `OL=128`, `OL.uom51=50`, or `OL.51=50`, as one client writes it; `.uom51=50` is the first parameter.
 * @throws ControllerError BAD_PARAMETER. Whether the node exists and accepts the command is for others to say.
 */
export function readCommandText(
  services: ReadPorts,
  address: string,
  command: string,
  segments: readonly string[],
  query: Query,
): CommandRequest {
  const node = commandedNode(services, address, command);
  const isGroup = address === services.home.controller.uuid || services.home.groups.has(address);
  if (node ? !acceptsCommand(services, node, command) : !isGroup) return { address, command, parameters: [] };
  const positional =
    readWithUnitWords(segments) ?? readPositional(readNumbers(segments), node && slotsOf(services, node, command));
  const named = [...query].map(readNamed);
  if (positional.length > 0 && named.some(({ id }) => id === "")) throw badParameter("The value is given twice.");
  return { address, command, parameters: [...positional, ...named] };
}

/**
 * `68/F`, `50/percent`, `50/[percent]`: a word behind a value is its unit. null without such a word.
 * @throws ControllerError BAD_PARAMETER for any other word.
 */
function readWithUnitWords(segments: readonly string[]): readonly ParameterValue[] | null {
  const texts = segments.map((segment) => segment.trim()).filter((text) => !NO_VALUE.test(text));
  if (!texts.some(isWord)) return null;
  return texts.flatMap((text, at) => {
    const next = texts[at + 1];
    if (!isWord(text))
      return { ...bare(readNumber(`The parameter "${printable(text)}"`, text)), uom: unitOfWord(next) };
    if (at === 0 || isWord(texts[at - 1])) throw badParameter(`The unit "${printable(text)}" has no value.`);
    return [];
  });
}

/** What clients send for no value: nothing, or Python's word for it. A list of arguments is read elsewhere. */
const NO_VALUE = /^(?:none|null)?$/i;

function isWord(text: string | undefined): text is string {
  return text !== undefined && !text.includes("(") && !/\d/.test(text) && /[\p{L}%°]/u.test(text);
}

function unitOfWord(text: string | undefined): number {
  if (!isWord(text)) return UOM.none;
  const uom = uomOfWord(text);
  if (uom === null) throw badParameter(`"${printable(text)}" is not a unit of measure.`);
  return uom;
}

/** One client sends its argument list as Python prints a tuple; a text without a digit is no value and is passed over. */
export function readNumbers(segments: readonly string[]): readonly WrittenNumber[] {
  return segments
    .flatMap((segment) => (segment.includes("(") ? segment.split(/[\s(),]+/) : segment.trim()))
    .filter((text) => /\d/.test(text))
    .map((text) => readNumber(`The parameter "${printable(text)}"`, text));
}

const NAMED_WITH_UNIT = /^(.*)\.(?:uom)?(\d{1,4})$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.(\d{0,15}))?|\.(\d{1,15}))$/;
const PREC_MAX = 6;
const UOM_MAX = 9999;
/** Commands for which a group accepts a level. Members interpret all others themselves. */
const GROUP_LEVEL_COMMANDS: ReadonlySet<string> = new Set(["DON", "DFON"]);

/** The node whose definition gives meaning to the segments; null without one. */
function commandedNode({ home, profile }: ReadPorts, address: string, command: string): Node | null {
  const node = findNode(home, address);
  if (node) return node;
  if (GROUP_LEVEL_COMMANDS.has(command)) return null;
  const isAll = address === home.controller.uuid;
  const members = isAll ? home.nodes.keys() : (home.groups.get(address)?.members.map((each) => each.address) ?? []);
  for (const member of members) {
    const found = findNode(home, member);
    if (found && acceptsCommand({ profile }, found, command)) return found;
  }
  return null;
}

/** null: nothing says what the segments stand for. */
function slotsOf({ profile }: ReadPorts, node: Node, command: string): readonly ParameterSlot[] | null {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  const meaning = findMeaning(nodedef, { command, parameters: [] });
  if (!meaning?.definition || meaning.isAlias) return null;
  const { definition } = meaning;
  return meaning.places.map((parameter) => slotFor(profile, node, definition, parameter));
}

function readNamed([key, text]: readonly [string, string]): ParameterValue {
  const match = NAMED_WITH_UNIT.exec(key);
  const id = match ? (match[1] ?? "") : key;
  return { id, ...readNumber(parameterName(id), text.trim()), uom: match ? Number(match[2]) : UOM.none };
}

/**
 * Twice as many numbers as parameters are pairs; as many or fewer are bare values, unless the second one is a unit of the
 * first parameter and no value of the second. Between the two, a number is a unit where it can be one: clients leave the
 * unit out where an editor has none. Without a definition two numbers are a value and its unit.
 */
function readPositional(
  numbers: readonly WrittenNumber[],
  slots: readonly ParameterSlot[] | null,
): readonly ParameterValue[] {
  const places = slots ?? [];
  const [, second] = numbers;
  const isPair = numbers.length === 2 && second !== undefined && unitOf(second) !== null;
  if (slots === null) return isPair ? inPairs(numbers) : numbers.map(bare);
  if (numbers.length > 0 && numbers.length === places.length * 2) return inPairs(numbers);
  if (numbers.length <= places.length && !startsWithPair(numbers, places)) return numbers.map(bare);
  return withUnitsWherePossible(numbers, places);
}

/**
 * Whether the second number is the unit of the first. Where it could also be the second parameter's value, an optional
 * parameter yields: clients write pairs, and 60 % must not become 60 % over 51 minutes.
 */
function startsWithPair(numbers: readonly WrittenNumber[], slots: readonly ParameterSlot[]): boolean {
  const [first, second] = slots;
  const candidate = numbers[1];
  if (!candidate || !first || !second || !takesUnit(first.editor, displayedValue(candidate))) return false;
  if (second.parameter.optional && areAllPairs(numbers, slots)) return true;
  return acceptParameter(second, bare(candidate)) === null;
}

function areAllPairs(numbers: readonly WrittenNumber[], slots: readonly ParameterSlot[]): boolean {
  const isUnit = (number: WrittenNumber, slot: ParameterSlot | undefined) =>
    slot !== undefined && takesUnit(slot.editor, displayedValue(number));
  return numbers.length % 2 === 0 && numbers.every((number, at) => at % 2 === 0 || isUnit(number, slots[(at - 1) / 2]));
}

function inPairs(numbers: readonly WrittenNumber[]): readonly ParameterValue[] {
  return numbers.flatMap((unit, index) => {
    const value = numbers[index - 1];
    return index % 2 === 1 && value ? [{ ...bare(value), uom: readUnit(unit) }] : [];
  });
}

function withUnitsWherePossible(
  numbers: readonly WrittenNumber[],
  slots: readonly ParameterSlot[],
): readonly ParameterValue[] {
  const values: ParameterValue[] = [];
  let rest = numbers;
  for (const slot of slots) {
    const [value, next] = rest;
    if (!value) break;
    const hasUnit = next !== undefined && takesUnit(slot.editor, displayedValue(next));
    values.push({ ...bare(value), uom: hasUnit ? displayedValue(next) : UOM.none });
    rest = rest.slice(hasUnit ? 2 : 1);
  }
  if (rest.length > 0) throw tooMany(slots.length, numbers.length);
  return values;
}

function bare({ value, prec }: WrittenNumber): ParameterValue {
  return { id: "", value, uom: UOM.none, prec };
}

function readUnit(number: WrittenNumber): number {
  const unit = unitOf(number);
  if (unit === null) throw badParameter(`${displayedValue(number)} is not a unit of measure.`);
  return unit;
}

function unitOf(number: WrittenNumber): number | null {
  const unit = displayedValue(number);
  return Number.isInteger(unit) && unit >= 0 && unit <= UOM_MAX ? unit : null;
}

/** Finer than six decimal places is rounded, and so is more than a number holds. */
function readNumber(name: string, text: string): WrittenNumber {
  const match = NUMBER.exec(text);
  if (!match) throw badParameter(`${name} is not a number.`);
  let prec = Math.min((match[1] ?? match[2] ?? "").length, PREC_MAX);
  while (!Number.isSafeInteger(Math.round(Number(text) * 10 ** prec))) prec -= 1;
  return { value: Math.round(Number(text) * 10 ** prec) + 0, prec };
}
