/**
 * Programs from before doors and covers of message brokers said open and closed by the names of their unit. It is not known whether such a
 * program was written by the words, which were turned round, or by the numbers, so a finding asks until the program is saved again.
 */

import { PLUGINS, ZIGBEE } from "../families.ts";
import type { Home } from "../home/home.ts";
import type { Condition } from "../home/program-syntax.ts";
import { OPENED } from "../profile/state-shapes.ts";
import { conditionsOf, leafConditions } from "./references.ts";

/** Versions of programs and folders by their ids. */
export type TurnedPrograms = ReadonlyMap<number, number>;

type Kept = { get(key: string): unknown; set(key: string, value: unknown): void };

const KEY = "programs";
/** Devices that announce themselves; other slots are plugins'. */
const ANNOUNCED_SLOT = 0;

/** Looks at the programs once, at the first start that finds nothing stored. */
export function turnedPrograms(home: Home, stored: Kept): TurnedPrograms {
  const known = stored.get(KEY) as readonly (readonly [id: number, version: number])[] | undefined;
  if (known) return new Map(known);
  const found = [...home.programs.values()].flatMap((entry) =>
    leafConditions(conditionsOf(entry)).some((condition) => comparesTurned(home, condition))
      ? [[entry.id, entry.version] as const]
      : [],
  );
  stored.set(KEY, found);
  return new Map(found);
}

export function comparesTurned({ nodes }: Pick<Home, "nodes">, condition: Condition): boolean {
  if (condition.kind !== "status" || condition.property !== "ST") return false;
  const node = nodes.get(condition.node);
  if (node?.properties.get("ST")?.uom !== OPENED.uom) return false;
  return node.family === ZIGBEE.id || (node.family === PLUGINS.id && node.instance === ANNOUNCED_SLOT);
}
