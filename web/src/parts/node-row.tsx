/** A node in a list: name, value, how far its last command came, and its control. */

import type { Node } from "@domovoi/client";
import { Link } from "wouter-preact";
import { useHome, useStore } from "../store/context.ts";
import { isOn, isSwitched } from "../store/controls.ts";
import { t } from "../text/text.ts";
import { CommandLine, NodeControl } from "./honest.tsx";
import { NodeIcon } from "./node-icon.tsx";
import { nodeHref } from "./things.ts";

export function NodeRow({ node }: { node: Node }) {
  const store = useStore();
  const home = useHome();
  const status = store.property(node.address, "ST").value;
  const label = node.enabled ? (node.label("ST") ?? "") : t("node.disabled");
  const isSimulated = store.simulated.value.has(node.address);
  return (
    <li class="node-row">
      <NodeIcon home={home} node={node} isLit={!isSimulated && isSwitched(home, node) && isOn(status?.value)} />
      <span class="main">
        <Link class="main" href={nodeHref(node.address)}>{node.name}</Link>
        <span class="value">{label}{isSimulated && ` · ${t("node.noDevice")}`}</span>
        <CommandLine address={node.address} />
      </span>
      <span class="node-controls">
        <NodeControl node={node} />
      </span>
    </li>
  );
}
