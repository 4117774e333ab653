/** What controls share: the ranges of an editor, and sending. */

import type { EditorRange, Home, Node } from "@domovoi/client";
import { useStore } from "../store/context.ts";

export function rangesOf(home: Home, { family, instance }: Node, editor: string | undefined): readonly EditorRange[] {
  return (editor && home.profile.editor(editor, family, instance)?.ranges) || [];
}

export function useSend(
  node: Node,
  send = (command: string, ...values: readonly (number | string)[]) => node.send(command, ...values),
): (command: string, ...values: readonly (number | string)[]) => void {
  const store = useStore();
  return (command, ...values) =>
    void store.commands.run(node.address, () => send(command, ...values), "node", effectsOf(node, command));
}

/** Properties of which a report shows that the command had its effect, beside the status. */
export function effectsOf({ nodedef }: Node, command: string): readonly string[] {
  const parameters = nodedef?.accepts.find(({ id }) => id === command)?.parameters ?? [];
  return [command, ...parameters.flatMap(({ id, init }) => [id, init ?? ""])];
}
