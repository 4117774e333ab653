/** The devices that a part of the sentence is about, with the one act that fits. Loaded when it is opened. */

import type { Node } from "@domovoi/client";
import { Link } from "wouter-preact";
import { NodeRow } from "../parts/node-row.tsx";
import type { Purpose } from "../parts/roles.ts";
import { t } from "../text/text.ts";

type ListProps = {
  readonly nodes: readonly Node[];
  readonly act: { readonly text: string; readonly run: () => void } | null;
  /** The screen that has more of the kind; null: none. */
  readonly purpose: Purpose | null;
};

export function OverviewList({ nodes, act, purpose }: ListProps) {
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
      {purpose && (
        <li>
          <Link href={`/${purpose}`}>{t(`purpose.${purpose}`)}</Link>
        </li>
      )}
    </ul>
  );
}
