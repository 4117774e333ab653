/** The demo home's scenes: those of the built-in home, or one for every five nodes of a generated home. */

import type { DeviceKind } from "../drivers/virtual/kinds.ts";
import type { Change } from "../home/change.ts";
import type { Group, LinkParameter, SceneLink } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import type { Linkdef } from "../profile/linkdef.ts";
import type { Nodedef } from "../profile/nodedef.ts";
import type { Profile } from "../profile/profile.ts";
import type { DemoRoom } from "./demo-home.ts";
import { DEMO_SCENES, type SceneDoing, type SceneRow } from "./demo-scenes.ts";
import { roomFolder } from "./seed-folders.ts";

type ScenePorts = {
  readonly home: Pick<Home, "nodes">;
  readonly profile: Pick<Profile, "nodedef" | "instance">;
  /** Number of nodes of a generated home; 0 = the built-in home. */
  readonly count: number;
};

const FIRST_SCENE = 31_001;
const FIRST_DEVICE_GROUP = 20;
const DEVICE_GROUPS = 200;
const PERCENT = 51;
const INDEX = 25;
/** Half a second. */
const RAMP = 28;

export function demoScenes(rooms: readonly DemoRoom[], ports: ScenePorts): readonly Change[] {
  const rows = ports.count === 0 ? DEMO_SCENES : sizedScenes(rooms, ports.count);
  return rows.map((row, index): Change => {
    const parent = row.room === null ? null : roomFolder(rooms, row.room);
    return { type: "group-added", group: { ...scene(row, index, ports), parent } };
  });
}

function scene(row: SceneRow, index: number, ports: ScenePorts): Omit<Group, "parent"> {
  const address = String(FIRST_SCENE + index);
  const links = Object.entries(row.links).map(([node, does]) => sceneLink(node, does, ports));
  const responders = [...new Set(links.map((link) => link.node))].filter((node) => !row.controllers.includes(node));
  return {
    address,
    name: row.name,
    deviceGroup: FIRST_DEVICE_GROUP + (index % DEVICE_GROUPS),
    members: [
      ...row.controllers.map((node) => ({ address: node, isController: true })),
      ...responders.map((node) => ({ address: node, isController: false })),
    ],
    blocks: [
      ...row.controllers.map((controller) => ({ controller, links: controllerLinks(controller, links) })),
      { controller: address, links },
    ],
  };
}

/** The links of one controller: it has a default link of its own, and the other members have the links of the scene. */
function controllerLinks(controller: string, links: readonly SceneLink[]): readonly SceneLink[] {
  return [{ kind: "default", node: controller }, ...links.filter((link) => link.node !== controller)];
}

/** A level becomes what the node can do with it: a link of its own kind, else a command. */
function sceneLink(node: string, does: SceneDoing, { home, profile }: ScenePorts): SceneLink {
  if (does === "default" || does === "ignore") return { kind: does, node };
  if (typeof does !== "number") return { kind: "cmd", node, ...does };
  const record = home.nodes.get(node);
  const nodedef = record ? profile.nodedef(record.nodeDefId, record.family, record.instance) : null;
  const linkdef = record && linkdefFor(nodedef, profile, record.family, record.instance);
  if (linkdef) return { kind: "native", node, linkdef: linkdef.id, parameters: nativeParameters(linkdef, does) };
  const takesLevel = nodedef?.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);
  if (does === 0) return { kind: "cmd", node, command: "DOF", parameters: [] };
  return {
    kind: "cmd",
    node,
    command: "DON",
    parameters: takesLevel ? [{ id: "", value: does, uom: PERCENT, prec: 0 }] : [],
  };
}

function linkdefFor(
  nodedef: Nodedef | null,
  profile: ScenePorts["profile"],
  family: number,
  instance: number,
): Linkdef | null {
  const linkdefs = profile.instance(family, instance)?.linkdefs;
  const found = nodedef?.respondLinks.map((id) => linkdefs?.get(id)).find((linkdef) => linkdef && !linkdef.cmd);
  return found ?? null;
}

function nativeParameters({ parameters }: Linkdef, level: number): readonly LinkParameter[] {
  return parameters.map(({ id, editor }) => {
    if (id !== "OL") return { id, value: RAMP, uom: INDEX, prec: 0 };
    return { id, value: editor === "I_OL_PARAM" ? level : steppedLevel(editor, level), uom: PERCENT, prec: 0 };
  });
}

/** Relays know 0 and 100; fans know four levels. */
function steppedLevel(editor: string, level: number): number {
  const steps = editor === "I_FLM_LVL" ? [0, 25, 75, 100] : [0, 100];
  return steps.find((step) => step >= level) ?? 100;
}

const NODES_PER_SCENE = 5;
const MEMBERS_MIN = 2;
const MEMBERS_MAX = 8;
/** One in so many scenes only fires: nothing of it stays on. */
const FIRE_ONLY = 10;
const LIGHTS: readonly DeviceKind[] = ["dimmer", "relay", "outlet", "keypad", "radio-dimmer", "radio-switch", "fan"];
const PADDLES: readonly DeviceKind[] = ["dimmer", "relay", "outlet", "keypad"];
const MOODS = ["Bright", "Dinner", "Evening", "Night", "Work", "Party", "Off"] as const;

/** Scenes of a home of any size: room by room, one for every five nodes, of every kind in turn. */
function sizedScenes(rooms: readonly DemoRoom[], count: number): readonly SceneRow[] {
  if (rooms.length === 0) return [];
  const scenes = Math.floor(count / NODES_PER_SCENE);
  return Array.from({ length: scenes }, (_, index) => sizedScene(rooms, index));
}

function sizedScene(rooms: readonly DemoRoom[], index: number): SceneRow {
  const room = rooms[index % rooms.length];
  const turn = Math.floor(index / rooms.length);
  const lights = (room?.devices ?? []).filter(({ kind }) => LIGHTS.includes(kind));
  const size = MEMBERS_MIN + ((index * 5) % (MEMBERS_MAX - MEMBERS_MIN + 1));
  const members = Array.from({ length: Math.min(size, lights.length) }, (_, at) => lights[(at + turn) % lights.length]);
  const nodes = members.flatMap((device) => (device ? [device.address] : []));
  const controller = members.find((device) => device && PADDLES.includes(device.kind));
  return {
    name: `${room?.name} ${MOODS[turn % MOODS.length]} ${index + 1}`,
    room: room?.name ?? null,
    controllers: controller && index % 3 !== 0 ? [controller.address] : [],
    links: Object.fromEntries(nodes.map((node, at) => [node, doing(index, at)])),
  };
}

function doing(index: number, at: number): SceneDoing {
  if (index % FIRE_ONLY === FIRE_ONLY - 1) return at === 0 ? "ignore" : { command: "QUERY", parameters: [] };
  const turn = (index * 7 + at * 3) % 8;
  if (turn === 0) return "default";
  if (turn === 1) return 0;
  if (turn === 2) return { command: "DON", parameters: [] };
  return 10 + ((index * 37 + at * 13) % 91);
}
