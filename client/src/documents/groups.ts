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

const BY_DEFAULT: Ranked = { rank: 1, intent: "on" };
const BY_COMMAND = ranked(2);
const BY_LEVEL = ranked(3);
const SWITCHES: ReadonlyMap<string, Ranked> = new Map([
  ["DON", BY_COMMAND.on],
  ["DFON", BY_COMMAND.on],
  ["DOF", BY_COMMAND.off],
  ["DFOF", BY_COMMAND.off],
]);

function ranked(rank: number): { readonly [I in Intent]: Ranked } {
  return { on: { rank, intent: "on" }, off: { rank, intent: "off" }, discard: { rank, intent: "discard" } };
}

/** The link of the highest rank wins, the first among equals. @returns null when one cannot be read */
function readIntents(links: readonly Json[]): ReadonlyMap<string, Intent> | null {
  const intents = new Map<string, Intent>();
  const ranks = new Map<string, number>();
  for (const link of links) {
    if (link.type === "ignore") continue;
    const address = textOf(link.node);
    const read = address === "" ? null : readIntent(link);
    if (!read) return null;
    if (read.rank <= (ranks.get(address) ?? 0)) continue;
    ranks.set(address, read.rank);
    intents.set(address, read.intent);
  }
  return intents;
}

function readIntent(link: Json): Ranked | null {
  switch (link.type) {
    case "default":
      return BY_DEFAULT;
    case "cmd":
      return SWITCHES.get(commandOf(link.cmd)) ?? BY_COMMAND.discard;
    case "native": {
      const level = objectsOf(link.params).find(({ id }) => id === "OL")?.val;
      const value = isObject(level) ? numberOf(level.value, Number.NaN) : Number.NaN;
      return Number.isNaN(value) ? null : value > 0 ? BY_LEVEL.on : BY_LEVEL.off;
    }
    default:
      return null;
  }
}

/** The id of the command, or an object that holds it. */
function commandOf(cmd: unknown): string {
  return isObject(cmd) ? textOf(cmd.cmdId) : textOf(cmd);
}
