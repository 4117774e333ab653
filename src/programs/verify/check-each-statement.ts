/**
 * Checks each statement by itself: its names exist, its values are accepted, and its arithmetic has a result. A
 * statement has one finding at most, the first that applies.
 */

import { refusalOf } from "../../errors.ts";
import type { Node } from "../../home/nodes.ts";
import { type Action, type ActionOperand, constantOf, type SyntaxValue } from "../../home/program-syntax.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import { type Message, message } from "../../messages.ts";
import { type GivenCommand, placeParameters, resolveGroupLevel } from "../../profile/command-resolver.ts";
import { acceptValue, describeEditor } from "../../profile/editor-value.ts";
import type { CommandParameter } from "../../profile/nodedef.ts";
import type { Slices } from "../../util/slices.ts";
import {
  findGivenFault,
  findMessageFault,
  findNodeFault,
  findProgramFault,
  findPropertyFault,
  findResourceFault,
  findVariableFault,
} from "./check-names.ts";
import { checkRoleStatement } from "./check-roles.ts";
import { type Finding, finding } from "./finding.ts";
import { type ReadCommand, readCommand } from "./model/commands.ts";
import type { Spot } from "./model/formula.ts";
import { actionsOf, definitionStep, statementStep } from "./model/places.ts";
import { nodeName, programName, valueWords, variableName } from "./model/words.ts";
import type { World } from "./model/world.ts";

export function* checkEachStatement(world: World, entry: ProgramEntry): Slices<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const placed of actionsOf(entry)) {
    yield;
    const found = checkAction(world, placed.action, placed.spot);
    if (found) findings.push({ ...found, chain: [statementStep(world, placed), ...found.chain] });
  }
  return findings;
}

type Of<K extends Action["kind"]> = Extract<Action, { readonly kind: K }>;

const MEMBERS_NAMED = 5;
const INT32_MAX = 2_147_483_647;

function checkAction(world: World, action: Action, spot: Spot): Finding | null {
  switch (action.kind) {
    case "command":
      return findNodeFault(world, action.node, spot) ?? checkCommand(world, action, spot);
    case "roles":
      return checkRoleStatement(world, action, spot);
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
      return finding("FOREIGN_STATEMENT", spot, message("FOREIGN_STATEMENT"), [
        definitionStep(message("plain", { text: action.json })),
      ]);
    case "wait":
    case "repeat-times":
    case "repeat-every":
    case "notify":
      return null;
    case "message":
      return findMessageFault(world, action.channel, action.text, spot);
  }
}

type ConstantCommand = GivenCommand & { readonly node: string };

/** Whether a device takes the values that variables have is known only when the statement runs. */
function checkCommand(world: World, action: Of<"command">, spot: Spot): Finding | null {
  const unknown = action.parameters.map((each) => findGivenFault(world, each, spot)).find((fault) => fault !== null);
  if (unknown) return unknown;
  const constants = action.parameters.flatMap((each) => constantOf(each) ?? []);
  const command = { node: action.node, command: action.command, parameters: constants };
  const node = world.home.nodes.get(action.node);
  const fault = node ? checkNodeCommand(world, node, command, spot) : checkGroupCommand(world, command, spot);
  const isOfValue = fault?.code.startsWith("PARAMETER_") === true;
  return isOfValue && constants.length < action.parameters.length ? null : fault;
}

function checkGroupCommand(world: World, action: ConstantCommand, spot: Spot): Finding | null {
  const { node: address, command } = action;
  const name = nodeName(world, address);
  // A scene turns on what its links say, which may be any command.
  if (command === "DON" || command === "DFON") {
    const refusal = refusalOf(() => resolveGroupLevel(action.parameters));
    if (refusal === null) return null;
    const { message: detail } = refusal;
    return finding("PARAMETER_REFUSED", spot, message("PARAMETER_REFUSED.scene", { name, command, detail }), [
      definitionStep(message("plain", { text: detail })),
    ]);
  }
  const members = membersOf(world, address);
  const takes = members.some((member) => !world.nodedefOf(member) || readCommand(world, member, action) !== null);
  if (takes || members.length === 0) return null;
  const some = members.slice(0, MEMBERS_NAMED).map((member) => member.name);
  return finding("COMMAND_NOT_ACCEPTED", spot, message("COMMAND_NOT_ACCEPTED.scene", { name, command }), [
    definitionStep(message("step.members", { name, count: members.length, members: some.join(", ") })),
  ]);
}

/** The members of a scene, or of the whole home. */
function membersOf({ home }: World, address: string): readonly Node[] {
  const group = home.groups.get(address);
  return group ? group.members.flatMap((member) => home.nodes.get(member.address) ?? []) : [...home.nodes.values()];
}

