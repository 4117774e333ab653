/**
 * The nodes that were told to the house, each with its name and shape: a device that was removed elsewhere is noticed at the
 * next start, and a node that its owner never named may get a better name.
 */

import type { DriverStore } from "../driver.ts";

export const TOLD_KEY = "told";

export type ToldNode = { readonly name: string; readonly shapeId: string };
export type Told = { readonly homeId: number; readonly nodes: Readonly<Record<string, ToldNode>> };

/** Nodes by address; none when the stick has another network than before: its owner may put the old one back. */
export function toldBefore(store: DriverStore, homeId: number): Map<string, ToldNode> {
  const told = store.get(TOLD_KEY);
  if (!isRecord(told) || told.homeId !== homeId || !isRecord(told.nodes)) return new Map();
  return new Map(Object.entries(told.nodes).filter((entry): entry is [string, ToldNode] => isToldNode(entry[1])));
}

function isToldNode(value: unknown): value is ToldNode {
  return isRecord(value) && typeof value.name === "string" && typeof value.shapeId === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
