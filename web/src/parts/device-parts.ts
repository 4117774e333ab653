/** Which nodes are parts of another one's device, and are shown with it. */

import type { Home, Node } from "@domovoi/client";
import { useHome, useStore } from "../store/context.ts";
import { isPart, LAMPS } from "./roles.ts";

/** By the address of the device's first node. */
type DeviceParts = ReadonlyMap<string, readonly Node[]>;

const NO_PARTS: readonly Node[] = [];

let memo: { readonly home: Home; readonly revision: number; readonly parts: DeviceParts } | null = null;

export function useDeviceParts(): DeviceParts {
  const home = useHome();
  const revision = useStore().revision.value;
  if (memo?.home !== home || memo.revision !== revision) memo = { home, revision, parts: devicePartsOf(home) };
  return memo.parts;
}

export function useParts(node: Node): readonly Node[] {
  return useDeviceParts().get(node.address) ?? NO_PARTS;
}

function devicePartsOf(home: Home): DeviceParts {
  const parts = new Map<string, Node[]>();
  for (const node of home.nodes) {
    if (!isPart(home, node) || node.primary === null) continue;
    parts.set(node.primary, [...(parts.get(node.primary) ?? []), node]);
  }
  return parts;
}

/** A switch that its owner uses for something else is none. */
export function isLamp({ role, use }: Node): boolean {
  return LAMPS.has(role ?? "") && use !== "other";
}
