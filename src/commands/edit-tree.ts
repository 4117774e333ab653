/** Edits the tree: folders, the position of things, and nodes that are removed or restored. */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import type { Folder } from "../home/folders.ts";
import type { Group } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { findNode, type Parent, type ParentKind } from "../home/nodes.ts";
import { newAddress } from "./addresses.ts";
import { changed, created, type EditPorts, editHome, removed } from "./edit-home.ts";
import { checkName, informDrivers, type NodeEditPorts, words } from "./edit-nodes.ts";

/** The fate of the contents of a removed folder: `keep` moves them to the folder's parent. */
type FolderContents = "refuse" | "keep" | "delete";

/** @throws ControllerError BAD_NAME; NODE_NOT_FOUND for the folder; LIMIT_REACHED; STORE_UNAVAILABLE */
export async function createFolder(
  ports: EditPorts,
  { name, parent }: Pick<Folder, "name" | "parent">,
  cause: Cause,
): Promise<Folder> {
  const folder: Folder = { address: newAddress(ports.home, "folder"), name: checkName(name), parent };
  const things = [created("folder", folder.address, folder)];
  await editHome(ports, { title: `Create the folder "${name}"`, things }, cause);
  return folder;
}

/**
 * @param parent null = the top of the tree.
 * @throws ControllerError NODE_NOT_FOUND; BAD_REQUEST for a folder inside itself; LIMIT_REACHED; STORE_UNAVAILABLE
 */
export async function moveThing(
  ports: EditPorts,
  kind: ParentKind,
  address: string,
  parent: Parent | null,
  cause: Cause,
): Promise<void> {
  const { home, feed, durability } = ports;
  const to = parent ? `to the ${words(home, parent.kind, parent.address)}` : "to the top of the tree";
  const edit = {
    title: `Move the ${words(home, kind, address)} ${to}`,
    things: [changed(ports, kind, address, { parent })],
  };
  if ((await editHome(ports, edit, cause)) !== null) return;
  // Clients wait for the frame, also when it lies there already.
  await durability.committed(feed.commit({ type: "parent-changed", kind, address, parent }, cause).seq);
}

/** @throws ControllerError NODE_NOT_FOUND; FOLDER_NOT_EMPTY; STORE_UNAVAILABLE */
export async function removeFolder(
  ports: EditPorts,
  address: string,
  contents: FolderContents,
  cause: Cause,
): Promise<void> {
  const title = `Remove the ${words(ports.home, "folder", address)}`;
  await editHome(ports, { title, things: folderRemoval(ports, address, contents) }, cause);
}

/** @throws ControllerError NODE_NOT_FOUND */
function folderRemoval(
  ports: Pick<EditPorts, "home">,
  address: string,
  contents: FolderContents,
): readonly ThingEdit[] {
  const removal = new Removal(ports);
  removal.removeFolder(address, contents);
  return removal.things();
}

/** A device goes with all of its nodes when its first one is removed. @throws ControllerError NODE_NOT_FOUND; STORE_UNAVAILABLE */
export async function removeNode(ports: EditPorts, address: string, cause: Cause): Promise<void> {
  const title = `Remove the ${words(ports.home, "node", address)}`;
  await editHome(ports, { title, things: nodeRemoval(ports, address) }, cause);
}

/** @throws ControllerError NODE_NOT_FOUND */
function nodeRemoval(ports: Pick<EditPorts, "home">, address: string): readonly ThingEdit[] {
  const removal = new Removal(ports);
  removal.removeNodes(deviceNodes(ports.home, address));
  return removal.things();
}

/** Brings back a node that its owner removed and whose driver still knows it. @throws ControllerError NODE_NOT_FOUND */
export async function restoreNode(ports: NodeEditPorts, address: string, cause: Cause): Promise<void> {
  const { home } = ports;
  if (!home.hiddenNodes.has(address)) throw new ControllerError("NODE_NOT_FOUND");
  const nodes = [...home.hiddenNodes.values()].filter((node) => node.address === address || node.primary === address);
  const things = nodes.map((node): ThingEdit => {
    const { parent } = node;
    const isThere =
      parent !== null &&
      (home[`${parent.kind}s`].has(parent.address) || nodes.some((each) => each.address === parent.address));
    return created("node", node.address, isThere ? node : { ...node, parent: null });
  });
  const ordered = things.sort((a, b) => Number(a.key !== address) - Number(b.key !== address));
  const name = home.hiddenNodes.get(address)?.name ?? address;
  await editHome(ports, { title: `Add the node "${name}" again`, things: ordered }, cause);
  informDrivers(ports, ordered, cause);
}

