/** Where a node belongs: its folder, its scenes, and what an owner can do with it as a whole. */

import type { Node, NodeRole, Replacement } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { FolderSelect } from "../parts/folder-select.tsx";
import { Card } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { RemoveButton } from "../parts/remove.tsx";
import { sceneHref } from "../parts/things.ts";
import { isOwner } from "../session/role.ts";
import { useHome } from "../store/context.ts";
import { setEnabled } from "../store/edits.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { type NodeUse, proposedUse, USES } from "./node-uses.ts";

export function NodeMemberships({ node }: { node: Node }) {
  if (node.groups.length === 0) return null;
  return (
    <Card title={t("node.scenes")}>
      <ul class="rows">
        {node.groups.map((group) => (
          <li key={group.address}>
            <Link class="main" href={sceneHref(group.address)}>
              {group.name}
            </Link>
            <span class="tag">
              {t(group.controllers.includes(node.address) ? "scene.controller" : "scene.responder")}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function NodePosition({ node }: { node: Node }) {
  const home = useHome();
  const act = useAct();
  const isFirst = node.parent === null || home.nodes.find(node.parent) === null;
  return (
    <Card title={t("node.about")}>
      <dl>
        <dt>{t("node.address")}</dt>
        <dd>{node.address}</dd>
        <dt>{t("node.kind")}</dt>
        <dd>{t(`role.${(node.role ?? "other") as NodeRole}`)}</dd>
      </dl>
      {isOwner() && isFirst && (
        <FolderSelect
          value={node.parent}
          choose={(folder) => void act.edit(t("done.moved"), () => home.edits.move(node.address, folder))}
        />
      )}
      {isOwner() && <NodeUseSelect node={node} />}
      <div class="buttons">
        <button type="button" onClick={() => void act.run(() => node.query())}>
          {t("node.query")}
        </button>
        {isOwner() && (
          <>
            {node.enabled ? (
              <DisableButton node={node} />
            ) : (
              <button
                type="button"
                onClick={() => void act.edit(t("done.enabled"), () => setEnabled(home, node.address, true))}
              >
                {t("node.enable")}
              </button>
            )}
            <ReplaceButton node={node} />
            <RemoveNode node={node} />
          </>
        )}
      </div>
      <p role="alert">{act.problem}</p>
    </Card>
  );
}

function DisableButton({ node }: { node: Node }) {
  const home = useHome();
  return (
    <DialogButton label={t("node.disable")}>
      <Ask
        title={t("node.disableTitle", { name: node.name })}
        submit={t("node.disable")}
        done={t("done.disabled")}
        onSubmit={(form) => setEnabled(home, node.address, false, String(form.get("reason")).trim())}
      >
        <p>{t("node.disableAbout")}</p>
        <label>
          {t("node.reason")}
          <input name="reason" maxLength={200} />
        </label>
      </Ask>
    </DialogButton>
  );
}

function RemoveNode({ node }: { node: Node }) {
  const home = useHome();
  const [, navigate] = useLocation();
  return (
    <RemoveButton
      kind="node"
      key_={node.address}
      name={node.name}
      remove={async () => {
        const edited = await home.edits.remove(node.address);
        navigate("/");
        return edited;
      }}
    >
      <p class="hint">{t("node.removeAbout")}</p>
    </RemoveButton>
  );
}

function ReplaceButton({ node }: { node: Node }) {
  return (
    <DialogButton label={t("node.replace")}>
      <Replace node={node} />
    </DialogButton>
  );
}

/** First says what the other device cannot do, then replaces. */
function Replace({ node }: { node: Node }) {
  const home = useHome();
  const [, navigate] = useLocation();
  const [by, setBy] = useState("");
  const [plan, setPlan] = useState<Replacement | null>(null);
  const others = [...home.nodes].filter(({ address, primary }) => primary === address && address !== node.address);
  const choose = async (address: string) => {
    setBy(address);
    setPlan(
      address === ""
        ? null
        : await home.edits.replace(node.address, address, { dryRun: true, force: true }).catch(() => null),
    );
  };
  return (
    <Ask
      title={t("node.replaceTitle", { name: node.name })}
      submit={t("node.replace")}
      done={t("done.replaced")}
      isDangerous
      onSubmit={async () => {
        const edited = await home.edits.replace(node.address, by, { force: true });
        navigate("/");
        return edited;
      }}
    >
      <p>{t("node.replaceAbout")}</p>
      <label>
        {t("node.replaceBy")}
        <select required value={by} onChange={(event) => void choose(event.currentTarget.value)}>
          <option value="" />
          <Options of={others.map(({ address, path }) => [address, path])} />
        </select>
      </label>
      {plan?.misfits.map((misfit) => (
        <p key={misfit} role="alert">
          {misfit}
        </p>
      ))}
    </Ask>
  );
}

/** What a node is used for: a contact at a window or a door, a relay for a lamp. Programs by room and role find it by that. */
function NodeUseSelect({ node }: { node: Node }) {
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
