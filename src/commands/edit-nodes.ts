/** Edits of nodes: their names, and whether they take part. Where things lie in the tree is in edit-tree.ts. */

import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import { findThing, thingWords } from "../home/editable.ts";
import type { Home } from "../home/home.ts";
import { PARENT_KINDS, type ParentKind } from "../home/nodes.ts";
import { type NodeUse, usesOfRole } from "../profile/node-uses.ts";
import { roleOf } from "../profile/roles.ts";
import { CONTROLS } from "../util/foreign-text.ts";
import { applyEdit, changed, type EditPorts, editHome } from "./edit-home.ts";
import type { CommandPorts } from "./ports.ts";
import { queryInBackground } from "./query-node.ts";

export type NodeEditPorts = EditPorts & Pick<CommandPorts, "drivers" | "queue" | "log">;

const NAME_LENGTH_MAX = 200;
const REASON_LENGTH_MAX = 200;

/**
 * @returns the name as it was given: names are never changed on the way in.
 * @throws ControllerError BAD_NAME unless it has 1 to 200 Unicode characters, none of them a control character or half of
 * a surrogate pair, and neither begins nor ends with a space.
 */
export function checkName(name: string): string {
  if (!isPlain(name) || name === "" || [...name].length > NAME_LENGTH_MAX) throw new ControllerError("BAD_NAME");
  if (name.trim() !== name) throw new ControllerError("BAD_NAME", "A name must not start or end with a space.");
  return name;
}

/**
 * Renames a node, group or folder. The root group has the name of the controller.
 *
 * @param kind null = any kind.
 * @throws ControllerError NODE_NOT_FOUND when nothing of this kind has the address; BAD_NAME; STORE_UNAVAILABLE
 */
export async function renameThing(
  ports: EditPorts,
  address: string,
  kind: ParentKind | null,
  name: string,
  cause: Cause,
): Promise<void> {
  const { home, feed, durability } = ports;
  const found = thingAt(home, address, kind);
  checkName(name);
  if (found.kind === "controller") {
    const title = `Name the controller "${name}"`;
    await editHome(ports, { title, things: [changed(ports, "controller", "controller", { name })] }, cause);
    return;
  }
  const thing = changed(ports, found.kind, address, { name });
  const seq = await editHome(
    ports,
    { title: `Rename the ${words(home, found.kind, address)} to "${name}"`, things: [thing] },
    cause,
  );
  if (seq !== null) return;
  // Clients wait for the frame, also when the name is the one that it had.
  await durability.committed(feed.commit({ type: RENAMED[found.kind], address, name }, cause).seq);
}

const RENAMED = { node: "node-renamed", group: "group-renamed", folder: "folder-renamed" } as const;

/** `scene "Evening"`. @throws ControllerError NODE_NOT_FOUND */
export function words(home: Home, kind: ParentKind, address: string): string {
  const record = findThing(home, kind, address);
  if (!record) throw new ControllerError("NODE_NOT_FOUND");
  return thingWords(kind, record);
}

/**
 * Finds the thing with the address. The root group has the name of the controller.
 * @param kind null = any kind.
 * @throws ControllerError NODE_NOT_FOUND
 */
export function thingAt(
  home: Home,
  address: string,
  kind: ParentKind | null,
): { readonly kind: ParentKind | "controller" } {
  const may = (wanted: ParentKind) => kind === null || kind === wanted;
  if (may("group") && address === home.controller.uuid) return { kind: "controller" };
  for (const each of PARENT_KINDS) {
    if (may(each) && home[`${each}s`].has(address)) return { kind: each };
  }
  throw new ControllerError("NODE_NOT_FOUND");
}

/**
 * A disabled node is neither commanded nor listened to; its last values stay. One that is enabled again is queried.
 * Published also when nothing is different, because clients wait for the frame.
 *
 * @param because why it is disabled, in its owner's words; null = no reason given.
 * @throws ControllerError NODE_NOT_FOUND; BAD_BODY for a reason of more than 200 characters; STORE_UNAVAILABLE
 */
export async function setNodeEnabled(
  ports: NodeEditPorts,
  address: string,
  enabled: boolean,
  because: string | null,
  cause: Cause,
): Promise<void> {
  const { home, feed, durability } = ports;
  const before = findThing(home, "node", address);
  if (!before) throw new ControllerError("NODE_NOT_FOUND");
  const { disabledBecause: _before, ...record } = before;
  const reason = enabled || because === null ? {} : { disabledBecause: checkReason(because) };
  const thing: ThingEdit = { kind: "node", key: address, before, after: { ...record, ...reason, enabled } };
  const title = `${enabled ? "Enable" : "Disable"} the ${thingWords("node", before)}`;
  const seq =
    applyEdit(ports, { title, things: [thing] }, cause) ??
    feed.commit({ type: "node-enabled", address, enabled, ...(because !== null && { because }) }, cause).seq;
  queryEnabled(ports, [thing], cause);
  await durability.committed(seq);
}

/**
 * Says what a node is used for. Programs by room and role find it by that.
 *
 * @param use null = no longer said.
 * @throws ControllerError NODE_NOT_FOUND; BAD_VALUE for a use that nodes of this role do not have; STORE_UNAVAILABLE
 */
export async function setNodeUse(
  ports: EditPorts & Pick<CommandPorts, "profile">,
  address: string,
  use: NodeUse | null,
  cause: Cause,
): Promise<void> {
  const before = findThing(ports.home, "node", address);
  if (!before) throw new ControllerError("NODE_NOT_FOUND");
  const uses = usesOfRole(roleOf(ports.profile, before));
  if (use !== null && !uses.includes(use)) {
    const known = uses.length === 0 ? "none" : uses.join(", ");
    throw badValue(`The node "${before.name}" cannot be marked as "${use}". Marks for its kind of device: ${known}.`);
  }
  const { use: _before, ...record } = before;
  const thing: ThingEdit = { kind: "node", key: address, before, after: { ...record, ...(use !== null && { use }) } };
  const title =
    use === null ? `Unmark the ${thingWords("node", before)}` : `Mark the ${thingWords("node", before)} as ${use}`;
  await editHome(ports, { title, things: [thing] }, cause);
}

/** Queries nodes that are enabled again. */
export function queryEnabled(ports: NodeEditPorts, things: readonly ThingEdit[], cause: Cause): void {
  for (const { kind, key, before, after } of things) {
    if (kind !== "node" || !after) continue;
    const isAgain = after.enabled && !before?.enabled && ports.drivers.running(after.driver) !== null;
    if (isAgain) queryInBackground(ports, key, cause);
  }
}

function checkReason(because: string): string {
  if (isPlain(because) && [...because].length <= REASON_LENGTH_MAX) return because;
  throw new ControllerError(
    "BAD_BODY",
    `A reason has at most ${REASON_LENGTH_MAX} characters and no control characters.`,
  );
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !CONTROLS.test(text);
}
