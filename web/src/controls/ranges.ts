/** What controls share: the ranges of an editor, and sending. */

import type { EditorRange, Home, Node } from "@domovoi/client";
import { useStore } from "../store/context.ts";

export function rangesOf(home: Home, { family, instance }: Node, editor: string | undefined): readonly EditorRange[] {
  return (editor && home.profile.editor(editor, family, instance)?.ranges) || [];
}

export function useSend(node: Node): (command: string, ...values: readonly (number | string)[]) => void {
  const store = useStore();
  return (command, ...values) => void store.commands.run(node.address, () => node.send(command, ...values));
}