type Child = { readonly kind: ParentKind; readonly address: string };

/** Everything directly in it. */
export function thingsIn(home: Home, above: Parent): readonly Child[] {
  return (["node", "group", "folder"] as const).flatMap((kind) =>
    [...home[`${kind}s`].values()]
      .filter(({ parent }) => parent?.kind === above.kind && parent.address === above.address)
      .map(({ address }) => ({ kind, address })),
  );
}

/** All nodes of the device, when the address is that of its first node, that one last. @throws ControllerError NODE_NOT_FOUND */
function deviceNodes(home: Home, address: string): readonly string[] {
  if (!findNode(home, address)) throw new ControllerError("NODE_NOT_FOUND");
  const others = [...home.nodes.values()].filter((node) => node.primary === address && node.address !== address);
  return [...others.map((node) => node.address), address];
}

/** Puts together what is removed with what has to change for it: each thing once. */
class Removal {
  readonly #ports: Pick<EditPorts, "home">;
  readonly #things = new Map<string, ThingEdit>();

  constructor(ports: Pick<EditPorts, "home">) {
    this.#ports = ports;
  }

  /** Scenes and moved things first, then what is removed. */
  things(): readonly ThingEdit[] {
    const things = [...this.#things.values()];
    return [...things.filter(({ after }) => after), ...things.filter(({ after }) => !after)];
  }

  add(thing: ThingEdit): void {
    this.#things.set(`${thing.kind} ${thing.key}`, thing);
  }

  move({ kind, address }: Child, parent: Parent | null): void {
    this.add(changed(this.#ports, kind, address, { parent }));
  }

  removeFolder(address: string, contents: FolderContents): void {
    const { home } = this.#ports;
    const folder = home.folders.get(address);
    if (!folder) throw new ControllerError("NODE_NOT_FOUND");
    const within = contents === "refuse" ? [] : thingsIn(home, { kind: "folder", address });
    for (const child of within) {
      if (contents === "keep") this.move(child, folder.parent);
      else if (child.kind === "folder") this.removeFolder(child.address, contents);
      else if (child.kind === "group") this.add(removed(this.#ports, "group", child.address));
      else this.removeNodes(deviceNodes(home, child.address));
    }
    this.add(removed(this.#ports, "folder", address));
  }

  removeNodes(addresses: readonly string[]): void {
    const { home } = this.#ports;
    const gone = new Set(addresses);
    for (const group of home.groups.values()) {
      const key = `group ${group.address}`;
      const planned = this.#things.get(key);
      if (planned && !planned.after) continue;
      const now = planned?.kind === "group" && planned.after ? planned.after : group;
      const without = withoutNodes(now, gone);
      if (without !== now) this.add({ kind: "group", key: group.address, before: group, after: without });
    }
    for (const address of addresses) {
      const node = findNode(home, address);
      for (const child of thingsIn(home, { kind: "node", address })) {
        if (child.kind !== "node" || !gone.has(child.address)) this.move(child, node?.parent ?? null);
      }
    }
    for (const address of addresses) this.add(removed(this.#ports, "node", address));
  }
}

/** The same group when it holds none of them. */
function withoutNodes(group: Group, gone: ReadonlySet<string>): Group {
  const isMentioned =
    group.members.some(({ address }) => gone.has(address)) ||
    group.blocks.some(({ controller, links }) => gone.has(controller) || links.some(({ node }) => gone.has(node)));
  if (!isMentioned) return group;
  return {
    ...group,
    members: group.members.filter(({ address }) => !gone.has(address)),
    blocks: group.blocks
      .filter(({ controller }) => !gone.has(controller))
      .map((block) => ({ ...block, links: block.links.filter(({ node }) => !gone.has(node)) })),
  };
}
