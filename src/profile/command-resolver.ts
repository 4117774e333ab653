/**
 * The one resolver of commands: which command of a nodedef is meant, which parameter each value belongs to, and what the
 * value is in a unit of that parameter's editor. Clients, programs and scenes give commands in numbers; how they spell
 * these is read before.
 *
 * A command by its own name comes first, then what older clients call it, then a settable property. Every node takes a
 * query, which its driver answers, also where a nodedef lists it among its commands.
 *
 * @see docs/interface/commands.md
 */

import { ControllerError } from "../errors.ts";
import { familyOf } from "../families.ts";
import { isTemperature } from "./convert-unit.ts";
import type { Editor } from "./editor.ts";
import { acceptRawLevel, acceptValue, describeEditor, displayedValue, type EditorValue } from "./editor-value.ts";
import type { CommandDefinition, CommandParameter, Nodedef } from "./nodedef.ts";
import type { NodedefKey } from "./predicates.ts";
import type { Profile } from "./profile.ts";
import { UOM } from "./uom.ts";

/**
 * displayed = value / 10^prec. A parameter without an id is matched by its position. Unit 0 means none: the editor
 * decides.
 */
export type ParameterValue = EditorValue & { readonly id: string };

export type GivenCommand = { readonly command: string; readonly parameters: readonly ParameterValue[] };

export type CommandMeaning = GivenCommand & {
  readonly kind: "query" | "command";
  /** null: the node has no nodedef, so nothing is checked. */
  readonly definition: CommandDefinition | null;
  /** The parameters that values without an id stand for, in order. */
  readonly places: readonly CommandParameter[];
  /** Older clients call it so: values without an id are ignored, because the name says it all. */
  readonly isAlias: boolean;
};

export type ResolvedCommand = GivenCommand & { readonly kind: "query" | "command" };

/** A node as far as its commands depend on it. */
type CommandedNode = NodedefKey & {
  readonly properties: { get(id: string): { readonly uom: number } | undefined };
};

/**
 * The command as a driver takes it. A bare level on a wired node whose status is a raw level is the raw byte 0 to 255 and
 * stays one (unit 100): drivers of such nodes take levels in units 51 and 100. A bare temperature on a node whose status
 * is in half degrees counts half degrees: 140 is 70°. Every value but the raw byte leaves here in a unit of the parameter's
 * editor.
 *
 * @returns null when the node does not accept the command.
 * @throws ControllerError BAD_PARAMETER with a sentence that names the parameter and what it takes.
 */
export function resolveCommand(profile: Profile, node: CommandedNode, given: GivenCommand): ResolvedCommand | null {
  const meaning = findMeaning(profile.nodedef(node.nodeDefId, node.family, node.instance), given);
  if (!meaning) return null;
  const { kind, command } = meaning;
  return { kind, command, parameters: resolveParameters(profile, node, meaning) };
}

/** null: the node does not accept it. */
export function findMeaning(nodedef: Nodedef | null, given: GivenCommand): CommandMeaning | null {
  const { command, parameters } = given;
  const plain = { kind: "command", command, parameters, isAlias: false } as const;
  if (command === QUERY.id) return { ...plain, kind: "query", definition: QUERY, places: [] };
  if (!nodedef) return { ...plain, definition: null, places: [] };
  const definition = accepted(nodedef, command);
  if (definition) return { ...plain, definition, places: definition.parameters };
  return findAlias(nodedef, given) ?? findSetter(nodedef, given);
}

/** The values in units of the editors, in the order of the definition. @throws ControllerError BAD_PARAMETER */
export function resolveParameters(
  profile: Profile,
  node: CommandedNode,
  meaning: CommandMeaning,
): readonly ParameterValue[] {
  const { definition } = meaning;
  if (definition === null) return meaning.parameters.map(unchecked);
  const values = new Map<CommandParameter, ParameterValue>();
  for (const { given, parameter } of placeParameters(meaning)) {
    if (!parameter) throw withoutPlace(meaning, given);
    if (values.has(parameter)) throw badParameter(`${parameterName(parameter.id)} is given twice.`);
    values.set(parameter, given);
  }
  return definition.parameters.flatMap((parameter) => {
    const slot = slotFor(profile, node, definition, parameter);
    return resolveParameter(slot, values.get(parameter)) ?? [];
  });
}

