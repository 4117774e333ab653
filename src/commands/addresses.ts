/** Addresses of new folders and scenes: decimal numbers as clients know them. */

import { ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import { referencesOf } from "../programs/references.ts";

/** Different ranges let people distinguish folders from scenes at first sight. */
const FIRST = { folder: 11_001, group: 31_001 } as const;
const LAST = 65_535;
/** Groups of the wired modem; more scenes than that share them. */
const DEVICE_GROUPS = 254;

/**
 * The highest one plus one. An address that something had, and that a program still names or an edit can bring back, is
 * passed over: it must not lead to a stranger.
 *
 * @throws ControllerError LIMIT_REACHED
 */
export function newAddress(home: Home, kind: keyof typeof FIRST): string {
  const taken = takenAddresses(home);
  const numbers = [...home[`${kind}s`].keys()].map(Number).filter((number) => number >= FIRST[kind] && number <= LAST);
  const isFree = (number: number) => !taken.has(String(number));
  for (let number = Math.max(FIRST[kind] - 1, ...numbers) + 1; number <= LAST; number += 1) {
    if (isFree(number)) return String(number);
  }
  for (let number = FIRST.folder; number <= LAST; number += 1) if (isFree(number)) return String(number);
  throw new ControllerError("LIMIT_REACHED");
}

/** One that no scene has, while there is one. */
export function newDeviceGroup(home: Home): number {
  const scenes = Map.groupBy(home.groups.values(), ({ deviceGroup }) => deviceGroup);
  const uses = (number: number) => scenes.get(number)?.length ?? 0;
  let best = 1;
  for (let number = 2; number <= DEVICE_GROUPS; number += 1) if (uses(number) < uses(best)) best = number;
  return best;
}

function takenAddresses(home: Home): ReadonlySet<string> {
  const taken = new Set([
    ...home.nodes.keys(),
    ...home.groups.keys(),
    ...home.folders.keys(),
    ...home.hiddenNodes.keys(),
  ]);
  for (const { touched } of home.edits.values()) for (const key of touched) taken.add(key.slice(key.indexOf(" ") + 1));
  for (const entry of home.programs.values()) {
    for (const reference of referencesOf(entry)) if (reference.kind === "address") taken.add(reference.address);
  }
  return taken;
}
