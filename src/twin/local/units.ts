/** Firmware before 5 writes values of commands without a unit: a level is a byte, a set-point counts as the device does. */

import type { Action, GivenValue } from "../../home/program-syntax.ts";
import type { ProgramDefinition } from "../../home/programs.ts";
import { UOM } from "../../profile/uom.ts";

/** @returns the unit in which a property of a node is reported; null for one that is unknown */
type UnitOf = (node: string, property: string) => number | null;

export function withUnits(program: ProgramDefinition, unitOf: UnitOf): ProgramDefinition {
  if (program.kind === "folder") return program;
  const within = (actions: readonly Action[]) => actions.map((action) => actionWithUnits(action, unitOf));
  return { ...program, tree: { ...program.tree, then: within(program.tree.then), else: within(program.tree.else) } };
}

function actionWithUnits(action: Action, unitOf: UnitOf): Action {
  if (action.kind === "command") {
    const unit = unitOfCommand(action.node, action.command, unitOf);
    return { ...action, parameters: action.parameters.map((each) => inUnit(each, unit)) };
  }
  if (action.kind !== "link" || action.link.kind !== "cmd") return action;
  const { link } = action;
  const unit = unitOfCommand(link.node, link.command, unitOf);
  return { ...action, link: { ...link, parameters: link.parameters.map((each) => inUnit(each, unit)) } };
}

function inUnit<T extends GivenValue>(given: T, unit: number): T {
  return given.uom === 0 && unit !== 0 ? { ...given, uom: unit } : given;
}

/** On takes a level, other commands the property of their name. */
function unitOfCommand(node: string, command: string, unitOf: UnitOf): number {
  if (command !== "DON") return unitOf(node, command) ?? 0;
  return unitOf(node, "ST") === UOM.level ? UOM.level : 0;
}
