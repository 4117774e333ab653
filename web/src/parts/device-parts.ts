/** Which nodes are parts of another one's device, and are shown with it. */

import type { Home, Node } from "@domovoi/client";
import { useHome, useStore } from "../store/context.ts";
import { isPartRole, LAMPS } from "./roles.ts";

/** By the address of the device's first node. */
type DeviceParts = ReadonlyMap<string, readonly Node[]>;

/** The nodes below the first one of a plugin are devices of their own. */
const PLUGIN = "10";
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

export function isPart(home: Home, { address, primary, family, role }: Node): boolean {
  return (
    primary !== null &&
    primary !== address &&
    family !== PLUGIN &&
    isPartRole(role) &&
    home.nodes.find(primary) !== null
  );
}

export function isLamp({ role }: Node): boolean {
  return LAMPS.has(role ?? "");
}
