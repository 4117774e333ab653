/** What a node is used for: a contact at a window or a door, a relay for a lamp. Programs by room and role find it by that. */

import type { Node } from "@domovoi/client";
import { Options } from "../parts/options.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { type NodeUse, proposedUse, USES } from "./node-uses.ts";

export function NodeUseSelect({ node }: { node: Node }) {
  const home = useHome();
  const act = useAct();
  const uses = USES[node.role ?? ""];
  if (!uses) return null;
  const set = (use: NodeUse | null) => act.edit(t("done.used"), () => home.edits.setUse(node.address, use));
  const proposed = node.use === null ? proposedUse(node) : null;
  return (
    <>
      <label>
        {t("node.use")}
        <select
          value={node.use ?? ""}
          onChange={(event) => void set(uses.find((use) => use === event.currentTarget.value) ?? null)}
        >
          <option value="">{t("node.use.none")}</option>
          <Options of={uses.map((use) => [use, t(`node.use.${use}`)])} />
        </select>
      </label>
      {proposed !== null && (
        <p class="hint">
          {t("node.useProposed", { use: t(`node.use.${proposed}`) })}{" "}
          <button type="button" onClick={() => void set(proposed)}>
            {t("node.useAccept")}
          </button>
        </p>
      )}
      <p role="alert">{act.problem}</p>
    </>
  );
}