function checkNodeCommand(world: World, node: Node, action: ConstantCommand, spot: Spot): Finding | null {
  const { command } = action;
  const nodedef = world.nodedefOf(node);
  if (!nodedef) return null;
  const read = readCommand(world, node, action);
  if (!read) {
    const commands = nodedef.accepts.map(({ id }) => id).join(", ");
    const parts = { name: node.name, nodedef: nodedef.id };
    const accepts =
      commands === "" ? message("step.acceptsNothing", parts) : message("step.accepts", { ...parts, commands });
    return finding("COMMAND_NOT_ACCEPTED", spot, message("COMMAND_NOT_ACCEPTED", { name: node.name, command }), [
      definitionStep(accepts),
    ]);
  }
  if (!node.enabled) {
    return finding("NODE_DISABLED", spot, message("NODE_DISABLED", { name: node.name }), [
      definitionStep(message("step.disabled", { name: node.name })),
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
  const { name } = node;
  const parameters = definedParameters.map(({ id }) => parameterName(id));
  const takes =
    parameters.length === 0
      ? message("step.takesNothing", { command, name })
      : message("step.takes", { command, name, parameters });
  const chain = [definitionStep(takes)];
  const unknown = placed.find(({ parameter }) => !parameter);
  if (unknown) {
    const what = message("PARAMETER_UNKNOWN", { command, name, parameter: parameterName(unknown.given.id) });
    return finding("PARAMETER_UNKNOWN", spot, what, chain);
  }
  const missing = definedParameters.find(
    (each) => !each.optional && !placed.some(({ parameter }) => parameter === each),
  );
  if (missing) {
    const what = message("PARAMETER_MISSING", { command, name, parameter: parameterName(missing.id) });
    return finding("PARAMETER_MISSING", spot, what, chain);
  }
  const refused = placed.find(({ given, parameter }) => parameter && !isTaken(world, node, parameter, given));
  if (!refused?.parameter) {
    return finding("PARAMETER_REFUSED", spot, message("PARAMETER_REFUSED.other", { name, detail: sentence }), chain);
  }
  const range = describeEditor(world.profile.editor(refused.parameter.editor, node.family, node.instance));
  const what = message("PARAMETER_REFUSED", { name, command, value: valueWords(refused.given), range });
  const why = message("step.takesRange", { command, range, parameter: parameterName(refused.parameter.id) });
  return finding("PARAMETER_REFUSED", spot, what, [definitionStep(why)]);
}

function isTaken(world: World, node: Node, { editor }: CommandParameter, given: SyntaxValue): boolean {
  return acceptValue(world.profile.editor(editor, node.family, node.instance), given) !== null;
}

function parameterName(id: string): Message {
  return id === "" ? message("thing.value") : message("thing.parameter", { id });
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
    ? message("NOT_IN_SCENE.noScene", { name })
    : isMember
      ? message("NOT_IN_SCENE.controller", { controller: nodeName(world, controller), name })
      : message("NOT_IN_SCENE", { member: nodeName(world, link.node), name });
  const members = group?.members.map((member) => nodeName(world, member.address)).join(", ") ?? "";
  return finding("NOT_IN_SCENE", spot, what, [
    definitionStep(members === "" ? message("step.noMembers") : message("step.memberNames", { members })),
  ]);
}

function checkControl(world: World, { id, control }: Of<"program">, spot: Spot): Finding | null {
  if (world.programs.get(id)?.kind !== "folder") return null;
  const name = programName(world, id);
  return finding("FOLDER_NOT_RUN", spot, message("FOLDER_NOT_RUN", { name, control }), [
    definitionStep(message("step.programsOnly")),
  ]);
}

function checkOperand(world: World, operand: ActionOperand, spot: Spot): Finding | null {
  if (operand.kind === "variable") return findVariableFault(world, operand.type, operand.id, spot);
  if (operand.kind !== "status") return null;
  return findNodeFault(world, operand.node, spot) ?? findPropertyFault(world, operand.node, operand.property, spot);
}

function checkArithmetic(world: World, { type, id, operator, operand }: Of<"variable">, spot: Spot): Finding | null {
  if (operand.kind !== "value") return null;
  const prec = world.home.variables[type].get(id)?.prec ?? 0;
  const raw = (operand.value / 10 ** operand.prec) * 10 ** prec;
  const name = variableName(world, type, id);
  const chain = [definitionStep(message("step.variable", { name, places: prec }))];
  const value = operand.value / 10 ** operand.prec;
  const isDivision = operator === "DIV=" || operator === "REM=";
  if (isDivision && Math.round(raw) === 0) {
    return finding("ARITHMETIC_IMPOSSIBLE", spot, message("ARITHMETIC_IMPOSSIBLE.division", { name }), chain);
  }
  if (Math.round(Math.abs(raw)) > INT32_MAX) {
    return finding("VARIABLE_OVERFLOW", spot, message("VARIABLE_OVERFLOW", { value, name }), chain);
  }
  if (Math.abs(raw - Math.round(raw)) < 1e-9) return null;
  return finding(
    "PRECISION_LOST",
    spot,
    message("PRECISION_LOST", { name, value, taken: Math.round(raw) / 10 ** prec }),
    chain,
  );
}
