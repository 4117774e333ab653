/** How sentences and chains call things: statements as the program's text has them, everything else by its name. */

import type { Action, Condition, SyntaxValue } from "../../../home/program-syntax.ts";
import { hexId } from "../../../home/programs.ts";
import type { VariableType } from "../../../home/variables.ts";
import { type Message, message } from "../../../messages.ts";
import { convertUnit } from "../../../profile/convert-unit.ts";
import { findUom, UOM, uomName } from "../../../profile/uom.ts";
import { actionLines, conditionLines } from "../../text/print-statement.ts";
import { printQuantity } from "../../text/quantity.ts";
import type { Axis } from "./axis.ts";
import type { World } from "./world.ts";

export function conditionWords({ names }: World, condition: Condition): string {
  const lines = conditionLines([{ ...condition, andOr: "and" }], names);
  return lines.map((line) => line.trim()).join(" ");
}

export function actionWords({ names }: World, action: Action): string {
  return actionLines([action], names).join(" ");
}

/** A node, scene, or the controller itself. */
export function nodeName({ home }: World, address: string): string {
  if (address === home.controller.uuid) return home.controller.name;
  const found = home.nodes.get(address) ?? home.groups.get(address) ?? home.folders.get(address);
  return found?.name ?? address;
}

export function programName({ programs }: World, id: number): string {
  return programs.get(id)?.name ?? `program ${hexId(id)}`;
}

export function variableName({ home }: World, type: VariableType, id: number): string {
  return home.variables[type].get(id)?.name ?? `variable ${id}`;
}

export function valueWords(value: SyntaxValue): string {
  return printQuantity(value);
}

export function unitMessage(uom: number): Message {
  return uom === UOM.none ? message("unit.none") : message("unit.named", { name: uomName(uom), uom });
}

/** A value on an axis, as the owner would say it. */
export function axisValueWords({ prec, uom }: Axis, value: number): string {
  const displayed = value / 10 ** prec;
  if (uom === UOM.level) return `${convertUnit(displayed, UOM.level, UOM.percent)}%`;
  return `${displayed}${findUom(uom ?? UOM.none).suffix}`;
}
