/** A new device takes the place of a broken one: its names, its place in the tree, its scenes and its programs. */

import { ControllerError, refusalOf } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import type { Group, SceneLink } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { findNode, type Node, type NodeRecord } from "../home/nodes.ts";
import type { Action } from "../home/program-syntax.ts";
import type { ProgramEntry } from "../home/programs.ts";
import { conditionsOf, leafConditions } from "../programs/references.ts";
import { withAddresses } from "../programs/replace-addresses.ts";
import { changed, type EditPorts, editHome, removed } from "./edit-home.ts";
import { thingsIn } from "./edit-tree.ts";
import type { CommandPorts } from "./ports.ts";
import { checkLink, firstLink, requireNode, rolesOf } from "./scene-links.ts";

type ReplacePorts = EditPorts & Pick<CommandPorts, "profile">;

type Replacement = {
  /** Old address to new one, for every node of the device. */
  readonly addresses: ReadonlyMap<string, string>;
  /** The abilities of the old device that the new one lacks, a sentence each. */
  readonly misfits: readonly string[];
};

const MISFITS_SHOWN = 3;

/**
 * @param old first node of the broken device, or its only one.
 * @param by first node of the new one.
 * @param isForced also where the new device cannot do all that the old one did.
 * @throws ControllerError NODE_NOT_FOUND; BAD_REQUEST; CONFLICT with what does not fit; STORE_UNAVAILABLE
 */
export async function replaceNode(
  ports: ReplacePorts,
  old: string,
  by: string,
  isForced: boolean,
  cause: Cause,
): Promise<Replacement> {
  const replacement = replacementOf(ports, old, by);
  if (!isForced) requireFit(replacement.misfits);
  const name = findNode(ports.home, old)?.name;
  const title = `Replace the device of the node "${name}" (${old} by ${by})`;
  await editHome(ports, { title, things: replacementEdits(ports, replacement) }, cause);
  return replacement;
}

/**
 * Programs that name one node name another one. Both keep their names, places and scenes.
 * @param old may be missing: programs that name it are not loaded.
 * @throws ControllerError NODE_NOT_FOUND; BAD_REQUEST; CONFLICT with what does not fit; STORE_UNAVAILABLE
 */
export async function replaceInPrograms(
  ports: ReplacePorts,
  old: string,
  by: string,
  isForced: boolean,
  cause: Cause,
): Promise<Replacement> {
  const { home } = ports;
  const replacement = programReplacement(ports, old, by);
  if (!isForced) requireFit(replacement.misfits);
  const title = `Replace "${findNode(home, old)?.name ?? old}" by "${requireNode(ports, by).name}" in programs`;
  await editHome(ports, { title, things: programEdits(home, replacement.addresses) }, cause);
  return replacement;
}

/** A preview of it. @throws ControllerError NODE_NOT_FOUND; BAD_REQUEST */
export function programReplacement(ports: ReplacePorts, old: string, by: string): Replacement {
  requireNode(ports, by);
  if (old === by) throw new ControllerError("BAD_REQUEST", "A device cannot replace itself.");
  const addresses = new Map([[old, by]]);
  const misfits = [...ports.home.programs.values()].flatMap((entry) => programMisfits(ports, entry, addresses));
  return { addresses, misfits: [...new Set(misfits)] };
}

/** @throws ControllerError CONFLICT with what does not fit */
export function requireFit(misfits: Replacement["misfits"]): void {
  if (misfits.length === 0) return;
  const more = misfits.length > MISFITS_SHOWN ? ` And ${misfits.length - MISFITS_SHOWN} more.` : "";
  throw new ControllerError("CONFLICT", `${misfits.slice(0, MISFITS_SHOWN).join(" ")}${more}`);
}

/**
 * A preview of the replacement.
 * @param after the ports with the home in which new devices are looked up. Default: the same.
 * @throws ControllerError NODE_NOT_FOUND; BAD_REQUEST
 */
