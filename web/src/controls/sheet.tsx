/** A sheet over a list, with what a row has no space for: everything to set, and why it is as it is. */

import type { Node } from "@domovoi/client";
import { useEffect, useId, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { useClose } from "../parts/closing.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { FavoriteButton } from "../parts/favorite-button.tsx";
import { NodeControl } from "../parts/honest.tsx";
import { followState, stateText } from "../parts/node-state.ts";
import { nodeHref } from "../parts/things.ts";
import { NodeWhy } from "../parts/why-panel.tsx";
import { useStore } from "../store/context.ts";
import { loadMessages } from "../text/messages.ts";
import { loadTextsOf, t } from "../text/text.ts";
import { Adjust } from "./adjust.tsx";

/** With the texts that it needs. */
export async function openSheet(): Promise<typeof AdjustSheet> {
  await Promise.all([loadTextsOf("places"), loadMessages()]);
  return AdjustSheet;
}

function AdjustSheet({ node }: { node: Node }) {
  const store = useStore();
  const close = useClose();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  followState(store, node);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={close}>
      <div class="fields">
        <div class="head">
          <h2 id={title}>{node.name}</h2>
          <FavoriteButton address={node.address} />
        </div>
        <p class="now">{stateText(node) || t("value.unknown")}</p>
        <div class="node-controls">
          <NodeControl node={node} />
        </div>
        <Adjust node={node} />
        <CommandLine address={node.address} />
        {!store.past.value && <NodeWhy address={node.address} />}
        <div class="buttons end">
          <Link class="button" href={nodeHref(node.address)}>
            {t("adjust.all")}
          </Link>
          <button type="button" class="primary" onClick={close}>
            {t("adjust.done")}
          </button>
        </div>
      </div>
    </dialog>
  );
}
