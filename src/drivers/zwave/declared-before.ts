/**
 * The nodes that were declared to the home, each with its name and shape. So a device that was removed elsewhere is
 * noticed at the next start, and a node that its owner never renamed can get a better name.
 */

import { isRecord } from "../../util/is-record.ts";
import type { ServiceStore } from "../service.ts";

export const DECLARED_KEY = "told";

export type DeclaredNode = { readonly name: string; readonly shapeId: string };
export type DeclaredNodes = { readonly homeId: number; readonly nodes: Readonly<Record<string, DeclaredNode>> };

/** Nodes by address; none when the adapter has another network than before: its owner may put the old one back. */
export function declaredBefore(store: ServiceStore, homeId: number): Map<string, DeclaredNode> {
  const stored = store.get(DECLARED_KEY);
  if (!isRecord(stored) || stored.homeId !== homeId || !isRecord(stored.nodes)) return new Map();
  return new Map(
    Object.entries(stored.nodes).filter((entry): entry is [string, DeclaredNode] => isDeclaredNode(entry[1])),
  );
}

function isDeclaredNode(value: unknown): value is DeclaredNode {
  return isRecord(value) && typeof value.name === "string" && typeof value.shapeId === "string";
}
