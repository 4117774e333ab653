/** Edits the tree: folders, the position of things, and nodes that are removed or restored. */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { type ThingEdit, thingKey } from "../home/edit.ts";
import type { Folder } from "../home/folders.ts";
import { linksWithout } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { PARENT_KINDS, type Parent, type ParentKind } from "../home/nodes.ts";
import { changed, created, type EditPorts, editHome, removed } from "./edit-home.ts";
import { checkName, type NodeEditPorts, queryEnabled, words } from "./edit-nodes.ts";
import { newAddress, wantedAddress } from "./new-ids.ts";

/** The fate of the contents of a removed folder: `keep` moves them to the folder's parent. */
type FolderContents = "refuse" | "keep" | "delete";

/**
 * @param wanted the number that its client has chosen; null: the next one.
 * @throws ControllerError BAD_NAME; NODE_NOT_FOUND for the folder; LIMIT_REACHED; as `wantedAddress`; STORE_UNAVAILABLE
 */
export async function createFolder(
  ports: EditPorts,
  { name, parent }: Pick<Folder, "name" | "parent">,
  cause: Cause,
  wanted: string | null = null,
): Promise<Folder> {
  const address = wanted === null ? newAddress(ports.home, "folder") : wantedAddress(ports.home, "folder", wanted);
  const folder: Folder = { address, name: checkName(name), parent };
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
  const folder = { kind: "folder", address } as const;
  const gone = contents === "delete" ? withContents(ports.home, folder) : [folder];
  // With `refuse`, the check of the edit throws FOLDER_NOT_EMPTY for a folder with contents.
  const things = contents === "refuse" ? [removed(ports, "folder", address)] : removal(ports, gone);
  await editHome(ports, { title, things }, cause);
}

/** A device goes with all of its nodes when its first one is removed. @throws ControllerError NODE_NOT_FOUND; STORE_UNAVAILABLE */
export async function removeNode(ports: EditPorts, address: string, cause: Cause): Promise<void> {
  const title = `Remove the ${words(ports.home, "node", address)}`;
  await editHome(ports, { title, things: removal(ports, deviceNodes(ports.home, address)) }, cause);
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
  queryEnabled(ports, ordered, cause);
}

type Child = { readonly kind: ParentKind; readonly address: string };

const keyOf = ({ kind, address }: Child) => thingKey({ kind, key: address });

/** Everything directly in it. */
export function thingsIn(home: Home, above: Parent): readonly Child[] {
  return PARENT_KINDS.flatMap((kind) =>
    [...home[`${kind}s`].values()]
      .filter(({ parent }) => parent?.kind === above.kind && parent.address === above.address)
      .map(({ address }) => ({ kind, address })),
  );
}

/** All nodes of a device if the address is that of its first node, which comes last. Otherwise the node itself. */
function deviceNodes(home: Home, address: string): readonly Child[] {
  const others = [...home.nodes.values()].filter((node) => node.primary === address && node.address !== address);
  return [...others, { address }].map((node) => ({ kind: "node", address: node.address }));
}

/** Everything in the thing, at any depth, and the thing itself last. A device includes all of its nodes. */
export function withContents(home: Home, top: Child): readonly Child[] {
  const things = PARENT_KINDS.flatMap((kind) =>
    Array.from(home[`${kind}s`].values(), ({ address, parent }) => ({ kind, address, parent })),
  );
  const within = Map.groupBy(things, ({ parent }) => (parent ? keyOf(parent) : ""));
  const devices = Map.groupBy(home.nodes.values(), ({ primary }) => primary);
  const seen = new Set<string>();
  const visit = (thing: Child): readonly Child[] => {
    if (seen.has(keyOf(thing))) return [];
    seen.add(keyOf(thing));
    const nodes = thing.kind === "node" ? (devices.get(thing.address) ?? []) : [];
    const inside = nodes.map(({ address }): Child => ({ kind: "node", address }));
    return [...[...inside, ...(within.get(keyOf(thing)) ?? [])].flatMap(visit), thing];
  };
  return visit(top);
}

/** Removes things. Their remaining contents move to the nearest remaining thing above, and scenes lose the removed nodes. */
function removal(ports: Pick<EditPorts, "home">, gone: readonly Child[]): readonly ThingEdit[] {
  const { home } = ports;
  const keys = new Set(gone.map(keyOf));
  const nodes = new Set(gone.filter(({ kind }) => kind === "node").map(({ address }) => address));
  const placeOf = (parent: Parent | null): Parent | null => {
    let place = parent;
    // Bounded, because the parents of an imported home can form a circle.
    for (let level = 0; level < gone.length && place && keys.has(keyOf(place)); level += 1) {
      place = home[`${place.kind}s`].get(place.address)?.parent ?? null;
    }
    return place && keys.has(keyOf(place)) ? null : place;
  };
  const changes = PARENT_KINDS.flatMap((kind) =>
    [...home[`${kind}s`].values()].flatMap(({ address, parent }): readonly ThingEdit[] => {
      if (keys.has(keyOf({ kind, address }))) return [];
      const group = kind === "group" ? home.groups.get(address) : undefined;
      const links = group && linksWithout(group, nodes);
      const patch = parent && keys.has(keyOf(parent)) ? { ...links, parent: placeOf(parent) } : links;
      return patch ? [changed(ports, kind, address, patch)] : [];
    }),
  );
  return [...changes, ...gone.map(({ kind, address }) => removed(ports, kind, address))];
}