/**
 * Pairs each value with its parameter, by id or by position; null when a parameter does not exist. A parameter without
 * an id goes by the property that it starts from.
 */
export function placeParameters({ definition, places, parameters }: CommandMeaning) {
  let at = 0;
  return parameters.map((given) => {
    const isNamed = ({ id, init }: CommandParameter) => (id === "" ? init : id) === given.id;
    const parameter = given.id === "" ? places[at++] : definition?.parameters.find(isNamed);
    return { given, parameter: parameter ?? null };
  });
}

/**
 * The level of a group command in percent, 0 to 100, or null without one.
 *
 * @throws ControllerError BAD_PARAMETER
 */
export function resolveGroupLevel(parameters: readonly ParameterValue[]): EditorValue | null {
  const [given, ...more] = parameters.filter(({ id }) => id === "" || id === "OL");
  if (more.length > 0) throw badParameter("A group accepts one level: 0 to 100 %.");
  if (!given) return null;
  const level = acceptValue(GROUP_LEVEL, given);
  if (level === null) throw badParameter(`The level ${displayedValue(given)} is refused: a group accepts 0 to 100 %.`);
  return level;
}

/**
 * A parameter of one node, its editor, and the unit of a bare value where wired hardware has one: the byte of a level
 * (100), or half degrees (101).
 */
export type ParameterSlot = {
  readonly parameter: CommandParameter;
  readonly editor: Editor | null;
  readonly rawUnit: typeof UOM.level | typeof UOM.halfDegrees | null;
};

export function slotFor(
  profile: Profile,
  node: CommandedNode,
  definition: CommandDefinition,
  parameter: CommandParameter,
): ParameterSlot {
  const editor = profile.editor(parameter.editor, node.family, node.instance);
  return { parameter, editor, rawUnit: rawUnitOf(node, definition, editor) };
}

/** Of a thermostat that reports half degrees, a bare temperature is in half degrees, as its clients send it. */
function rawUnitOf(node: CommandedNode, { id }: CommandDefinition, editor: Editor | null): ParameterSlot["rawUnit"] {
  const statusUom = node.properties.get("ST")?.uom ?? UOM.none;
  if (statusUom === UOM.halfDegrees) return takesTemperature(editor) ? UOM.halfDegrees : null;
  const statusIsLevel = statusUom === UOM.level || statusUom === UOM.none;
  const isRawLevel = familyOf(node.family).hasByteLevels && statusIsLevel && LEVEL_COMMANDS.has(id);
  return isRawLevel && takesLevels(editor) ? UOM.level : null;
}

/** The value as the parameter takes it, or null. */
export function acceptParameter({ editor, rawUnit }: ParameterSlot, given: EditorValue): EditorValue | null {
  const isRaw = rawUnit !== null && (given.uom === UOM.none || given.uom === rawUnit);
  if (!isRaw) return acceptValue(editor, given);
  const value = displayedValue(given);
  if (rawUnit === UOM.level) return acceptRawLevel(editor, value);
  return Number.isInteger(value) ? acceptValue(editor, { ...given, uom: rawUnit }) : null;
}

/** How a sentence calls the parameter. A client may have written anything; a sentence holds plain text. */
export function parameterName(id: string): string {
  return id === "" ? "The value" : `Parameter ${printable(id)}`;
}

export function printable(text: string): string {
  return text.slice(0, NAME_LENGTH).replace(/[^\x20-\x7e]/g, "?");
}

export function badParameter(sentence: string): ControllerError {
  return new ControllerError("BAD_PARAMETER", sentence);
}

const NAME_LENGTH = 40;
/** Commands whose level wired hardware takes as a raw byte. */
const LEVEL_COMMANDS: ReadonlySet<string> = new Set(["DON", "DFON", "OL"]);
const GROUP_LEVEL: Editor = {
  id: "group level",
  ranges: [{ uom: UOM.percent, prec: 0, min: 0, max: 100, step: null, subset: null, names: new Map() }],
};
const QUERY: CommandDefinition = { id: "QUERY", name: "Query", native: false, format: null, parameters: [] };

