/** Buttons for a block that do not change its content. */

import type { ComponentChildren } from "preact";
import { type TextKey, t } from "../../text/text.ts";
import { type Place, statementAt, type Tree } from "./tree.ts";
import { type Edited, move, parenthesize, remove, takeOut, toggleJoin } from "./tree-edits.ts";

type Tool = {
  readonly text: TextKey;
  /** After it was done. */
  readonly said: TextKey;
  readonly edit: (tree: Tree, place: Place) => Edited | null;
};

export const TOOLS = {
  up: { text: "blocks.up", said: "blocks.moved", edit: (tree, place) => move(tree, place, -1) },
  down: { text: "blocks.down", said: "blocks.moved", edit: (tree, place) => move(tree, place, 1) },
  join: { text: "blocks.join", said: "blocks.changed", edit: toggleJoin },
  parenthesize: { text: "blocks.parenthesize", said: "blocks.moved", edit: parenthesize },
  takeOut: { text: "blocks.takeOut", said: "blocks.moved", edit: takeOut },
  remove: { text: "remove", said: "blocks.removed", edit: remove },
} as const satisfies Record<string, Tool>;

type ToolName = keyof typeof TOOLS;

type ToolsProps = {
  readonly tree: Tree;
  readonly place: Place;
  /** Name of the block for screen readers. */
  readonly name: string;
  readonly use: (tool: ToolName) => void;
  readonly addBelow: () => void;
};

export function BlockTools({ tree, place, name, use, addBelow }: ToolsProps) {
  const isParen = statementAt(tree, place)?.conditions !== undefined;
  const button = (tool: ToolName, text: ComponentChildren = t(TOOLS[tool].text)) => (
    <button
      type="button"
      data-tool={tool}
      class={tool === "remove" ? "danger" : ""}
      disabled={TOOLS[tool].edit(tree, place) === null}
      onClick={() => use(tool)}
    >
      {text}
    </button>
  );
  return (
    <fieldset class="buttons tools" aria-label={t("blocks.more", { name })}>
      {button("up")}
      {button("down")}
      {place.clause === "if" && button("parenthesize")}
      {place.clause === "if" &&
        (isParen || place.indexes.length > 1) &&
        button("takeOut", t(isParen ? "blocks.dissolve" : "blocks.takeOut"))}
      <button type="button" onClick={addBelow}>
        {t("blocks.addBelow")}
      </button>
      {button("remove")}
    </fieldset>
  );
}
