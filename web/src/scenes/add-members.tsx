/** Adds members to a scene: any number at once, found by name or by room, each with its level; or a room as it is now. */

import type { Group, Home, Node } from "@domovoi/client";
import { useMemo, useState } from "preact/hooks";
import { roomsOf } from "../home/rooms.ts";
import { isOn } from "../parts/activity.ts";
import { Ask } from "../parts/dialog.tsx";
import { useHome } from "../store/context.ts";
import { controlOf } from "../store/controls.ts";
import { folded } from "../text/folded.ts";
import { t } from "../text/text.ts";
import { LevelSlider } from "./level-slider.tsx";

type Role = "responder" | "controller";
/** Percent; null: the scene decides. */
type Chosen = ReadonlyMap<string, number | null>;

export function AddMembers({ scene }: { scene: Group }) {
  const home = useHome();
  const [role, setRole] = useState<Role>("responder");
  const [query, setQuery] = useState("");
  const [room, setRoom] = useState("");
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const rooms = useMemo(() => roomsOf(home), [home]);
  const candidates = candidatesOf(home, scene, role);
  const inRoom = new Set(rooms.find(({ key }) => key === room)?.nodes.map(({ address }) => address));
  const wanted = folded(query.trim());
  const shown = candidates.filter(
    (node) => folded(node.path).includes(wanted) && (room === "" || inRoom.has(node.address)),
  );
  const choose = (node: Node, level: number | null) => setChosen(new Map([...chosen, [node.address, level]]));
  const toggle = (node: Node, isChosen: boolean) => {
    if (isChosen) choose(node, role === "responder" ? levelOf(home, node, 100) : null);
    else setChosen(new Map([...chosen].filter(([address]) => address !== node.address)));
  };
  const takeRoom = () =>
    setChosen(new Map([...chosen, ...shown.map((node) => [node.address, levelNow(home, node)] as const)]));
  const add = () => {
    if (chosen.size === 0) throw new Error(t("scene.chooseFirst"));
    const members = Array.from(chosen, ([nodeAddress, level]) => ({
      nodeAddress,
      ...(role === "controller" && { isController: true }),
      ...(level !== null && { level }),
    }));
    return home.edits.addMembers(scene.address, members);
  };
  return (
    <Ask
      title={t("scene.addTitle", { name: scene.name })}
      submit={t("scene.addChosen", { count: chosen.size })}
      done={t("done.added")}
      onSubmit={async () => add()}
    >
      <label>
        {t("scene.role")}
        <select
          value={role}
          onChange={({ currentTarget }) => {
            setRole(currentTarget.value as Role);
            setChosen(new Map());
          }}
        >
          <option value="responder">{t("scene.responder")}</option>
          <option value="controller">{t("scene.controller")}</option>
        </select>
      </label>
      <input
        type="search"
        aria-label={t("filter")}
        placeholder={t("filter")}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <label>
        {t("happened.room")}
        <select value={room} onChange={({ currentTarget }) => setRoom(currentTarget.value)}>
          <option value="">{t("happened.anyRoom")}</option>
          {rooms.map(
            ({ key, name, nodes }) =>
              key !== "" &&
              nodes.length > 0 && (
                <option key={key} value={key}>
                  {name}
                </option>
              ),
          )}
        </select>
      </label>
      {role === "responder" && room !== "" && (
        <button type="button" onClick={takeRoom}>
          {t("scene.takeRoom")}
        </button>
      )}
      {shown.length === 0 && <p class="empty">{t("happened.none")}</p>}
      <ul class="rows choices">
        {shown.map((node) => {
          const level = chosen.get(node.address);
          return (
            <li key={node.address}>
              <label class="check main">
                <input
                  type="checkbox"
                  checked={level !== undefined}
                  onChange={({ currentTarget }) => toggle(node, currentTarget.checked)}
                />
                {node.path.replaceAll("/", " / ")}
              </label>
              {typeof level === "number" && (
                <LevelSlider
                  label={t("level.of", { name: node.name })}
                  level={level}
                  step={hasLevels(home, node) ? 1 : 100}
                  change={(next) => choose(node, next)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Ask>
  );
}

function candidatesOf(home: Home, scene: Group, role: Role): readonly Node[] {
  const fits = (node: Node) =>
    role === "controller" ? (node.nodedef?.sends.length ?? 0) > 0 : controlOf(home, node).kind !== "value";
  return [...home.nodes]
    .filter((node) => node.enabled && !scene.members.includes(node.address) && fits(node))
    .sort((a, b) => a.path.localeCompare(b.path));
}

function hasLevels(home: Home, node: Node): boolean {
  return controlOf(home, node).kind === "level";
}

/** null for what has no level, such as a cover or a lock. */
function levelOf(home: Home, node: Node, level: number): number | null {
  const { kind } = controlOf(home, node);
  return kind === "level" || kind === "switch" ? level : null;
}

function levelNow(home: Home, node: Node): number | null {
  if (!isOn(node.properties.get("ST"))) return levelOf(home, node, 0);
  return levelOf(home, node, hasLevels(home, node) ? Math.round(node.value("ST") ?? 100) : 100);
}
