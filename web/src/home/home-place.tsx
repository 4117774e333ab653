/** Home: what is on, the scenes, and the rooms with their nodes. Rooms are the folders of the home; nothing is configured. */

import type { Group, Node } from "@domovoi/client";
import { ArrowDown, ArrowDownUp, ArrowUp, ChevronRight, CircleAlert, FolderPlus, Lightbulb } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { CommandLine } from "../parts/honest.tsx";
import { Head } from "../parts/layout.tsx";
import { NodeRow } from "../parts/node-row.tsx";
import { SceneState } from "../parts/scene-state.tsx";
import { folderHref, sceneHref } from "../parts/things.ts";
import { hasOwnerRights, isOwner } from "../session/role.ts";
import { isWaiting } from "../store/command-states.ts";
import { useHome, useStore } from "../store/context.ts";
import { isOn, isSwitched } from "../store/controls.ts";
import { useDerived } from "../store/use-derived.ts";
import { t, tn } from "../text/text.ts";
import { isWorthARow, type Room, roomsOf } from "./rooms.ts";

const SCENES_SHOWN = 6;
const USED_SHOWN = 4;

type ChipKind = "on" | "silent";

export function HomePlace() {
  const home = useHome();
  const { revision, layer } = useStore();
  const [isArranging, setArranging] = useState(false);
  const usedNow = useMemo(() => layer.usedNow(), []);
  const order = layer.list("order");
  const hidden = layer.list("hidden");
  const rooms = useMemo(() => inOrder(roomsOf(home), order), [home, revision.value, order]);
  const scenes = useMemo(() => mostUsedFirst([...home.groups].filter(isUseful), usedNow), [home, revision.value]);
  const nodesAt = (addresses: readonly string[]) => addresses.flatMap((address) => home.nodes.find(address) ?? []);
  const marked = nodesAt(layer.list("favorites"));
  const often = nodesAt(usedNow).filter((node) => !marked.includes(node)).slice(0, USED_SHOWN);
  const visible = rooms.filter(({ key }) => !hidden.includes(key));
  const [chip, setChip] = useState<ChipKind | null>(null);
  return (
    <>
      <Head title={home.name || t("place.home")}>
        <button type="button" class="icon" aria-pressed={isArranging} aria-label={t("arrange.title")} onClick={() => setArranging(!isArranging)}>
          <ArrowDownUp size={20} aria-hidden />
        </button>
        {isOwner() && <NewFolder />}
      </Head>
      <Chips rooms={rooms} open={chip} toggle={(kind) => setChip(kind === chip ? null : kind)} />
      {scenes.length > 0 && (
        <section class="scenes" aria-label={t("scenes.title")}>
          {scenes.slice(0, SCENES_SHOWN).map((scene) => (
            <SceneButton key={scene.address} scene={scene} />
          ))}
          <Link class="button" href="/scenes">{t("scenes.all")}</Link>
        </section>
      )}
      {home.nodes.size === 0 && scenes.length === 0 && <Empty />}
      <div class="rooms">
        {marked.length > 0 && <RoomCard room={{ key: "favorites", name: t("home.favorites"), folder: null, nodes: marked }} isOpenFirst />}
        {often.length > 0 && <RoomCard room={{ key: "often", name: t("home.often"), folder: null, nodes: often }} isOpenFirst />}
        {!isArranging && visible.map((room) => (
          <RoomCard key={room.key} room={room} isOpenFirst={rooms.length === 1} />
        ))}
      </div>
      {isArranging && <Arrange rooms={rooms} />}
      {!isArranging && visible.length < rooms.length && (
        <p class="hint">
          {tn("arrange.hidden", rooms.length - visible.length)} <button type="button" class="link" onClick={() => setArranging(true)}>{t("arrange.title")}</button>
        </p>
      )}
    </>
  );
}

/** A limited account is not shown the members of its scenes. */
function isUseful({ members }: Group): boolean {
  return members.length > 0 || !hasOwnerRights();
}

function Empty() {
  if (!hasOwnerRights()) return <p class="empty">{t("home.nothingShared")}</p>;
  return (
    <p class="empty">
      {t("home.empty")} <Link href="/system/integrations">{t("system.integrations")}</Link>
    </p>
  );
}

