/** `/api/groups`: the links of scenes, and where they leave their members. @see docs/interface/groups.md */

import type { GroupRecord, Intent } from "../model/records.ts";
import { isObject, type Json, numberOf, objectsOf, textOf } from "./json.ts";

/**
 * Resolves the groups that the data lists. Only the block of a group's own address says where its members rest; one that
 * has none is resolved without any member that it switches. A group with a link that cannot be read stays as it is.
 */
export function mergeGroups(groups: ReadonlyMap<string, GroupRecord>, data: unknown): void {
  const entries = isObject(data) ? objectsOf(data.groups) : objectsOf(data);
  for (const entry of entries) {
    const group = groups.get(textOf(entry.id));
    if (!group) continue;
    const own = objectsOf(entry.ctl).find(({ id }) => textOf(id) === group.address);
    const intents = readIntents(objectsOf(own?.links));
    if (!intents) continue;
    group.intents = intents;
    group.targetsResolved = true;
  }
}

type Ranked = { readonly rank: number; readonly intent: Intent };

const SWITCHES: ReadonlyMap<string, Intent> = new Map([
  ["DON", "on"],
  ["DFON", "on"],
  ["DOF", "off"],
  ["DFOF", "off"],
]);

/** The link of the highest rank wins, the first among equals. @returns null when one cannot be read */
function readIntents(links: readonly Json[]): ReadonlyMap<string, Intent> | null {
  const best = new Map<string, Ranked>();
  for (const link of links) {
    if (link.type === "ignore") continue;
    const address = textOf(link.node);
    const ranked = address === "" ? null : readIntent(link);
    if (!ranked) return null;
    if (ranked.rank > (best.get(address)?.rank ?? 0)) best.set(address, ranked);
  }
  return new Map(Array.from(best, ([address, { intent }]) => [address, intent]));
}

function readIntent(link: Json): Ranked | null {
  switch (link.type) {
    case "default":
      return { rank: 1, intent: "on" };
    case "cmd":
      return { rank: 2, intent: SWITCHES.get(commandOf(link.cmd)) ?? "discard" };
    case "native": {
      const level = objectsOf(link.params).find(({ id }) => id === "OL")?.val;
      const value = isObject(level) ? numberOf(level.value, Number.NaN) : Number.NaN;
      return Number.isNaN(value) ? null : { rank: 3, intent: value > 0 ? "on" : "off" };
    }
    default:
      return null;
  }
}

/** The id of the command, or an object that holds it. */
function commandOf(cmd: unknown): string {
  return isObject(cmd) ? textOf(cmd.cmdId) : textOf(cmd);
}
