/** Edits of scenes: who belongs to them, and what each controller makes each responder do. */

import { ControllerError, ifAccepted } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import type { Group, LinkBlock, SceneLink } from "../home/groups.ts";
import { findNode } from "../home/nodes.ts";
import { changed, created, type EditPorts, editHome, removed } from "./edit-home.ts";
import { checkName, words } from "./edit-nodes.ts";
import { commandGroup } from "./group-command.ts";
import { newAddress, newDeviceGroup, wantedAddress } from "./new-ids.ts";
import type { NodeCommandPorts } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";
import {
  checkLink,
  firstLink,
  type GivenTarget,
  linkTo,
  type NodeRoles,
  requireNode,
  rolesOf,
  targetNow,
} from "./scene-links.ts";

type ScenePorts = EditPorts & Pick<CommandPorts, "profile">;

/**
 * @param wanted the number that its client has chosen; null: the next one.
 * @throws ControllerError BAD_NAME; NODE_NOT_FOUND for the folder; LIMIT_REACHED; as `wantedAddress`; STORE_UNAVAILABLE
 */
export async function createScene(
  ports: EditPorts,
  { name, parent }: Pick<Group, "name" | "parent">,
  cause: Cause,
  wanted: string | null = null,
): Promise<Group> {
  const address = wanted === null ? newAddress(ports.home, "group") : wantedAddress(ports.home, "group", wanted);
  const blocks = [{ controller: address, links: [] }];
  const group = {
    address,
    name: checkName(name),
    parent,
    deviceGroup: newDeviceGroup(ports.home),
    members: [],
    blocks,
  };
  await editHome(ports, { title: `Create the scene "${name}"`, things: [created("group", address, group)] }, cause);
  return group;
}

/** @throws ControllerError NODE_NOT_FOUND; STORE_UNAVAILABLE */
export async function removeScene(ports: EditPorts, address: string, cause: Cause): Promise<void> {
  const title = `Remove the ${words(ports.home, "group", address)}`;
  await editHome(ports, { title, things: [removed(ports, "group", address)] }, cause);
}

type NewMember = {
  readonly address: string;
  readonly isController: boolean;
  readonly target: GivenTarget | null;
};

/** @throws ControllerError as `addMembers`. */
export function addMember(ports: ScenePorts, address: string, member: NewMember, cause: Cause): Promise<Group> {
  return addMembers(ports, address, [member], cause);
}

/**
 * Adds one or several members, in one edit. A node that is a member already gets the role and the target. One that can
 * respond gets a link for every controller.
 *
 * @throws ControllerError NODE_NOT_FOUND; BAD_REQUEST when a node sends or takes no commands; CONFLICT when it controls
 * another scene already; LIMIT_REACHED; STORE_UNAVAILABLE; as `linkTo`.
 */
export async function addMembers(
  ports: ScenePorts,
  address: string,
  added: readonly NewMember[],
  cause: Cause,
): Promise<Group> {
  const group = requireGroup(ports, address);
  const { members, blocks } = added.reduce((so, member) => withMember(ports, so, member), group);
  const [first] = added;
  const what = added.length === 1 ? `"${findNode(ports.home, first?.address ?? "")?.name}"` : `${added.length} members`;
  const title = `Add ${what} to the ${words(ports.home, "group", address)}`;
  return editGroup(ports, group, { members, blocks }, title, cause);
}

function withMember(ports: ScenePorts, group: Group, { address: node, isController, target }: NewMember): Group {
  const roles = requireRole(ports, group, node, isController);
  const others = group.members.filter((member) => member.address !== node);
  const known = group.members.find((member) => member.address === node);
  const members = known
    ? group.members.map((member) => (member === known ? { address: node, isController } : member))
    : [...others, { address: node, isController }];
  const link = !roles.availableAsResponder
    ? null
    : target
      ? linkTo(ports, node, target, linkIn(group, group.address, node))
      : known
        ? null
        : firstLink(ports, node);
  const blocks = withController({ ...group, members }, node, isController).map((block) =>
    link === null || block.controller === node ? block : withLink(block, link),
  );
  return { ...group, members, blocks };
}

