/** `domovoi groups`: the groups, or the members of one. */

import type { Group, Home } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import type { Column } from "../show/table.ts";
import { groupNamed } from "./find.ts";
import { printList, sortedBy } from "./list.ts";
import { folderPathOf, paintOf, wordsOf } from "./property.ts";

type Member = { readonly home: Home; readonly group: Group; readonly address: string };

const COLUMNS: readonly Column<Group>[] = [
  { title: "GROUP", text: ({ name }) => name },
  { title: "FOLDER", text: folderPathOf },
  { title: "STATE", text: stateOf, paint: ({ anyOn }) => (anyOn ? "green" : "gray") },
  { title: "MEMBERS", text: ({ members }) => String(members.length), isRight: true },
  { title: "ADDRESS", text: ({ address }) => address },
];
const MEMBER_COLUMNS: readonly Column<Member>[] = [
  { title: "NODE", text: memberName },
  { title: "ROLE", text: roleOf },
  { title: "WHEN ON", text: intentOf },
  {
    title: "STATUS",
    text: ({ home, address }) => withNode(home, address, (node) => wordsOf(node, "ST")) ?? "",
    paint: ({ home, address }) => withNode(home, address, (node) => paintOf(node, "ST")),
  },
  { title: "ADDRESS", text: ({ address }) => address },
];

/** @param key one group: its members; without it all */
export async function listGroups(home: Home, key: string | undefined, options: ConnectionOptions): Promise<void> {
  if (key === undefined) {
    const groups = sortedBy(
      home.groups,
      ({ path }) => path,
      ({ address }) => address,
    );
    return printList(groups, options, "There are no scenes.", COLUMNS, groupJson);
  }
  const group = groupNamed(home, key);
  const members = group.members.map((address) => ({ home, group, address }));
  printList(members, options, `${group.name} has no members.`, MEMBER_COLUMNS, memberJson);
}

/** Not known: no member that counts has a state. */
function stateOf({ allOn, anyOn, hasStateTarget }: Group): string {
  if (!hasStateTarget) return "";
  return allOn ? "on" : anyOn ? "partly on" : "off";
}

function roleOf({ group, address }: Member): string {
  return group.controllers.includes(address) ? "controller" : "responder";
}

/** "" while the links of the group are not known. */
function intentOf({ group, address }: Member): string {
  if (!group.targetsResolved) return "";
  const intent = group.intents.get(address) ?? "discard";
  return intent === "discard" ? "-" : intent;
}

function memberName({ home, address }: Member): string {
  return withNode(home, address, ({ name }) => name) ?? address;
}

type AnyNode = Parameters<typeof wordsOf>[0];

/** A member may have been removed. */
function withNode<T>(home: Home, address: string, of: (node: AnyNode) => T): T | null {
  const node = home.nodes.find(address);
  return node ? of(node) : null;
}

function groupJson(group: Group): object {
  const { address, name, path, members, controllers, anyOn, allOn, targetsResolved, hasStateTarget } = group;
  return {
    address,
    name,
    path,
    folder: folderPathOf(group),
    members,
    controllers,
    anyOn,
    allOn,
    targetsResolved,
    hasStateTarget,
  };
}

function memberJson(member: Member): object {
  const { address, group } = member;
  const intent = group.targetsResolved ? (group.intents.get(address) ?? null) : null;
  return { address, name: memberName(member), role: roleOf(member), intent };
}
