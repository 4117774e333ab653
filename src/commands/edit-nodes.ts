/** Edits of the tree that a person makes: names, and whether a node takes part. */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import type { Home } from "../home/home.ts";
import { findNode, type ParentKind } from "../home/nodes.ts";
import type { CommandPorts } from "./ports.ts";
import { queryNode } from "./query-node.ts";

const NAME_LENGTH_MAX = 200;

/**
 * @returns the name as it was given: names are never changed on the way in.
 * @throws ControllerError BAD_NAME unless it has 1 to 200 Unicode characters, none of them a control character or half of
 * a surrogate pair, and neither begins nor ends with a space.
 */
export function checkName(name: string): string {
  const isWhole = name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (!isWhole || name === "" || [...name].length > NAME_LENGTH_MAX) throw new ControllerError("BAD_NAME");
  if (name.trim() !== name) {
    throw new ControllerError("BAD_NAME", { sentence: "A name neither begins nor ends with a space." });
  }
  return name;
}

/**
 * Renames a node, group or folder. The root group's name is the controller's.
 *
 * @param kind null = whatever has this address.
 * @throws ControllerError NODE_NOT_FOUND when nothing of this kind has the address; BAD_NAME; STORE_UNAVAILABLE
 */
export async function rename(
  ports: Pick<CommandPorts, "home" | "feed" | "durability">,
  address: string,
  kind: ParentKind | null,
  name: string,
  cause: Cause,
): Promise<void> {
  const change = renaming(ports.home, address, kind, name);
  if (!change) throw new ControllerError("NODE_NOT_FOUND");
  checkName(name);
  await ports.durability.committed(ports.feed.commit(change, cause).seq);
}

function renaming(home: Home, address: string, kind: ParentKind | null, name: string): Change | null {
  const may = (wanted: ParentKind) => kind === null || kind === wanted;
  const { controller } = home;
  if (may("group") && address === controller.uuid) {
    return { type: "controller-changed", controller: { ...controller, name } };
  }
  if (may("node") && home.nodes.has(address)) return { type: "node-renamed", address, name };
  if (may("group") && home.groups.has(address)) return { type: "group-renamed", address, name };
  if (may("folder") && home.folders.has(address)) return { type: "folder-renamed", address, name };
  return null;
}

/**
 * A disabled node is neither commanded nor listened to; its last values stay. One that is enabled again is asked for its
 * state. Published also when nothing changes, because clients wait for the frame.
 *
 * @throws ControllerError NODE_NOT_FOUND; STORE_UNAVAILABLE
 */
export async function setNodeEnabled(
  ports: Pick<CommandPorts, "home" | "feed" | "durability" | "drivers" | "queue" | "log">,
  address: string,
  enabled: boolean,
  cause: Cause,
): Promise<void> {
  const node = findNode(ports.home, address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  const entry = ports.feed.commit({ type: "node-enabled", address, enabled }, cause);
  // A driver that is down is told when it is back.
  const owner = ports.drivers.list().find(({ driver }) => driver.name === node.driver);
  if (owner && owner.state !== "failed" && owner.state !== "stopped") {
    owner.driver.setEnabled(address, enabled);
    if (enabled && !node.enabled) await queryNode(ports, address, cause);
  }
  await ports.durability.committed(entry.seq);
}
