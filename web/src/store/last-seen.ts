/** The values that this browser showed last: the first thing on the screen at the next visit, marked with their time. */

import type { Home } from "@domovoi/client";
import { roomsOf } from "../home/rooms.ts";
import { stateText } from "../parts/node-state.ts";
import { homeZone } from "../text/home-zone.ts";

export type LastSeen = {
  readonly atMs: number;
  /** Of the home. */
  readonly zone?: string;
  readonly rooms: readonly {
    readonly name: string;
    readonly nodes: readonly { readonly name: string; readonly label: string }[];
  }[];
};

const KEY = "domovoi.last-seen";
/** More would make the first screen slower than the home itself. */
const NODES_MAX = 200;

export function readLastSeen(): LastSeen | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as LastSeen | null;
  } catch {
    return null;
  }
}

export function writeLastSeen(home: Home): void {
  let left = NODES_MAX;
  const rooms = roomsOf(home).map(({ name, nodes }) => {
    const known = nodes
      .map((node) => ({ name: node.name, label: stateText(node) }))
      .filter(({ label }) => label !== "");
    const shown = known.slice(0, left);
    left -= shown.length;
    return { name, nodes: shown };
  });
  const zone = homeZone();
  const lastSeen: LastSeen = {
    atMs: Date.now(),
    ...(zone !== undefined && { zone }),
    rooms: rooms.filter(({ nodes }) => nodes.length > 0),
  };
  try {
    localStorage.setItem(KEY, JSON.stringify(lastSeen));
  } catch {
    // The browser's storage is full or forbidden: the next visit starts empty.
  }
}

export function forgetLastSeen(): void {
  localStorage.removeItem(KEY);
}
