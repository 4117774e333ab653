/** `domovoi nodes`: what there is. */

import type { Home, Node } from "@domovoi/client";
import { isTurnedOn } from "../../profile/command-words.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import type { Column } from "../show/table.ts";
import { folderNamed } from "./find.ts";
import { printList, sortedBy, sortKey } from "./list.ts";
import { folderPathOf, paintOf, propertyJson, shownValue, wordsOf } from "./property.ts";
import { nodesWithoutDevice, withoutDeviceWords } from "./without-device.ts";

type NodesOptions = ConnectionOptions & {
  readonly folder?: string;
  readonly family?: string;
  readonly on?: boolean;
  readonly disabled?: boolean;
  readonly sort: string;
};

const columns = (missing: ReadonlySet<string>): readonly Column<Node>[] => [
  { title: "NODE", text: ({ name }) => name },
  { title: "FOLDER", text: folderPathOf },
  {
    title: "STATUS",
    text: (node) => withoutDeviceWords(node, statusWords(node), missing),
    paint: (node) => (missing.has(node.address) ? "gray" : paintOf(node, "ST")),
  },
  { title: "ADDRESS", text: ({ address }) => address },
  { title: "KIND", text: ({ nodedef, nodeDefId }) => nodedef?.name || nodeDefId, paint: () => "gray" },
];
const SORT_KEYS: Readonly<Record<string, (node: Node) => string>> = {
  path: ({ path }) => path,
  name: ({ name }) => name,
  address: ({ address }) => address,
  status: statusWords,
};

/** @param text part of a name or an address; without it all */
export async function listNodes(home: Home, text: string | undefined, options: NodesOptions): Promise<void> {
  const key = sortKey(options.sort, SORT_KEYS);
  const missing = await nodesWithoutDevice(home);
  const nodes = sortedBy(
    [...home.nodes].filter(filterOf(home, text, options)),
    key,
    ({ path }) => path,
    ({ address }) => address,
  );
  const empty = home.nodes.size === 0 ? "There are no nodes." : "No node matches.";
  printList(nodes, options, empty, columns(missing), (node) => nodeJson(node, missing));
}

function filterOf(home: Home, text: string | undefined, options: NodesOptions): (node: Node) => boolean {
  requireFamily(home, options.family);
  const wanted = text?.normalize("NFC").toLowerCase();
  const folder = options.folder === undefined ? null : folderNamed(home, options.folder).path;
  return (node) =>
    (wanted === undefined ||
      [node.name, node.address].some((each) => each.normalize("NFC").toLowerCase().includes(wanted))) &&
    (folder === null || node.path.startsWith(`${folder}/`)) &&
    (options.family === undefined || node.family === options.family) &&
    (!options.on || isOn(node)) &&
    (!options.disabled || !node.enabled);
}

/** @throws CommandFailure usage for a family that no node has: an empty list would hide the mistake */
function requireFamily(home: Home, family: string | undefined): void {
  const families = [...new Set([...home.nodes].map((node) => node.family))].sort((a, b) => Number(a) - Number(b));
  if (family === undefined || families.includes(family)) return;
  throw usageFailure(`No node is of the family "${family}". The families here are ${families.join(", ") || "none"}.`);
}

/** A switchable node that is on. The status of a thermostat is a temperature. */
function isOn(node: Node): boolean {
  const canBeSwitched = node.nodedef?.accepts.some(({ id }) => id === "DON") ?? true;
  const status = node.properties.get("ST");
  return canBeSwitched && status !== undefined && isTurnedOn(Number(status.uom), shownValue(status)) === true;
}

function statusWords(node: Node): string {
  return node.enabled ? wordsOf(node, "ST") : "disabled";
}

function nodeJson(node: Node, missing: ReadonlySet<string>): object {
  const { address, name, path, nodeDefId, family, instance, type, primary, parent, enabled } = node;
  const status = node.properties.get("ST");
  return {
    ...{ address, name, path, folder: folderPathOf(node), nodeDefId, family, instance, type, primary, parent, enabled },
    status: status ? propertyJson(status, wordsOf(node, "ST")) : null,
    ...(missing.has(address) && { hasDevice: false }),
    commands: node.nodedef?.accepts.map(({ id }) => id) ?? null,
  };
}
