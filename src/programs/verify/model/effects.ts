/**
 * The writes of a statement: properties of nodes, as their devices will report them, and variables. Scenes write as
 * their links say. The effect on a device is taken from its definition. Where the definition is silent nothing is
 * written, so that no false loop or conflict is reported.
 */

import { canonicalLinks, type Group, type SceneLink } from "../../../home/groups.ts";
import type { Node } from "../../../home/nodes.ts";
import { type Action, type ActionOperand, constantOf, type SyntaxValue } from "../../../home/program-syntax.ts";
import type { GivenCommand } from "../../../profile/command-resolver.ts";
import { valueAfter } from "../../../profile/command-words.ts";
import { convertUnit } from "../../../profile/convert-unit.ts";
import { isActive, valueOfWord } from "../../../profile/status-words.ts";
import { UOM } from "../../../profile/uom.ts";
import { assignedValue } from "../../engine/arithmetic.ts";
import { propertyAxis, variableAxis } from "./axes.ts";
import { type Axis, placeOf, valueOn } from "./axis.ts";
import { type ReadCommand, readCommand } from "./commands.ts";
import type { World } from "./world.ts";

/** The axis of a property is reported by its device, which takes its time; a variable has its value at once. */
export type Write = {
  readonly axis: Axis;
  /** The value on the axis, when it is independent of the value before; else null. */
  readonly constant: number | null;
  /** Another axis whose value it takes. */
  readonly source: Axis | null;
  /** It depends on chance, on the clock, or on something that is on no axis. */
  readonly isUnknown: boolean;
  /** The device's new value from its present one; for a variable the engine computes it. */
  readonly next: ((before: number) => number) | null;
};

export function writesOf(world: World, action: Action): readonly Write[] {
  switch (action.kind) {
    case "command": {
      const { node, command, parameters } = action;
      const constants = parameters.flatMap((each) => constantOf(each) ?? []);
      // The effect of a command with a variable is unknown.
      if (constants.length < parameters.length) return [];
      return commandWrites(world, node, { command, parameters: constants });
    }
    case "variable":
      return variableWrites(world, action);
    default:
      return [];
  }
}

type Taken = Extract<ReadCommand, { readonly kind: "taken" }>;

const ON: ReadonlySet<string> = new Set(["DON", "DFON"]);
const OFF: ReadonlySet<string> = new Set(["DOF", "DFOF"]);
const STEPS = 32;

function commandWrites(world: World, address: string, given: GivenCommand): readonly Write[] {
  const group = world.home.groups.get(address);
  if (group) return group.members.flatMap((member) => memberWrites(world, group, member.address, given));
  if (address === world.home.controller.uuid) {
    return [...world.home.nodes.values()].flatMap((node) => nodeWrites(world, node, given));
  }
  const node = world.home.nodes.get(address);
  return node ? nodeWrites(world, node, given) : [];
}

/** In the order in which the group's command is carried out: native links before commands, commands before defaults. */
function memberWrites(world: World, group: Group, address: string, given: GivenCommand): readonly Write[] {
  const node = world.home.nodes.get(address);
  const link = strongestLink(canonicalLinks(group), address);
  const asked = link ? linkedCommand(link, given) : given;
  return node && asked ? memberNodeWrites(world, node, asked) : [];
}

function strongestLink(links: readonly SceneLink[], address: string): SceneLink | null {
  const own = links.filter(({ node }) => node === address);
  const kinds = ["native", "cmd", "default", "ignore"] as const;
  return kinds.map((kind) => own.find((link) => link.kind === kind)).find((link) => link !== undefined) ?? null;
}

/** null: the member does nothing. */
function linkedCommand(link: SceneLink, given: GivenCommand): GivenCommand | null {
  const isOn = ON.has(given.command);
  switch (link.kind) {
    case "default":
      return given;
    case "ignore":
      return null;
    case "cmd":
      if (isOn) return { command: link.command, parameters: link.parameters };
      return ON.has(link.command) || OFF.has(link.command) ? given : null;
    case "native": {
      const own = link.parameters.find(({ id }) => id === "OL");
      if (!isOn || !own) return given;
      const level = own.value === 0 ? own : (given.parameters[0] ?? own);
      return { command: given.command, parameters: [{ ...level, id: "" }] };
    }
  }
}

function nodeWrites(world: World, node: Node, given: GivenCommand): readonly Write[] {
  const read = node.enabled ? readCommand(world, node, given) : null;
  return read?.kind === "taken" ? takenWrites(world, node, read) : [];
}

/** A level that the device has no place for is left away in a scene. */
function memberNodeWrites(world: World, node: Node, given: GivenCommand): readonly Write[] {
  const read = node.enabled ? readCommand(world, node, given) : null;
  const fitted = read?.kind === "refused" ? readCommand(world, node, { ...given, parameters: [] }) : read;
  return fitted?.kind === "taken" ? takenWrites(world, node, fitted) : [];
}

