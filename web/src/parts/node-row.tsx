/** A node in a list: name, state, badges, how far its last command came, and its control. */

import type { Node } from "@domovoi/client";
import { SlidersHorizontal } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { useStore } from "../store/context.ts";
import { isAdjustable } from "../store/controls.ts";
import { t } from "../text/text.ts";
import { Badges } from "./badges.tsx";
import { CommandLine } from "./command-line.tsx";
import { DialogButton } from "./dialog.tsx";
import { NodeControl } from "./honest.tsx";
import { Lazy } from "./lazy.tsx";
import { NodeIcon } from "./node-icon.tsx";
import { followState, hasState, stateText } from "./node-state.ts";
import { nameWithout, nodeHref } from "./things.ts";

const sheet = () => import("../controls/sheet.tsx").then((module) => module.openSheet());

type NodeRowProps = {
  readonly node: Node;
  /** Whose name the name of the device leaves out. */
  readonly room?: string;
  /** Further buttons. */
  readonly children?: ComponentChildren;
};

export function NodeRow({ node, room = "", children }: NodeRowProps) {
  const store = useStore();
  followState(store, node);
  const isSimulated = store.simulated.value.has(node.address);
  return (
    <li class="node-row">
      <NodeIcon node={node} isSimulated={isSimulated} />
      <span class="main">
        <Link class="main" href={nodeHref(node.address)} aria-label={node.name}>
          {nameWithout(node.name, room)}
        </Link>
        <span class="value">
          {stateText(node) || (hasState(node) ? t("value.unknown") : "")} <Badges node={node} />
        </span>
        <CommandLine address={node.address} />
      </span>
      <span class="node-controls">
        <NodeControl node={node} />
        {isAdjustable(node) && !isSimulated && !store.past.value && (
          <DialogButton
            class="icon"
            name={t("adjust.of", { name: node.name })}
            label={<SlidersHorizontal size={20} aria-hidden />}
          >
            <Lazy load={sheet} node={node} />
          </DialogButton>
        )}
        {children}
      </span>
    </li>
  );
}
