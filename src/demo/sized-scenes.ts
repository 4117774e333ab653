/** Scenes of a home of any size: room by room, one for every five nodes, of every kind in turn. */

import type { DeviceKind } from "../drivers/virtual/virtual-device.ts";
import type { DemoRoom } from "./demo-rooms.ts";
import type { SceneDoing, SceneRow } from "./demo-scenes.ts";

const NODES_PER_SCENE = 5;
const MEMBERS_MIN = 2;
const MEMBERS_MAX = 8;
/** One in so many scenes only fires: nothing of it stays on. */
const FIRE_ONLY = 10;
const LIGHTS: readonly DeviceKind[] = ["dimmer", "relay", "outlet", "keypad", "radio-dimmer", "radio-switch", "fan"];
const PADDLES: readonly DeviceKind[] = ["dimmer", "relay", "outlet", "keypad"];
const MOODS = ["Bright", "Dinner", "Evening", "Night", "Work", "Party", "Off"] as const;

export function sizedScenes(rooms: readonly DemoRoom[], count: number): readonly SceneRow[] {
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
    links: nodes.map((node, at) => ({ node, does: doing(index, at) })),
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