function takenWrites(world: World, node: Node, { definition, parameters }: Taken): readonly Write[] {
  const writes = definition.parameters.flatMap((parameter) => {
    const given = parameters.find(({ id }) => id === parameter.id);
    const axis = parameter.init === null ? null : propertyAxis(world, node.address, parameter.init);
    return axis && given ? (setTo(axis, given) ?? []) : [];
  });
  const status = propertyAxis(world, node.address, "ST");
  const isStatusSet = writes.some(({ axis }) => axis === status);
  const resolved = { command: definition.id, parameters };
  return status && !isStatusSet ? [...writes, ...statusWrites(node, status, resolved)] : writes;
}

/** The effect on the status of commands that every device of a kind accepts. */
function statusWrites(node: Node, status: Axis, { command, parameters }: GivenCommand): readonly Write[] {
  if (status.uom === null) return [];
  const [given] = parameters;
  const after = valueAfter(command, given?.value ?? null, status.uom);
  if (after !== null) {
    const value = valueOn(status, after);
    if (!ON.has(command)) return [constantWrite(status, value)];
    const own = command === "DON" ? ownLevel(node, status) : null;
    const plain = command === "DON" && own === null ? onAgain(status, value) : constantWrite(status, own ?? value);
    return onWrites(status, plain, value, given);
  }
  const full = valueOfWord("on", status.uom);
  if (full === null || (command !== "BRT" && command !== "DIM")) return [];
  return [stepWrite(status, valueOn(status, full), command === "BRT" ? 1 : -1)];
}

/** The level of the device after a command without one, where it reports one. */
function ownLevel(node: Node, status: Axis): number | null {
  const reported = node.properties.get("OL");
  const place = reported && reported.value !== null ? placeOf(status, { ...reported, value: reported.value }) : null;
  return place && place.first === place.last && place.first > 0 ? place.first : null;
}

/** A parameter that is no level, such as minutes, does not say how far on. */
function onWrites(status: Axis, plain: Write, full: number, given: SyntaxValue | undefined): readonly Write[] {
  const isLevel = given !== undefined && (given.uom === UOM.percent || given.uom === UOM.level);
  const isTwoValued =
    status.domain.length === 4 && status.domain.every((end, index) => end === status.domain[index ^ 1]);
  if (given === undefined || !isLevel) return given?.uom === UOM.index ? [] : [plain];
  if (isTwoValued && given.value > 0) return [constantWrite(status, full)];
  const write = setTo(status, given);
  return write ? [write] : [];
}

/** A device without an own level counts as fully on; one that is on already keeps the level that it has. */
function onAgain(axis: Axis, full: number): Write {
  const isOn = (value: number) => isActive(null, axis.uom ?? UOM.none, value / 10 ** axis.prec) === true;
  return { ...constantWrite(axis, full), next: (before) => (isOn(before) ? before : full) };
}

/** Drivers convert parameters to the unit that they report. */
function setTo(axis: Axis, value: SyntaxValue): Write | null {
  if (axis.uom !== null && value.uom !== UOM.none && value.uom !== axis.uom) {
    const converted = convertUnit(value.value / 10 ** value.prec, value.uom, axis.uom);
    return converted === null ? null : constantWrite(axis, valueOn(axis, converted));
  }
  const place = placeOf(axis, value);
  return place && place.first <= place.last ? constantWrite(axis, place.first) : null;
}

function constantWrite(axis: Axis, value: number): Write {
  return { axis, constant: value, source: null, isUnknown: false, next: () => value };
}

function stepWrite(axis: Axis, full: number, direction: 1 | -1): Write {
  const step = Math.round(full / STEPS);
  const next = (before: number) => Math.min(full, Math.max(0, before + direction * step));
  return { ...constantWrite(axis, full), constant: null, next };
}

function variableWrites(world: World, action: Extract<Action, { kind: "variable" }>): readonly Write[] {
  const { type, id, operator, operand } = action;
  const variable = world.home.variables[type].get(id);
  const axis = variableAxis(world, type, id);
  if (!variable || !axis || operator === "INIT") return [];
  const source = operandAxis(world, operand);
  const isUnknown = operator === "RDM=" || (operand.kind !== "value" && source === null);
  const result =
    operator === "EQ" && operand.kind === "value" ? assignedValue(variable, operator, operand, () => 0) : null;
  // Without a result the variable stays unchanged.
  const constant = result && ("value" in result ? result.value : variable.value);
  return [{ axis, constant, source, isUnknown, next: null }];
}

/** null: it is a number, of the time, or converted to another unit. */
function operandAxis(world: World, operand: ActionOperand): Axis | null {
  if (operand.kind === "variable") return variableAxis(world, operand.type, operand.id);
  if (operand.kind !== "status") return null;
  const axis = propertyAxis(world, operand.node, operand.property);
  return operand.uom === undefined || operand.uom === axis?.uom ? axis : null;
}
