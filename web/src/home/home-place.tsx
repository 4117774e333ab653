/** Home: what is on, the scenes, and the rooms with their nodes. Rooms are the folders of the home; nothing is configured. */

import type { Group, Home, Node } from "@domovoi/client";
import { useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { CommandLine, NodeControl } from "../parts/honest.tsx";
import { useHome, useStore } from "../store/context.ts";
import { controlOf, isOn } from "../store/controls.ts";
import { t, tn } from "../text/text.ts";

type Room = { readonly key: string; readonly name: string; readonly nodes: readonly Node[] };
type ChipKind = "on" | "silent";

export function HomePlace() {
  const home = useHome();
  const { revision } = useStore();
  const rooms = useMemo(() => roomsOf(home), [home, revision.value]);
  const scenes = useMemo(() => [...home.groups].filter((group) => group.members.length > 0), [home, revision.value]);
  const [chip, setChip] = useState<ChipKind | null>(null);
  return (
    <>
      <h1>{home.name || t("place.home")}</h1>
      <Chips rooms={rooms} open={chip} toggle={(kind) => setChip(kind === chip ? null : kind)} />
      {scenes.length > 0 && (
        <section class="scenes" aria-label={t("scenes.title")}>
          {scenes.slice(0, 6).map((scene) => (
            <SceneButton key={scene.address} scene={scene} />
          ))}
          <Link href="/scenes">{t("scenes.all")}</Link>
        </section>
      )}
      {rooms.length === 0 && <p>{t("home.empty")}</p>}
      {rooms.map((room) => (
        <RoomCard key={room.key} room={room} isOnlyOne={rooms.length === 1} />
      ))}
    </>
  );
}

/** Opens a list; never acts. */
function Chips({ rooms, open, toggle }: { rooms: readonly Room[]; open: ChipKind | null; toggle: (kind: ChipKind) => void }) {
  const store = useStore();
  const home = useHome();
  const nodes = rooms.flatMap((room) => room.nodes);
  const lit = nodes.filter((node) => isSwitched(home, node) && isOn(store.property(node.address, "ST").value?.value));
  const silent = nodes.filter((node) => isOn(store.property(node.address, "ERR").value?.value));
  const chips = [
    { kind: "on", text: tn("chip.on", lit.length), nodes: lit },
    { kind: "silent", text: tn("chip.silent", silent.length), nodes: silent },
  ] as const;
  const shown = chips.find(({ kind }) => kind === open);
  return (
    <section class="chips" aria-label={t("chip.label")}>
      {chips
        .filter(({ nodes: some }) => some.length > 0)
        .map(({ kind, text }) => (
          <button key={kind} type="button" class="chip" aria-expanded={open === kind} onClick={() => toggle(kind)}>
            {text}
          </button>
        ))}
      {shown && (
        <ul class="nodes">
          {shown.nodes.map((node) => (
            <NodeRow key={node.address} node={node} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** A room with nothing on is one line, so that 500 nodes are not 500 rows. */
function RoomCard({ room, isOnlyOne }: { room: Room; isOnlyOne: boolean }) {
  const store = useStore();
  const home = useHome();
  const lit = room.nodes.filter((node) => isSwitched(home, node) && isOn(store.property(node.address, "ST").value?.value));
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const isShown = isOpen ?? (isOnlyOne || lit.length > 0);
  return (
    <details class="room" open={isShown}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setOpen(!isShown);
        }}
      >
        <h2>{room.name}</h2>
        <span class="value">{lit.length > 0 ? tn("room.on", lit.length) : tn("room.nodes", room.nodes.length)}</span>
      </summary>
      {isShown && (
        <ul class="nodes">
          {room.nodes.map((node) => (
            <NodeRow key={node.address} node={node} />
          ))}
        </ul>
      )}
    </details>
  );
}

export function NodeRow({ node }: { node: Node }) {
  const store = useStore();
  void store.property(node.address, "ST").value;
  const label = node.enabled ? (node.label("ST") ?? "") : t("node.disabled");
  return (
    <li class="node">
      <div class="node-head">
        <Link href={`/node/${encodeURIComponent(node.address)}`}>{node.name}</Link>
        <span class="value">{label}</span>
        <CommandLine address={node.address} />
      </div>
      <div class="node-controls">
        <NodeControl node={node} />
      </div>
    </li>
  );
}

function SceneButton({ scene }: { scene: Group }) {
  const store = useStore();
  const home = useHome();
  for (const member of scene.members) void store.property(member, "ST").value;
  const on = scene.members.filter((member) => isOn(home.nodes.find(member)?.properties.get("ST")?.value)).length;
  const state = store.commands.of(scene.address).value;
  return (
    <span class="scene">
      <button
        type="button"
        aria-busy={state !== null && state.phase !== "failed"}
        onClick={() => void store.commands.run(scene.address, () => scene.send("DON"))}
      >
        {scene.name}
      </button>
      <span class="value">{t("scene.members", { on, all: scene.members.length })}</span>
      <CommandLine address={scene.address} />
    </span>
  );
}

function isSwitched(home: Home, node: Node): boolean {
  const { kind } = controlOf(home, node);
  return kind === "switch" || kind === "level";
}

/** Folders with nodes, by path; nodes outside of folders come last. */
function roomsOf(home: Home): readonly Room[] {
  const rooms = new Map<string, Node[]>();
  for (const node of home.nodes) {
    const key = node.path.split("/").slice(0, -1).join("/");
    const known = rooms.get(key);
    if (known) known.push(node);
    else rooms.set(key, [node]);
  }
  return Array.from(rooms, ([key, nodes]) => ({ key, name: key.replaceAll("/", " / ") || t("room.none"), nodes })).sort(
    (a, b) => Number(a.key === "") - Number(b.key === "") || a.name.localeCompare(b.name),
  );
}