/** @throws ControllerError NODE_NOT_FOUND when it is no member; STORE_UNAVAILABLE */
export async function removeMember(ports: EditPorts, address: string, node: string, cause: Cause): Promise<Group> {
  const group = requireGroup(ports, address);
  requireMember(ports, group, node);
  const members = group.members.filter((member) => member.address !== node);
  const blocks = group.blocks.flatMap((block) =>
    block.controller === node ? [] : [{ ...block, links: block.links.filter((link) => link.node !== node) }],
  );
  const name = findNode(ports.home, node)?.name ?? node;
  const title = `Remove "${name}" from the ${words(ports.home, "group", address)}`;
  return editGroup(ports, group, { members, blocks }, title, cause);
}

/**
 * Sets the link from one controller to one responder. The scene's own address stands for commands to the scene.
 *
 * @throws ControllerError NODE_NOT_FOUND when either is not a member; BAD_REQUEST when the controller controls
 * nothing; as `checkLink`; STORE_UNAVAILABLE
 */
export async function setLink(
  ports: ScenePorts,
  address: string,
  controller: string,
  link: SceneLink,
  cause: Cause,
): Promise<Group> {
  const group = requireGroup(ports, address);
  requireMember(ports, group, link.node);
  checkLink(ports, link);
  if (controller !== address) {
    requireMember(ports, group, controller);
    if (!group.members.some((member) => member.address === controller && member.isController)) {
      const sentence = `"${findNode(ports.home, controller)?.name ?? controller}" responds in this scene and controls nothing.`;
      throw new ControllerError("BAD_REQUEST", sentence);
    }
  }
  const blocks = withController(group, controller, true).map((block) =>
    block.controller === controller ? withLink(block, link) : block,
  );
  const name = findNode(ports.home, link.node)?.name ?? link.node;
  const title = `Change the link of "${name}" in the ${words(ports.home, "group", address)}`;
  return editGroup(ports, group, { blocks }, title, cause);
}

/** Like `setLink`, for a level and a ramp. The value that is absent is not changed. */
export function setTarget(
  ports: ScenePorts,
  address: string,
  controller: string,
  { node, target }: { readonly node: string; readonly target: GivenTarget },
  cause: Cause,
): Promise<Group> {
  const before = linkIn(requireGroup(ports, address), controller, node);
  return setLink(ports, address, controller, linkTo(ports, node, target, before), cause);
}

type Capture = {
  readonly group: Group;
  /** Members whose value is unknown or no level; their links stay. */
  readonly skipped: readonly string[];
};

/** The links of commands to the scene take the levels that there are now. @throws ControllerError NODE_NOT_FOUND; STORE_UNAVAILABLE */
export async function captureScene(ports: ScenePorts, address: string, cause: Cause): Promise<Capture> {
  const group = requireGroup(ports, address);
  const skipped: string[] = [];
  const links: SceneLink[] = [];
  for (const { address: member } of group.members) {
    const node = findNode(ports.home, member);
    const target = node && rolesOf(ports, node).availableAsResponder ? targetNow(node) : null;
    const link = target && ifAccepted(() => linkTo(ports, member, target, linkIn(group, address, member)));
    if (link) links.push(link);
    else skipped.push(member);
  }
  const blocks = group.blocks.map((block) => (block.controller === address ? links.reduce(withLink, block) : block));
  const title = `Take over the present levels in the ${words(ports.home, "group", address)}`;
  return { group: await editGroup(ports, group, { blocks }, title, cause), skipped };
}

/** Turns the scene on with other links than it has; nothing is stored. @throws ControllerError as `commandGroup`, `checkLink` */
export function testScene(
  ports: NodeCommandPorts & ScenePorts,
  address: string,
  links: readonly SceneLink[] | null,
  cause: Cause,
  signal: AbortSignal,
) {
  const group = requireGroup(ports, address);
  for (const link of links ?? []) {
    requireMember(ports, group, link.node);
    checkLink(ports, link);
  }
  const blocks = group.blocks.map((block) =>
    block.controller === address ? (links ?? []).reduce(withLink, block) : block,
  );
  const request = { address, command: "DON", parameters: [] };
  return commandGroup(ports, { ...group, blocks }, request, cause, signal);
}

