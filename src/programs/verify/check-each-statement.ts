/**
 * Each statement by itself: that what it names exists and takes what it is told, and that its arithmetic has a result. A
 * statement has one finding at most, the first that applies.
 */

import type { Node } from "../../home/nodes.ts";
import type { Action, ActionOperand } from "../../home/program-syntax.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import type { VariableType } from "../../home/variables.ts";
import { acceptRawLevel, acceptValue, describeEditor } from "../../profile/editor-value.ts";
import type { CommandDefinition, CommandParameter } from "../../profile/nodedef.ts";
import { UOM } from "../../profile/uom.ts";
import {
  findNodeFault,
  findProgramFault,
  findPropertyFault,
  findResourceFault,
  findVariableFault,
} from "./check-names.ts";
import { type Finding, finding } from "./finding.ts";
import { commandOf } from "./model/commands.ts";
import type { Spot } from "./model/formula.ts";
import { actionsOf, definitionStep, statementStep } from "./model/places.ts";
import { nodeName, programName, valueWords, variableName } from "./model/words.ts";
import type { World } from "./model/world.ts";

export function checkEachStatement(world: World, entry: ProgramEntry): readonly Finding[] {
  return actionsOf(entry).flatMap((placed) => {
    const found = checkAction(world, placed.action, placed.spot);
    return found ? [{ ...found, chain: [statementStep(world, placed), ...found.chain] }] : [];
  });
}

type Of<K extends Action["kind"]> = Extract<Action, { readonly kind: K }>;
type Parameters = Of<"command">["parameters"];

const WIRED_FAMILY = 1;
/** Commands whose level wired hardware takes as a raw byte. */
const LEVEL_COMMANDS: ReadonlySet<string> = new Set(["DON", "DFON", "OL"]);
const INT32_MAX = 2_147_483_647;

function checkAction(world: World, action: Action, spot: Spot): Finding | null {
  switch (action.kind) {
    case "command":
      return findNodeFault(world, action.node, spot) ?? checkCommand(world, action, spot);
    case "link":
      return checkLink(world, action, spot);
    case "variable":
      return (
        findVariableFault(world, action.type, action.id, spot) ??
        checkOperand(world, action.operand, spot) ??
        checkArithmetic(world, action, spot)
      );
    case "repeat-while":
      return findVariableFault(world, action.type, action.id, spot) ?? checkOperand(world, action.operand, spot);
    case "program":
      return findProgramFault(world, action.id, spot) ?? checkControl(world, action, spot);
    case "resource":
      return findResourceFault(world, action.id, spot);
    case "foreign":
      return finding(
        "FOREIGN_STATEMENT",
        spot,
        "This controller does not carry the statement out, so the program does not run.",
        [definitionStep(action.json)],
      );
    case "wait":
    case "repeat-times":
    case "repeat-every":
    case "notify":
      return null;
  }
}

function checkCommand(world: World, { node: address, command, parameters }: Of<"command">, spot: Spot): Finding | null {
  const group = world.home.groups.get(address);
  const node = world.home.nodes.get(address);
  if (node) return checkNodeCommand(world, node, command, parameters, spot);
  const members = group
    ? group.members.flatMap((member) => world.home.nodes.get(member.address) ?? [])
    : [...world.home.nodes.values()];
  const takes = members.some((member) => {
    const nodedef = world.nodedefOf(member);
    return !nodedef || commandOf(nodedef, command) !== null;
  });
  // A scene turns on what its links say, which may be any command.
  if (takes || members.length === 0 || command === "DON" || command === "DFON") return null;
  const name = nodeName(world, address);
  return finding("COMMAND_NOT_ACCEPTED", spot, `Nothing in ${name} accepts ${command}.`, [
    definitionStep(
      `${name} has ${members.length} members: ${members
        .slice(0, 5)
        .map((member) => member.name)
        .join(", ")}.`,
    ),
  ]);
}

function checkNodeCommand(
  world: World,
  node: Node,
  command: string,
  parameters: Parameters,
  spot: Spot,
): Finding | null {
  const nodedef = world.nodedefOf(node);
  if (!nodedef) return null;
  const meant = commandOf(nodedef, command);
  if (!meant) {
    const accepts = nodedef.accepts.map(({ id }) => id).join(", ");
    return finding("COMMAND_NOT_ACCEPTED", spot, `${node.name} does not accept ${command}.`, [
      definitionStep(`${node.name} (${nodedef.id}) accepts ${accepts === "" ? "nothing" : accepts}.`),
    ]);
  }
  if (!node.enabled) {
    return finding("NODE_DISABLED", spot, `${node.name} is disabled, so it is not asked.`, [
      definitionStep(`${node.name} is disabled.`),
    ]);
  }
  if (meant.kind === "query" || (meant.isAlias && parameters.length === 0)) return null;
  return checkParameters(world, node, meant.definition, parameters, spot);
}

