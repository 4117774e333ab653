/**
 * A device that is known only by its nodedef: its properties, its accepted commands, and the last values that its
 * original reported. `played-commands.ts` derives its behavior from the nodedef.
 */

import type { Editor } from "../../profile/editor.ts";
import type { PropertyValue } from "../../profile/format.ts";
import type { Nodedef } from "../../profile/nodedef.ts";
import type { NodeRole } from "../../profile/roles-table.ts";
import type { NodeSpec } from "../driver.ts";
import type { CommandHandler, DeviceModel, NodeModel, PropertyModel } from "./device-model.ts";
import { type Played, playedReaction } from "./played-commands.ts";

export type PlayedDevice = {
  readonly spec: NodeSpec;
  /** null when unknown: every command is then accepted. */
  readonly nodedef: Nodedef | null;
  readonly role: NodeRole;
  /** An editor of the nodedef, null for an unknown one. */
  readonly editor: (id: string) => Editor | null;
  /** Its known values. */
  readonly properties: readonly PropertyValue[];
};

/** Number of code slots, as in common locks. */
const CODE_SLOTS = 30;

export function playedModel({ spec, nodedef, role, editor, properties }: PlayedDevice): DeviceModel {
  const models = playedProperties(nodedef, editor, properties);
  const played: Played = { nodedef, editor, properties: models };
  const accepts = nodedef?.accepts ?? [];
  const commands = Object.fromEntries(accepts.map((command) => [command.id, playedReaction(played, command)]));
  const model: NodeModel = {
    nodeDefId: spec.nodeDefId,
    type: spec.type,
    devtype: spec.devtype,
    properties: models,
    commands,
    actions: actions(nodedef, commands),
    ...(nodedef
      ? {}
      : { otherwise: (id) => playedReaction(played, { id, name: "", native: false, format: null, parameters: [] }) }),
  };
  return { nodes: [model], ...(role === "lock" && { codeSlots: CODE_SLOTS }) };
}

/** Properties with received values, then the others of the nodedef. */
export function playedProperties(
  nodedef: Nodedef | null,
  editor: PlayedDevice["editor"],
  known: readonly PropertyValue[],
): readonly PropertyModel[] {
  const received = known.map(({ id, value, uom, prec, text }): PropertyModel => {
    return { id, value, uom, prec, ...(text !== null && { text }) };
  });
  const unreceived = (nodedef?.properties ?? []).filter(({ id }) => !known.some((each) => each.id === id));
  return [
    ...received,
    ...unreceived.map((property): PropertyModel => {
      const range = editor(property.editor)?.ranges[0];
      return { id: property.id, value: null, uom: range?.uom ?? 0, prec: range?.prec ?? 0, untilValue: true };
    }),
  ];
}

/** A person does what the device can send; where it also accepts it, it does it. */
function actions(nodedef: Nodedef | null, commands: NodeModel["commands"]): Readonly<Record<string, CommandHandler>> {
  return Object.fromEntries(
    (nodedef?.sends ?? []).map(({ id }): [string, CommandHandler] => [
      id,
      (node, value) => {
        node.send(id, value);
        commands[id]?.(node, { parameters: [], occasion: { cause: "report" } });
      },
    ]),
  );
}
