/** Statements by room and role: the devices that they mean now, and first forms of new ones. */

import {
  type Home,
  isMeant,
  type Measure,
  type Node,
  ROLE_WORD_NAMES,
  ROLE_WORDS,
  type RoleCommand,
  type RoleWord,
  type StatusWord,
  wordOfValue,
} from "@domovoi/client";
import type { Places, RoleAction, RoleCondition, Statement } from "./tree.ts";

export const statesOf = (role: RoleWord): readonly StatusWord[] => ROLE_WORDS[role].states;
export const commandsOf = (role: RoleWord): readonly RoleCommand[] => ROLE_WORDS[role].commands;

/** In the order of their paths. */
export function membersOf(home: Home, word: RoleWord | Measure, places: Places): readonly Node[] {
  const isIn = (node: Node) => places.in.length === 0 || placesOf(home, node).some((each) => places.in.includes(each));
  return [...home.nodes]
    .filter((node) => node.enabled && isKindOf(word, node) && isIn(node) && !places.except.includes(node.address))
    .sort((one, other) => one.path.localeCompare(other.path));
}

function isKindOf(word: RoleWord | Measure, { role, use }: Node): boolean {
  return isMeant(word, { role: role ?? undefined, use: use ?? undefined });
}

/** Addresses of all that it lies in. */
function placesOf(home: Home, { parent }: Node): readonly string[] {
  const found: string[] = [];
  for (let next = parent; next !== null && !found.includes(next); ) {
    found.push(next);
    const above = home.folders.find(next) ?? home.groups.find(next) ?? home.nodes.find(next);
    next = above?.parent ?? null;
  }
  return found;
}

/** Whether its status is the word now; null when that is not known. */
export function isInState(node: Node, is: StatusWord): boolean | null {
  const status = node.properties.get("ST");
  if (!status || status.value === "") return null;
  const word = wordOfValue(node.role, Number(status.uom), Number(status.value) / 10 ** status.prec);
  return word === null ? null : word === is;
}

/** About the devices of a room: motion where there is such a sensor, else the first kind that is there. */
export function newRoleCondition(home: Home, rooms: readonly string[]): Statement | null {
  const places = { in: rooms, except: [] };
  const [role] = (["motion sensor", ...ROLE_WORD_NAMES] as const).filter(
    (word) => statesOf(word).length > 0 && membersOf(home, word, places).length > 0,
  );
  const [is] = role === undefined ? [] : statesOf(role);
  if (role === undefined || is === undefined) return null;
  const made: RoleCondition =
    role === "motion sensor"
      ? { type: "roles", how: "sends", role, cmd: "DON", op: "IS", ...places }
      : { type: "roles", how: "any", role, is, ...places };
  return made as Statement;
}

export function newRoleAction(home: Home, rooms: readonly string[]): Statement | null {
  const places = { in: rooms, except: [] };
  const [role] = ROLE_WORD_NAMES.filter(
    (word) => commandsOf(word).length > 0 && membersOf(home, word, places).length > 0,
  );
  const [command] = role === undefined ? [] : commandsOf(role);
  if (role === undefined || command === undefined || command === "heat") return null;
  const made: RoleAction = { type: "roles", role, do: command, ...places };
  return made as Statement;
}