export function replacementOf(ports: ReplacePorts, old: string, by: string, after = ports): Replacement {
  const { home } = ports;
  const [oldNode, newNode] = [requireNode(ports, old), requireNode(after, by)];
  const refuse = (sentence: string) => new ControllerError("BAD_REQUEST", sentence);
  if (old === by && after === ports) throw refuse("A device cannot replace itself.");
  if (oldNode.primary !== old) throw refuse(`"${oldNode.name}" is a part of the device "${oldNode.primary}".`);
  if (newNode.primary !== by) throw refuse(`"${newNode.name}" is a part of the device "${newNode.primary}".`);
  const addresses = new Map([[old, by]]);
  const candidates = nodesOf(after.home, newNode);
  for (const node of nodesOf(home, oldNode)) {
    const counterpart = candidates.find((each) => suffixOf(each.address) === suffixOf(node.address));
    if (node.address !== old && counterpart && counterpart.address !== by)
      addresses.set(node.address, counterpart.address);
  }
  return { addresses, misfits: misfitsOf(home, after, oldNode, addresses) };
}

/**
 * The edit of one or several replacements at once.
 * @param addresses old ones to new ones. A new one may be the old one of another device.
 * @param device what changes of the node that gets the place, besides name and place
 */
export function replacementEdits(
  ports: ReplacePorts,
  { addresses }: Pick<Replacement, "addresses">,
  after = ports,
  device: (address: string) => Partial<NodeRecord> | undefined = () => undefined,
): readonly ThingEdit[] {
  const { home } = ports;
  const nodes = [...addresses].map(([from, to]): ThingEdit => {
    const { name, parent, use } = requireNode({ home }, from);
    const place =
      parent?.kind === "node" ? { ...parent, address: addresses.get(parent.address) ?? parent.address } : parent;
    return changed(ports, "node", to, { ...device(to), name, parent: place, ...(use !== undefined && { use }) });
  });
  const old = new Set(
    [...addresses.keys()].flatMap((from) => nodesOf(home, requireNode({ home }, from))).map(({ address }) => address),
  );
  const taken = new Set(addresses.values());
  const gone = [...old].filter((address) => !taken.has(address));
  const children = gone.flatMap((address) => {
    const { primary } = requireNode({ home }, address);
    const parent = { kind: "node", address: addresses.get(address) ?? addresses.get(primary) ?? primary } as const;
    return thingsIn(home, { kind: "node", address })
      .filter(({ address: child }) => !gone.includes(child) && !taken.has(child))
      .map(({ kind, address: child }) => changed(ports, kind, child, { parent }));
  });
  const groups = [...home.groups.values()].flatMap((group): ThingEdit[] => {
    const record = groupWith(after, group, addresses, old);
    return record ? [{ kind: "group", key: group.address, before: group, after: record }] : [];
  });
  return [
    ...nodes,
    ...children,
    ...groups,
    ...programEdits(home, addresses),
    ...gone.reverse().map((address) => removed(ports, "node", address)),
  ];
}

function programEdits(home: Home, addresses: ReadonlyMap<string, string>): readonly ThingEdit[] {
  return Array.from(home.programs.values(), (entry): ThingEdit => {
    return { kind: "program", key: String(entry.id), before: entry, after: withAddresses(entry, addresses) };
  });
}

/** null: it contains none of them. A node without a counterpart leaves the scene. */
function groupWith(
  ports: ReplacePorts,
  group: Group,
  addresses: ReadonlyMap<string, string>,
  old: ReadonlySet<string>,
): Group | null {
  const isConcerned = group.members.some(({ address }) => old.has(address));
  if (!isConcerned) return null;
  const of = (address: string) => addresses.get(address) ?? address;
  const stays = (address: string) => !old.has(address) || addresses.has(address);
  const members = new Map(
    group.members.filter(({ address }) => stays(address)).map((member) => [of(member.address), member.isController]),
  );
  return {
    ...group,
    members: Array.from(members, ([address, isController]) => ({ address, isController })),
    blocks: group.blocks
      .filter(({ controller }) => stays(controller))
      .map(({ controller, links }) => ({
        controller: of(controller),
        links: links
          .filter(({ node }) => stays(node))
          .map((link) => (addresses.has(link.node) ? linkWith(ports, link, of(link.node)) : link)),
      })),
  };
}

