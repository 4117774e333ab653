/** Groups (scenes): their members, and for every controller the links that say what each responder does. */

import type { Parent } from "./nodes.ts";

export type GroupMember = { readonly address: string; readonly isController: boolean };

export type LinkParameter = {
  readonly id: string;
  readonly value: number;
  readonly uom: number;
  readonly prec: number;
};

export type SceneLink =
  | {
      readonly kind: "native";
      readonly node: string;
      readonly linkdef: string;
      readonly parameters: readonly LinkParameter[];
    }
  | {
      readonly kind: "cmd";
      readonly node: string;
      readonly command: string;
      readonly parameters: readonly LinkParameter[];
    }
  | { readonly kind: "default"; readonly node: string }
  | { readonly kind: "ignore"; readonly node: string };

/** The links of one controller of the scene; the block whose controller is the group's own address is the canonical one. */
export type LinkBlock = { readonly controller: string; readonly links: readonly SceneLink[] };

export type Group = {
  readonly address: string;
  readonly name: string;
  readonly parent: Parent | null;
  readonly deviceGroup: number;
  readonly members: readonly GroupMember[];
  /** A block per controller, the canonical one last; it is always there. */
  readonly blocks: readonly LinkBlock[];
};

export function canonicalLinks(group: Group): readonly SceneLink[] {
  return group.blocks.find((block) => block.controller === group.address)?.links ?? [];
}

const RANK: Readonly<Record<SceneLink["kind"], number>> = { native: 3, cmd: 2, default: 1, ignore: 0 };

/** The link that decides for each node. When a node is linked twice, native has priority over cmd, and cmd over default. */
export function linksByNode(links: readonly SceneLink[]): ReadonlyMap<string, SceneLink> {
  const byNode = new Map<string, SceneLink>();
  for (const link of links) {
    const known = byNode.get(link.node);
    if (!known || RANK[link.kind] > RANK[known.kind]) byNode.set(link.node, link);
  }
  return byNode;
}

/** The members that a command to the scene reaches: all but those that ignore it. */
export function commandedMembers(group: Group): readonly string[] {
  const links = linksByNode(canonicalLinks(group));
  return group.members.map(({ address }) => address).filter((address) => links.get(address)?.kind !== "ignore");
}

/** The members and links of a scene without these nodes; null when the scene refers to none of them. */
export function linksWithout(
  { members, blocks }: Group,
  gone: ReadonlySet<string>,
): Pick<Group, "members" | "blocks"> | null {
  const isNamed =
    members.some(({ address }) => gone.has(address)) ||
    blocks.some(({ controller, links }) => gone.has(controller) || links.some(({ node }) => gone.has(node)));
  if (!isNamed) return null;
  return {
    members: members.filter(({ address }) => !gone.has(address)),
    blocks: blocks
      .filter(({ controller }) => !gone.has(controller))
      .map((block) => ({ ...block, links: block.links.filter(({ node }) => !gone.has(node)) })),
  };
}