/**
 * The scene that a node controls. A node controls at most one scene, and responds in any number. @throws
 * ControllerError NODE_NOT_FOUND
 */
export function nodeRoles(ports: Pick<ScenePorts, "home" | "profile">, address: string): NodeRoles {
  const node = findNode(ports.home, address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  const roles = rolesOf(ports, node);
  return { ...roles, availableAsController: roles.availableAsController && controlledScene(ports, address) === null };
}

function requireGroup({ home }: Pick<EditPorts, "home">, address: string): Group {
  const group = home.groups.get(address);
  if (!group) throw new ControllerError("NODE_NOT_FOUND", `There is no scene with the address "${address}".`);
  return group;
}

function requireMember({ home }: Pick<EditPorts, "home">, group: Group, node: string): void {
  if (group.members.some((member) => member.address === node)) return;
  const sentence = `The scene "${group.name}" has no member "${home.nodes.get(node)?.name ?? node}".`;
  throw new ControllerError("NODE_NOT_FOUND", sentence);
}

function requireRole(ports: ScenePorts, group: Group, address: string, isController: boolean): NodeRoles {
  const node = requireNode(ports, address);
  const roles = rolesOf(ports, node);
  const refuse = (sentence: string) => new ControllerError("BAD_REQUEST", sentence);
  if (isController && !roles.availableAsController)
    throw refuse(`${node.name} sends no commands, so it cannot control a scene.`);
  if (!isController && !roles.availableAsResponder)
    throw refuse(`${node.name} accepts no commands that a scene sends, so it cannot be a responder.`);
  const other = isController ? controlledScene(ports, address) : null;
  if (!other || other.address === group.address) return roles;
  throw new ControllerError("CONFLICT", `${node.name} controls the scene "${other.name}" already.`);
}

function controlledScene({ home }: Pick<EditPorts, "home">, address: string): Group | null {
  for (const group of home.groups.values()) {
    if (group.members.some((member) => member.address === address && member.isController)) return group;
  }
  return null;
}

/** A controller has a block of its own: it follows itself, the others do as for commands to the scene. */
function withController(group: Group, controller: string, isController: boolean): readonly LinkBlock[] {
  const has = group.blocks.some((block) => block.controller === controller);
  if (has && !isController) return group.blocks.filter((block) => block.controller !== controller);
  if (has || !isController) return group.blocks;
  const own = group.blocks.find((block) => block.controller === group.address)?.links ?? [];
  const links: SceneLink[] = [{ kind: "default", node: controller }, ...own.filter(({ node }) => node !== controller)];
  return [...group.blocks.slice(0, -1), { controller, links }, ...group.blocks.slice(-1)];
}

function withLink(block: LinkBlock, link: SceneLink): LinkBlock {
  const isThere = block.links.some(({ node }) => node === link.node);
  if (!isThere) return { ...block, links: [...block.links, link] };
  const first = block.links.findIndex(({ node }) => node === link.node);
  // A twin may link a node twice; one link says what it does from now on.
  const links = block.links.flatMap((each, at) => (each.node !== link.node ? [each] : at === first ? [link] : []));
  return { ...block, links };
}

function linkIn(group: Group, controller: string, node: string): SceneLink | null {
  const block = group.blocks.find((each) => each.controller === controller);
  return block?.links.find((link) => link.node === node) ?? null;
}

async function editGroup(
  ports: EditPorts,
  group: Group,
  patch: Partial<Group>,
  title: string,
  cause: Cause,
): Promise<Group> {
  const thing: ThingEdit = changed(ports, "group", group.address, patch);
  await editHome(ports, { title, things: [thing], otherwise: { type: "group-links-changed", group } }, cause);
  return { ...group, ...patch };
}