/** Order and hiding of rooms, for this person only. */
function Arrange({ rooms }: { rooms: readonly Room[] }) {
  const { layer } = useStore();
  const hidden = layer.list("hidden");
  const keys = rooms.map(({ key }) => key);
  return (
    <section class="card" aria-label={t("arrange.title")}>
      <p class="hint">{t("arrange.about")}</p>
      <ul class="rows">
        {rooms.map(({ key, name }, at) => (
          <li key={key}>
            <span class="main">{name}</span>
            <span class="buttons">
              <button type="button" class="icon" disabled={at === 0} aria-label={t("arrange.up", { name })} onClick={() => layer.move(keys, key, -1)}><ArrowUp size={20} aria-hidden /></button>
              <button type="button" class="icon" disabled={at === keys.length - 1} aria-label={t("arrange.down", { name })} onClick={() => layer.move(keys, key, 1)}><ArrowDown size={20} aria-hidden /></button>
              <button type="button" role="switch" class="switch" aria-checked={!hidden.includes(key)} aria-label={t("arrange.show", { name })} onClick={() => layer.toggle("hidden", key)}><span /></button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** By the person's order; rooms that are newer than it come last. */
function inOrder(rooms: readonly Room[], order: readonly string[]): readonly Room[] {
  const placeOf = ({ key }: Room) => (order.includes(key) ? order.indexOf(key) : order.length);
  return rooms.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function mostUsedFirst(scenes: readonly Group[], used: readonly string[]): readonly Group[] {
  const placeOf = ({ address }: Group) => (used.includes(address) ? used.indexOf(address) : used.length);
  return scenes.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function NewFolder() {
  const home = useHome();
  return (
    <DialogButton class="icon" name={t("folder.new")} label={<FolderPlus size={20} aria-hidden />}>
      <Ask
        title={t("folder.new")}
        submit={t("create")}
        done={t("done.created")}
        onSubmit={(form) => home.edits.createFolder(String(form.get("name")).trim())}
      >
        <label>
          {t("rename.name")}
          <input name="name" required maxLength={200} />
        </label>
      </Ask>
    </DialogButton>
  );
}

/** Opens a list; never acts. */
function Chips({ rooms, open, toggle }: { rooms: readonly Room[]; open: ChipKind | null; toggle: (kind: ChipKind) => void }) {
  const home = useHome();
  const nodes = useMemo(() => rooms.flatMap((room) => room.nodes), [rooms]);
  const switched = useMemo(() => nodes.filter((node) => isSwitched(home, node)), [nodes]);
  const lit = useNodesOn(switched, "ST");
  const silent = useNodesOn(nodes, "ERR");
  const chips = [
    { kind: "silent", Icon: CircleAlert, text: tn("chip.silent", silent.length), nodes: silent },
    { kind: "on", Icon: Lightbulb, text: tn("chip.on", lit.length), nodes: lit },
  ] as const;
  const shown = chips.find(({ kind }) => kind === open);
  return (
    <section class="chips" aria-label={t("chip.label")}>
      {chips
        .filter(({ nodes: some }) => some.length > 0)
        .map(({ kind, Icon, text }) => (
          <button key={kind} type="button" class={`chip ${kind}`} aria-expanded={open === kind} onClick={() => toggle(kind)}>
            <Icon size={18} aria-hidden />
            {text}
          </button>
        ))}
      {shown && shown.nodes.length > 0 && (
        <ul class="card rows">
          {shown.nodes.map((node) => (
            <NodeRow key={node.address} node={node} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Nodes whose property is not zero. Follows changes, and renders only when the set of nodes changes. */
function useNodesOn(nodes: readonly Node[], property: string): readonly Node[] {
  const store = useStore();
  const addresses = useDerived(
    () => nodes.filter(({ address }) => isOn(store.property(address, property).value?.value)).map(({ address }) => address).join("\n"),
    [nodes, property],
  );
  return useMemo(() => {
    const on = new Set(addresses.split("\n"));
    return nodes.filter(({ address }) => on.has(address));
  }, [nodes, addresses]);
}

/** A room with nothing on is one line, so that 500 nodes are not 500 rows. */
function RoomCard({ room, isOpenFirst }: { room: Room; isOpenFirst: boolean }) {
  const home = useHome();
  const switched = useMemo(() => room.nodes.filter((node) => isSwitched(home, node)), [room]);
  const lit = useNodesOn(switched, "ST");
  // Decided once: a room that opens by itself would move what a finger is about to touch.
  const [isShown, setShown] = useState(isOpenFirst || lit.length > 0);
  return (
    <details class="card room" open={isShown} onToggle={({ currentTarget: { open } }) => setShown(open)}>
      <summary>
        <ChevronRight class="chevron" size={18} aria-hidden />
        <h2>{room.name}</h2>
        <span class={lit.length > 0 ? "tag lit" : "value"}>
          {lit.length > 0 ? tn("room.on", lit.length) : tn("room.nodes", room.nodes.length)}
        </span>
      </summary>
      {isShown && (
        <>
          <RoomRows nodes={room.nodes} />
          {room.folder && isOwner() && (
            <p class="hint"><Link href={folderHref(room.folder.address)}>{t("folder.open")}</Link></p>
          )}
        </>
      )}
    </details>
  );
}

function RoomRows({ nodes }: { nodes: readonly Node[] }) {
  const store = useStore();
  const home = useHome();
  const left = useDerived(
    () => nodes.filter((node) => !isWorthARow(home, node, store.property(node.address, "ST").value?.value)).map(({ address }) => address).join("\n"),
    [nodes],
  );
  const hidden = new Set(left.split("\n"));
  return (
    <ul class="rows">
      {nodes.filter(({ address }) => !hidden.has(address)).map((node) => (
        <NodeRow key={node.address} node={node} />
      ))}
    </ul>
  );
}

function SceneButton({ scene }: { scene: Group }) {
  const store = useStore();
  const state = store.commands.of(scene.address).value;
  return (
    <span class="scene">
      <button type="button" aria-busy={isWaiting(state)} disabled={store.past.value !== null} onClick={() => void store.commands.run(scene.address, () => scene.send("DON"), "scene")}>
        {scene.name}
        <SceneState scene={scene} class="value" />
      </button>
      <CommandLine address={scene.address} />
      {state?.phase === "outcome" && <Link class="hint" href={sceneHref(scene.address)}>{t("scene.open")}</Link>}
    </span>
  );
}