/**
 * Maps commands that older clients send to locks, covers and lamps to the commands that these accept. A cover's nodedef
 * has no DOF, because clients would take it for a lamp. A client that sends DOF means to close it. The direction of BMAN
 * depends on the present level, so the sender of the command chooses it; a definition only says whether it can fade.
 */
const ALIASES: ReadonlyMap<string, { readonly command: string; readonly value: number | null }> = new Map([
  ["LOCK", { command: "SECMD", value: 1 }],
  ["UNLOCK", { command: "SECMD", value: 0 }],
  ["DON", { command: "FDUP", value: null }],
  ["DFON", { command: "FDUP", value: null }],
  ["DOF", { command: "FDDOWN", value: null }],
  ["DFOF", { command: "FDDOWN", value: null }],
  ["BMAN", { command: "FDUP", value: null }],
  ["SMAN", { command: "FDSTOP", value: null }],
]);

function findAlias(nodedef: Nodedef, { command, parameters }: GivenCommand): CommandMeaning | null {
  const alias = ALIASES.get(command);
  const definition = alias && accepted(nodedef, alias.command);
  if (!definition) return null;
  const own = alias.value === null ? [] : [{ id: "", value: alias.value, uom: UOM.none, prec: 0 }];
  const named = parameters.filter(({ id }) => id !== "");
  const { id, parameters: places } = definition;
  return { kind: "command", command: id, definition, places, isAlias: true, parameters: [...own, ...named] };
}

/** The command that writes a property: the one with a parameter that starts from that property. */
function findSetter(nodedef: Nodedef, { command: property, parameters }: GivenCommand): CommandMeaning | null {
  for (const definition of nodedef.accepts) {
    const parameter = definition.parameters.find(({ init }) => init === property);
    if (!parameter) continue;
    const places = definition.parameters[0] === parameter ? definition.parameters : [parameter];
    return { kind: "command", command: definition.id, definition, places, isAlias: false, parameters };
  }
  return null;
}

function accepted(nodedef: Nodedef, command: string): CommandDefinition | undefined {
  return nodedef.accepts.find(({ id }) => id === command);
}

function takesLevels(editor: Editor | null): boolean {
  return editor?.ranges.some(({ uom }) => uom === UOM.percent) ?? false;
}

function takesTemperature(editor: Editor | null): boolean {
  return editor?.ranges.some(({ uom }) => isTemperature(uom)) ?? false;
}

function unchecked(given: ParameterValue): ParameterValue {
  const accepted = acceptValue(null, given);
  if (accepted === null) throw badParameter(`${parameterName(given.id)} is too large: ${displayedValue(given)}`);
  return { id: given.id, ...accepted };
}

function withoutPlace({ places, parameters }: CommandMeaning, { id }: ParameterValue): ControllerError {
  if (id !== "") return badParameter(`${parameterName(id)} is unknown to this command.`);
  return tooMany(places.length, parameters.length);
}

export function tooMany(places: number, given: number): ControllerError {
  const takes = places === 0 ? "no parameter" : places === 1 ? "1 parameter" : `${places} parameters`;
  return badParameter(`The command accepts ${takes}; ${given} given.`);
}

function resolveParameter(slot: ParameterSlot, given: ParameterValue | undefined): ParameterValue | null {
  const { id, optional } = slot.parameter;
  if (!given) {
    if (optional) return null;
    throw badParameter(`${parameterName(id)} is required: ${takes(slot)}.`);
  }
  const accepted = acceptParameter(slot, given);
  if (accepted) return { id, ...accepted };
  const unit = given.uom === UOM.none ? "" : ` in unit ${given.uom}`;
  throw badParameter(`${parameterName(id)} is refused with ${displayedValue(given)}${unit}. Allowed: ${takes(slot)}.`);
}

function takes({ editor, rawUnit }: ParameterSlot): string {
  const { text } = describeEditor(editor);
  if (rawUnit === null) return text;
  return rawUnit === UOM.level ? `0 to 255 without a unit, or ${text}` : `half degrees without a unit, or ${text}`;
}
