/**
 * Checks each statement by itself: its names exist, its values are accepted, and its arithmetic has a result. A
 * statement has one finding at most, the first that applies.
 */

import { ControllerError } from "../../errors.ts";
import type { Node } from "../../home/nodes.ts";
import type { Action, ActionOperand, SyntaxValue } from "../../home/program-syntax.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import type { VariableType } from "../../home/variables.ts";
import { placeParameters, resolveGroupLevel } from "../../profile/command-resolver.ts";
import { acceptValue, describeEditor } from "../../profile/editor-value.ts";
import type { CommandParameter } from "../../profile/nodedef.ts";
import {
  findNodeFault,
  findProgramFault,
  findPropertyFault,
  findResourceFault,
  findVariableFault,
} from "./check-names.ts";
import { type Finding, finding } from "./finding.ts";
import { type ReadCommand, readCommand } from "./model/commands.ts";
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

const MEMBERS_NAMED = 5;
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

function checkCommand(world: World, action: Of<"command">, spot: Spot): Finding | null {
  const node = world.home.nodes.get(action.node);
  return node ? checkNodeCommand(world, node, action, spot) : checkGroupCommand(world, action, spot);
}

function checkGroupCommand(world: World, action: Of<"command">, spot: Spot): Finding | null {
  const { node: address, command } = action;
  const name = nodeName(world, address);
  // A scene turns on what its links say, which may be any command.
  if (command === "DON" || command === "DFON") {
    const refusal = refusedLevel(action);
    if (refusal === null) return null;
    return finding("PARAMETER_REFUSED", spot, `${name} refuses ${command}: ${refusal}`, [definitionStep(refusal)]);
  }
  const members = membersOf(world, address);
  const takes = members.some((member) => !world.nodedefOf(member) || readCommand(world, member, action) !== null);
  if (takes || members.length === 0) return null;
  const some = members.slice(0, MEMBERS_NAMED).map((member) => member.name);
  return finding("COMMAND_NOT_ACCEPTED", spot, `Nothing in ${name} accepts ${command}.`, [
    definitionStep(`${name} has ${members.length} members: ${some.join(", ")}.`),
  ]);
}

/** Why a scene does not take the level, as the controller says it; null when it does. */
function refusedLevel(action: Of<"command">): string | null {
  try {
    resolveGroupLevel(action.parameters);
    return null;
  } catch (error) {
    if (error instanceof ControllerError) return error.message;
    throw error;
  }
}

/** The members of a scene, or of the whole home. */
function membersOf({ home }: World, address: string): readonly Node[] {
  const group = home.groups.get(address);
  return group ? group.members.flatMap((member) => home.nodes.get(member.address) ?? []) : [...home.nodes.values()];
}

function checkNodeCommand(world: World, node: Node, action: Of<"command">, spot: Spot): Finding | null {
  const { command } = action;
  const nodedef = world.nodedefOf(node);
  if (!nodedef) return null;
  const read = readCommand(world, node, action);
  if (!read) {
    const accepts = nodedef.accepts.map(({ id }) => id).join(", ");
    return finding("COMMAND_NOT_ACCEPTED", spot, `${node.name} does not accept ${command}.`, [
      definitionStep(`${node.name} (${nodedef.id}) accepts ${accepts === "" ? "nothing" : accepts}.`),
    ]);
  }
  if (!node.enabled) {
    return finding("NODE_DISABLED", spot, `${node.name} is disabled, so it is not queried.`, [
      definitionStep(`${node.name} is disabled.`),
    ]);
  }
  if (read.kind !== "refused") return null;
  return refusedParameter(world, node, read, spot);
}

function refusedParameter(
  world: World,
  node: Node,
  { meaning, sentence }: Extract<ReadCommand, { readonly kind: "refused" }>,
  spot: Spot,
): Finding {
  const { command } = meaning;
  const definedParameters = meaning.definition?.parameters ?? [];
  const placed = placeParameters(meaning);
  const takes = definedParameters.map((parameter) => parameterName(parameter.id)).join(", ");
  const chain = [definitionStep(`${command} of ${node.name} takes ${takes === "" ? "no parameter" : takes}.`)];
  const unknown = placed.find(({ parameter }) => !parameter);
  if (unknown) {
    const what = `${command} of ${node.name} has no place for ${parameterName(unknown.given.id)}.`;
    return finding("PARAMETER_UNKNOWN", spot, what, chain);
  }
  const missing = definedParameters.find(
    (each) => !each.optional && !placed.some(({ parameter }) => parameter === each),
  );
  if (missing) {
    const what = `${command} of ${node.name} needs ${parameterName(missing.id)}.`;
    return finding("PARAMETER_MISSING", spot, what, chain);
  }
  const refused = placed.find(({ given, parameter }) => parameter && !isTaken(world, node, parameter, given));
  if (!refused?.parameter) return finding("PARAMETER_REFUSED", spot, `${node.name}: ${sentence}`, chain);
  const described = describeEditor(world.profile.editor(refused.parameter.editor, node.family, node.instance));
  const what = `${node.name} refuses ${command} with ${valueWords(refused.given)}: it takes ${described}.`;
  const why = `${command} takes ${described} as ${parameterName(refused.parameter.id)}.`;
  return finding("PARAMETER_REFUSED", spot, what, [definitionStep(why)]);
}

function isTaken(world: World, node: Node, { editor }: CommandParameter, given: SyntaxValue): boolean {
  return acceptValue(world.profile.editor(editor, node.family, node.instance), given) !== null;
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
    return finding("ARITHMETIC_IMPOSSIBLE", spot, `A division by zero leaves ${name} unchanged.`, chain);
  }
  if (operator === "RDM=" && Math.round(raw) < 1) {
    return finding(
      "ARITHMETIC_IMPOSSIBLE",
      spot,
      `There is no random number below ${operand.value / 10 ** operand.prec}, so ${name} stays unchanged.`,
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
