/**
 * A device that is known by its nodedef alone: which properties it has, what it accepts, and the last values that somebody else
 * reported of it. What it does then is what `played-commands.ts` reads out of the nodedef.
 */

import type { Editor } from "../../profile/editor.ts";
import type { Nodedef } from "../../profile/nodedef.ts";
import { classify } from "../../profile/predicates.ts";
import type { NodeSpec } from "../driver.ts";
import type { DeviceModel, CommandHandler, NodeModel, PropertyModel } from "./device-model.ts";
import { type Played, playedReaction } from "./played-commands.ts";

export type PlayedDevice = {
  readonly spec: NodeSpec;
  /** null where nobody knows it: every command is then taken. */
  readonly nodedef: Nodedef | null;
  /** An editor of the nodedef, null for one that nobody knows. */
  readonly editor: (id: string) => Editor | null;
  /** What is known of its values. */
  readonly properties: readonly KnownProperty[];
};

export type KnownProperty = {
  readonly id: string;
  readonly value: number | null;
  readonly uom: number;
  readonly prec: number;
  /** How the value was told in words, where no editor says so. */
  readonly text: string | null;
};

/** As the locks of the field have them. */
const CODE_SLOTS = 30;

export function playedModel({ spec, nodedef, editor, properties }: PlayedDevice): DeviceModel {
  const models = playedProperties(nodedef, editor, properties);
  const played: Played = { nodedef, editor, properties: models };
  const accepts = nodedef?.accepts ?? [];
  const commands = Object.fromEntries(accepts.map((command) => [command.id, playedReaction(played, command)]));
  const model: NodeModel = {
    suffix: "",
    label: "",
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
  const isLock = nodedef !== null && classify(nodedef) === "lock";
  return { nodes: [model], ...(isLock && { codeSlots: CODE_SLOTS }) };
}

/** Those that have been told, then those of the nodedef that nobody has told yet. */
export function playedProperties(
  nodedef: Nodedef | null,
  editor: PlayedDevice["editor"],
  known: readonly KnownProperty[],
): readonly PropertyModel[] {
  const told = known.map(({ id, value, uom, prec, text }): PropertyModel => {
    return { id, value, uom, prec, ...(text !== null && { text }) };
  });
  const untold = (nodedef?.properties ?? []).filter(({ id }) => !known.some((each) => each.id === id));
  return [
    ...told,
    ...untold.map((property): PropertyModel => {
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
