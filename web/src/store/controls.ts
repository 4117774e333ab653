/** Chooses the control of a node from its nodedef alone, without a list of models. */

import type { CommandDefinition, Home, Node, Nodedef } from "@domovoi/client";

export type Control =
  | { readonly kind: "switch"; readonly on: string; readonly off: string }
  | { readonly kind: "level"; readonly on: string; readonly off: string; readonly min: number; readonly max: number; readonly unit: string }
  | { readonly kind: "cover" }
  | { readonly kind: "lock" }
  | { readonly kind: "value" };

const PERCENT = "51";
const BYTE = "100";

export function controlOf(home: Home, node: Node): Control {
  const { nodedef } = node;
  if (!nodedef) return { kind: "value" };
  const accepts = (id: string) => nodedef.accepts.find((command) => command.id === id);
  if (accepts("FDUP") && accepts("FDDOWN") && accepts("FDSTOP") && !accepts("DOF")) return { kind: "cover" };
  if (accepts("SECMD")) return { kind: "lock" };
  const on = accepts("DON");
  if (!on || !accepts("DOF")) return { kind: "value" };
  const level = levelOf(home, nodedef, on);
  return level ? { kind: "level", on: "DON", off: "DOF", ...level } : { kind: "switch", on: "DON", off: "DOF" };
}

/** The range of the level that an On takes, when it takes one of more than two values. */
function levelOf(home: Home, { family, instance }: Nodedef, on: CommandDefinition) {
  const [parameter] = on.parameters;
  const editor = parameter && home.profile.editor(parameter.editor, family, instance);
  const range = editor?.ranges.find(({ uom }) => uom === PERCENT) ?? editor?.ranges.find(({ uom }) => uom === BYTE);
  if (!range || range.subset !== null) return null;
  const { min, max } = range;
  return min !== null && max !== null && max > min + 1 ? { min, max, unit: range.uom } : null;
}

/** Not zero, or the label of a state that is on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && Number(value) !== 0;
}

/** Whether it can be turned on and off. */
export function isSwitched(home: Home, node: Node): boolean {
  const { kind } = controlOf(home, node);
  return kind === "switch" || kind === "level";
}
