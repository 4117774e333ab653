/** One scene: its members with their levels, and what each did at the last command. */

import type { Group, Node } from "@domovoi/client";
import { SlidersHorizontal, X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { CommandLine } from "../parts/command-line.tsx";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { FolderSelect } from "../parts/folder-select.tsx";
import { Card, Crumbs, Head, Missing } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { stateText } from "../parts/node-state.ts";
import { RemoveButton } from "../parts/remove.tsx";
import { Renamer } from "../parts/renamer.tsx";
import { SceneState } from "../parts/scene-state.tsx";
import { crumbsTo, nodeHref } from "../parts/things.ts";
import { hasOwnerRights, isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { rename } from "../store/edits.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { number, t } from "../text/text.ts";
import { DeviceLinks, useDeviceWrites } from "./device-link.tsx";
import { LevelSlider } from "./level-slider.tsx";
import { deviceLinksOf, levelsOf, type MemberLink, type SceneLinks } from "./scene-links.ts";
import { SceneButtons } from "./scenes-place.tsx";

export function ScenePlace({ address }: { address: string }) {
  const home = useHome();
  const scene = home.groups.find(address);
  if (!scene) return <Missing text={t("scene.unknown")} />;
  // Accounts with limits know a scene without its members; only an owner can make one that has none yet.
  const hasShownMembers = hasOwnerRights() || scene.members.some((member) => home.nodes.find(member) !== null);
  return (
    <article class="columns" key={address}>
      <div>
        <Crumbs of={[...crumbsTo(home, scene.parent), { text: t("scenes.title"), href: "/scenes" }]} />
        <Head title={<Renamer name={scene.name} rename={(name) => rename(home, "group", address, name)} />} />
        <section class="card hero" aria-label={t("node.now")}>
          <div>
            <SceneState scene={scene} class="tag" />
            <CommandLine address={address} />
          </div>
          <SceneButtons scene={scene} />
        </section>
        {hasShownMembers && <Members scene={scene} />}
      </div>
      {isOwner() && <Manage scene={scene} />}
    </article>
  );
}

function Members({ scene }: { scene: Group }) {
  const home = useHome();
  const { revision } = useStore();
  const act = useAct();
  const links = useLoaded<SceneLinks>(`/api/groups/links/${encodeURIComponent(scene.address)}`, revision.value);
  useDeviceWrites(links.reload);
  const levels = levelsOf(links.data, scene.address);
  const members = scene.members.flatMap((member) => home.nodes.find(member) ?? []);
  const capture = () =>
    act.edit(t("done.captured"), async () => {
      const skipped = await home.edits.capture(scene.address);
      const names = skipped.map((member) => home.nodes.find(member)?.name ?? member);
      if (names.length > 0) throw new Error(t("scene.skipped", { names: names.join(", ") }));
    });
  const actions = isOwner() && (
    <>
      {members.length > 0 && (
        <button type="button" disabled={act.isBusy} onClick={() => void capture()}>
          {t("scene.capture")}
        </button>
      )}
      <AddMember scene={scene} />
    </>
  );
  return (
    <Card title={t("scene.membersTitle")} actions={actions}>
      <p role="alert">{act.problem}</p>
      {members.length === 0 && <p class="empty">{t("scene.noMembers")}</p>}
      <ul class="rows">
        {members.map((node) => (
          <Member key={node.address} scene={scene} node={node} link={levels.get(node.address) ?? null}>
            <DeviceLinks
              scene={scene.address}
              links={deviceLinksOf(links.data, scene.address, node.address)}
              reload={links.reload}
            />
          </Member>
        ))}
      </ul>
    </Card>
  );
}

type MemberProps = { scene: Group; node: Node; link: MemberLink | null; children: ComponentChildren };

function Member({ scene, node, link, children }: MemberProps) {
  const home = useHome();
  const store = useStore();
  const act = useAct();
  void store.property(node.address, "ST").value;
  const state = store.commands.of(scene.address).value;
  const outcome =
    state?.phase === "outcome" ? state.members.find(({ address }) => address === node.address) : undefined;
  const isController = scene.controllers.includes(node.address);
  return (
    <li>
      <span class="main">
        <Link class="main" href={nodeHref(node.address)}>
          {node.name}
        </Link>
        <small>
          {t("scene.isNow", { value: stateText(node) || t("value.unknown") })}
          {link && ` · ${linkText(link)}`}
        </small>
        {children}
        {outcome && !outcome.isDone && <span class="command failed">{outcome.detail}</span>}
        <span role="alert">{act.problem}</span>
      </span>
      {isController && <span class="tag">{t("scene.controller")}</span>}
      {isOwner() && (
        <span class="buttons">
          {link?.kind === "level" && <LevelButton scene={scene} node={node} link={link} />}
          <button
            type="button"
            class="icon"
            aria-label={t("scene.removeMember", { name: node.name })}
            onClick={() =>
              void act.edit(t("done.removed", { name: node.name }), () =>
                home.edits.removeMember(scene.address, node.address),
              )
            }
          >
            <X size={18} aria-hidden />
          </button>
        </span>
      )}
    </li>
  );
}

function linkText(link: MemberLink): string {
  if (link.kind === "cmd") return t("scene.sends", { command: link.command });
  if (link.kind !== "level" || link.level === null)
    return t(link.kind === "ignore" ? "scene.ignored" : "scene.follows");
  const level = t("scene.level", { level: number(link.level) });
  return link.ramp === null ? level : `${level}, ${t("scene.ramp", { seconds: number(link.ramp) })}`;
}

function LevelButton({
  scene,
  node,
  link,
}: {
  scene: Group;
  node: Node;
  link: MemberLink & { readonly kind: "level" };
}) {
  const home = useHome();
  return (
    <DialogButton
      class="icon"
      name={t("scene.levelTitle", { name: node.name })}
      label={<SlidersHorizontal size={18} aria-hidden />}
    >
      <Ask
        title={t("scene.levelTitle", { name: node.name })}
        submit={t("save")}
        done={t("done.saved")}
        onSubmit={(form) => home.edits.setLevel(scene.address, node.address, levelIn(form))}
      >
        <LevelFields level={link.level ?? 100} ramp={link.ramp} />
      </Ask>
    </DialogButton>
  );
}

function LevelFields({ level, ramp }: { level: number; ramp: number | null }) {
  const [chosen, setChosen] = useState(level);
  return (
    <>
      <div>
        <span aria-hidden>{t("scene.levelField")}</span>
        <LevelSlider name="level" label={t("scene.levelField")} level={chosen} step={1} change={setChosen} />
      </div>
      <label>
        {t("scene.rampField")}
        <input name="ramp" type="number" min="0" max="600" step="any" defaultValue={String(ramp ?? "")} />
      </label>
    </>
  );
}

function levelIn(form: FormData): { readonly level?: number; readonly ramp?: number } {
  const [level, ramp] = [form.get("level"), form.get("ramp")].map((text) => (text === "" ? undefined : Number(text)));
  return { ...(level !== undefined && { level }), ...(ramp !== undefined && { ramp }) };
}

const addMembers = () => import("./add-members.tsx").then((module) => module.AddMembers);

function AddMember({ scene }: { scene: Group }) {
  return (
    <DialogButton class="primary" label={t("scene.add")}>
      <Lazy load={addMembers} scene={scene} />
    </DialogButton>
  );
}

function Manage({ scene }: { scene: Group }) {
  const home = useHome();
  const [, navigate] = useLocation();
  const act = useAct();
  return (
    <div>
      <Card title={t("scene.manage")}>
        <FolderSelect
          value={scene.parent}
          choose={(folder) => void act.edit(t("done.moved"), () => home.edits.move(scene.address, folder))}
        />
        <p role="alert">{act.problem}</p>
        <div class="buttons">
          <RemoveButton
            kind="group"
            key_={scene.address}
            name={scene.name}
            remove={async () => {
              const edited = await home.edits.remove(scene.address);
              navigate("/scenes");
              return edited;
            }}
          />
        </div>
      </Card>
    </div>
  );
}
