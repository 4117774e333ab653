/** The devices that a part of the sentence is about, with the one act that fits. Loaded when it is opened. */

import type { Node } from "@domovoi/client";
import { NodeRow } from "../parts/node-row.tsx";

type ListProps = {
  readonly nodes: readonly Node[];
  readonly act: { readonly text: string; readonly run: () => void } | null;
};

export function OverviewList({ nodes, act }: ListProps) {
  return (
    <ul class="card rows">
      {act && (
        <li class="buttons end">
          <button type="button" class="primary" onClick={act.run}>
            {act.text}
          </button>
        </li>
      )}
      {nodes.map((node) => (
        <NodeRow key={node.address} node={node} />
      ))}
    </ul>
  );
}