function checkParameters(
  world: World,
  node: Node,
  definition: CommandDefinition,
  parameters: Parameters,
  spot: Spot,
): Finding | null {
  const takes = definition.parameters.map((parameter) => parameterName(parameter.id)).join(", ");
  const chain = [definitionStep(`${definition.id} of ${node.name} takes ${takes === "" ? "no parameter" : takes}.`)];
  const unknown = parameters.find(({ id }) => !definition.parameters.some((known) => known.id === id));
  if (unknown) {
    return finding(
      "PARAMETER_UNKNOWN",
      spot,
      `${definition.id} of ${node.name} has no place for ${parameterName(unknown.id)}.`,
      chain,
    );
  }
  for (const parameter of definition.parameters) {
    const given = parameters.find(({ id }) => id === parameter.id);
    if (given) {
      const refused = checkValue(world, node, definition, parameter, given, spot);
      if (refused) return refused;
    } else if (!parameter.optional) {
      return finding(
        "PARAMETER_MISSING",
        spot,
        `${definition.id} of ${node.name} needs ${parameterName(parameter.id)}.`,
        chain,
      );
    }
  }
  return null;
}

function checkValue(
  world: World,
  node: Node,
  { id: command }: CommandDefinition,
  parameter: CommandParameter,
  { value, prec, uom }: Parameters[number],
  spot: Spot,
): Finding | null {
  const editor = world.profile.editor(parameter.editor, node.family, node.instance);
  const displayed = value / 10 ** prec;
  const mayBeRaw =
    node.family === WIRED_FAMILY && LEVEL_COMMANDS.has(command) && (uom === UOM.level || uom === UOM.none);
  if (mayBeRaw && acceptRawLevel(editor, displayed)) return null;
  if (acceptValue(editor, { value: displayed, decimals: prec, uom: uom === UOM.none ? null : uom })) return null;
  const takes = `${command} takes ${describeEditor(editor)} as ${parameterName(parameter.id)}.`;
  const sentence = `${node.name} refuses ${command} with ${valueWords({ value, prec, uom })}: it takes ${describeEditor(editor)}.`;
  return finding("PARAMETER_REFUSED", spot, sentence, [definitionStep(takes)]);
}

function parameterName(id: string): string {
  return id === "" ? "a value" : `the parameter ${id}`;
}

function checkLink(world: World, { group: address, controller, link }: Of<"link">, spot: Spot): Finding | null {
  const fault =
    findNodeFault(world, address, spot) ??
    findNodeFault(world, controller, spot) ??
    findNodeFault(world, link.node, spot);
  if (fault) return fault;
  const group = world.home.groups.get(address);
  const isController =
    group &&
    (controller === address || group.members.some((member) => member.address === controller && member.isController));
  const isMember = group?.members.some((member) => member.address === link.node);
  if (isController && isMember) return null;
  const name = nodeName(world, address);
  const what = !group
    ? `${name} is no scene.`
    : isMember
      ? `${nodeName(world, controller)} does not control ${name}.`
      : `${nodeName(world, link.node)} is not in ${name}.`;
  const members = group?.members.map((member) => nodeName(world, member.address)).join(", ") ?? "";
  return finding("NOT_IN_SCENE", spot, what, [definitionStep(`Members: ${members === "" ? "none" : members}.`)]);
}

function checkControl(world: World, { id, control }: Of<"program">, spot: Spot): Finding | null {
  if (world.programs.get(id)?.kind !== "folder") return null;
  const name = programName(world, id);
  return finding("FOLDER_NOT_RUN", spot, `${name} is a folder, so ${control} does nothing.`, [
    definitionStep("Only programs are run, stopped, enabled or disabled by statements."),
  ]);
}

function checkOperand(world: World, operand: ActionOperand, spot: Spot): Finding | null {
  if (operand.kind === "variable") return findVariableFault(world, operand.type, operand.id, spot);
  if (operand.kind !== "status") return null;
  return findNodeFault(world, operand.node, spot) ?? findPropertyFault(world, operand.node, operand.property, spot);
}

function checkArithmetic(world: World, { type, id, operator, operand }: Of<"variable">, spot: Spot): Finding | null {
  if (operand.kind !== "value") return null;
  const prec = precisionOf(world, type, id);
  const raw = (operand.value / 10 ** operand.prec) * 10 ** prec;
  const name = variableName(world, type, id);
  const chain = [definitionStep(`${name} holds whole numbers of 32 bits, shown with ${prec} decimal places.`)];
  const isDivision = operator === "DIV=" || operator === "REM=";
  if (isDivision && Math.round(raw) === 0) {
    return finding("ARITHMETIC_IMPOSSIBLE", spot, `A division by zero leaves ${name} as it is.`, chain);
  }
  if (operator === "RDM=" && Math.round(raw) < 1) {
    return finding(
      "ARITHMETIC_IMPOSSIBLE",
      spot,
      `There is no random number below ${operand.value / 10 ** operand.prec}, so ${name} stays as it is.`,
      chain,
    );
  }
  if (Math.round(Math.abs(raw)) > INT32_MAX) {
    return finding("VARIABLE_OVERFLOW", spot, `${operand.value / 10 ** operand.prec} is too large for ${name}.`, chain);
  }
  if (Math.abs(raw - Math.round(raw)) < 1e-9) return null;
  return finding(
    "PRECISION_LOST",
    spot,
    `${name} cannot hold ${operand.value / 10 ** operand.prec} exactly and takes ${Math.round(raw) / 10 ** prec}.`,
    chain,
  );
}

function precisionOf({ home }: World, type: VariableType, id: number): number {
  return home.variables[type].get(id)?.prec ?? 0;
}
