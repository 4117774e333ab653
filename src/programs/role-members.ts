/** The nodes that a selector means now, and which of them a change of the home brings or takes away. */

import type { Home } from "../home/home.ts";
import { type Node, treeParent } from "../home/nodes.ts";
import type { Selector } from "../home/program-syntax.ts";
import { isMeant } from "../profile/role-words.ts";
import type { NodeRole } from "../profile/roles-table.ts";

export type Member = { readonly address: string; readonly role: NodeRole };
/** A node that a selector means from now on, or no longer. */
export type MemberMove = { readonly selector: string; readonly member: Member; readonly isIn: boolean };

type Tree = Pick<Home, "nodes" | "groups" | "folders">;

/** The same for selectors that mean the same nodes. */
export function selectorKey({ role, places, except }: Selector): string {
  return JSON.stringify([role, [...places].sort(), [...except].sort()]);
}

/** In the order of their addresses. */
export function membersOf(home: Tree, selector: Selector): readonly Member[] {
  return inOrder([...home.nodes.values()].flatMap((node) => memberOf(selector, node, () => above(home, node)) ?? []));
}

/** Whether the selector means the node now. */
export function isMember(home: Tree, selector: Selector, address: string): boolean {
  const node = home.nodes.get(address);
  return node !== undefined && memberOf(selector, node, () => above(home, node)) !== null;
}

/** Selectors that somebody follows, with their members kept up to date. */
export class RoleMembers {
  readonly #home: Tree;
  readonly #followed = new Map<string, Followed>();
  /** What every node lies in; a folder that is not there may come. */
  readonly #above = new Map<string, ReadonlySet<string>>();

  constructor(home: Tree) {
    this.#home = home;
    for (const node of home.nodes.values()) this.#above.set(node.address, above(home, node));
  }

  /** @returns the key, for `leave`. */
  follow(selector: Selector): string {
    const key = selectorKey(selector);
    const known = this.#followed.get(key);
    if (known) known.followers += 1;
    else {
      const members = new Map(membersOf(this.#home, selector).map((member) => [member.address, member]));
      this.#followed.set(key, { selector, members, sorted: [...members.values()], followers: 1 });
    }
    return key;
  }

  leave(key: string): void {
    const known = this.#followed.get(key);
    if (!known) return;
    known.followers -= 1;
    if (known.followers === 0) this.#followed.delete(key);
  }

  of(selector: Selector): readonly Member[] {
    return this.#followed.get(selectorKey(selector))?.sorted ?? membersOf(this.#home, selector);
  }

  /** Something changed about a node, or about something that nodes lie in. */
  changed(address: string): readonly MemberMove[] {
    const moves: MemberMove[] = [];
    for (const each of this.#concerned(address)) moves.push(...this.#lookAt(each));
    return moves;
  }

  #concerned(address: string): readonly string[] {
    const below = [...this.#above].flatMap(([each, within]) => (within.has(address) ? [each] : []));
    return below.includes(address) ? below : [...below, address];
  }

  #lookAt(address: string): readonly MemberMove[] {
    const node = this.#home.nodes.get(address);
    const within = node ? above(this.#home, node) : NOWHERE;
    if (node) this.#above.set(address, within);
    else this.#above.delete(address);
    const moves: MemberMove[] = [];
    for (const [key, followed] of this.#followed) {
      const before = followed.members.get(address);
      const now = node && memberOf(followed.selector, node, () => within);
      if (before?.role === now?.role) continue;
      if (before) moves.push({ selector: key, member: before, isIn: false });
      if (now) moves.push({ selector: key, member: now, isIn: true });
      if (now) followed.members.set(address, now);
      else followed.members.delete(address);
      followed.sorted = inOrder([...followed.members.values()]);
    }
    return moves;
  }
}

type Followed = {
  readonly selector: Selector;
  readonly members: Map<string, Member>;
  sorted: readonly Member[];
  followers: number;
};

const NOWHERE: ReadonlySet<string> = new Set();

function memberOf(
  { role: word, places, except }: Selector,
  node: Node,
  within: () => ReadonlySet<string>,
): Member | null {
  const { address, role, enabled } = node;
  if (role === undefined || !enabled || !isMeant(word, node) || except.includes(address)) return null;
  return places.length === 0 || places.some((place) => within().has(place)) ? { address, role } : null;
}

/** Addresses of all that the node lies in, at any depth. */
function above(home: Tree, node: Node): ReadonlySet<string> {
  const found = new Set<string>();
  for (let parent = treeParent(node); parent && !found.has(parent.address); ) {
    found.add(parent.address);
    const { kind, address } = parent;
    const next = kind === "node" ? home.nodes.get(address) : null;
    parent = next ? treeParent(next) : (home.groups.get(address)?.parent ?? home.folders.get(address)?.parent ?? null);
  }
  return found;
}

function inOrder(members: readonly Member[]): readonly Member[] {
  return [...members].sort((a, b) => (a.address < b.address ? -1 : 1));
}