/** Its own link where the new device knows it, else the one that a new responder gets. */
function linkWith(ports: ReplacePorts, link: SceneLink, node: string): SceneLink {
  const moved = { ...link, node };
  return refusalOf(() => checkLink(ports, moved)) ? firstLink(ports, node) : moved;
}

function misfitsOf(
  home: Home,
  ports: ReplacePorts,
  old: Node,
  addresses: ReadonlyMap<string, string>,
): readonly string[] {
  const lost = nodesOf(home, old).filter(({ address }) => !addresses.has(address));
  return [
    ...lost.map(({ name }) => `The new device has no counterpart for "${name}".`),
    ...[...home.groups.values()].flatMap((group) => sceneMisfits(ports, group, addresses)),
    ...[...home.programs.values()].flatMap((entry) => programMisfits(ports, entry, addresses)),
  ];
}

function sceneMisfits(ports: ReplacePorts, group: Group, addresses: ReadonlyMap<string, string>): readonly string[] {
  return group.members.flatMap(({ address, isController }) => {
    const to = addresses.get(address);
    if (to === undefined) return [];
    const node = requireNode(ports, to);
    const roles = rolesOf(ports, node);
    const where = `the scene "${group.name}"`;
    if (isController && !roles.availableAsController)
      return [`"${node.name}" sends no commands, so it cannot control ${where}.`];
    const links = group.blocks.flatMap((block) => block.links.filter((link) => link.node === address));
    return links.flatMap((link) => refusalOf(() => checkLink(ports, { ...link, node: to }))?.message ?? []).slice(0, 1);
  });
}

function programMisfits(
  ports: ReplacePorts,
  entry: ProgramEntry,
  addresses: ReadonlyMap<string, string>,
): readonly string[] {
  const lacks = (address: string, what: "properties" | "accepts" | "sends", id: string): readonly string[] => {
    const to = addresses.get(address);
    if (to === undefined) return [];
    const { nodeDefId, family, instance } = requireNode(ports, to);
    const nodedef = ports.profile.nodedef(nodeDefId, family, instance);
    if (!nodedef || nodedef[what].some((each) => each.id === id)) return [];
    const words = { properties: "has no property", accepts: "does not accept", sends: "does not send" }[what];
    return [`The new device ${words} ${id}, which the program "${entry.name}" uses.`];
  };
  const conditions = leafConditions(conditionsOf(entry)).flatMap((condition) => {
    if (condition.kind === "status" || condition.kind === "held")
      return lacks(condition.node, "properties", condition.property);
    return condition.kind === "control" ? lacks(condition.node, "sends", condition.command) : [];
  });
  const actions: readonly Action[] = entry.kind === "folder" ? [] : [...entry.tree.then, ...entry.tree.else];
  return [
    ...conditions,
    ...actions.flatMap((action) =>
      action.kind === "command" && action.command !== "QUERY" ? lacks(action.node, "accepts", action.command) : [],
    ),
  ];
}

/** Nodes of one driver: during a move a played device and a real one may share a number. */
function nodesOf(home: Home, { primary, driver }: Node): readonly Node[] {
  return [...home.nodes.values()].filter((node) => node.primary === primary && node.driver === driver);
}

/** The part of an address that distinguishes the nodes of a device: `107` of `ZW005_107`, `2` of `1A 2B 3C 2`. */
function suffixOf(address: string): string | undefined {
  return /[ _]([^ _]*)$/.exec(address)?.[1];
}
