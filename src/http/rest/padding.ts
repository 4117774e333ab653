/**
 * Placeholders for clients that read a list of exactly one element as that element. Only with the setting
 * `legacyPadding`; they stand in these documents alone, can not be commanded, and carry a name that clients know to hide.
 *
 * @see docs/interface/nodes.md
 */

import { PLUGINS } from "../../families.ts";
import type { Folder } from "../../home/folders.ts";
import type { Group } from "../../home/groups.ts";
import type { NetworkResource } from "../../home/network-resources.ts";
import type { Node } from "../../home/nodes.ts";
import type { Services } from "../services.ts";

const NAME = "{IGNORE ME} Placeholder";

/** Every node, and placeholders until there are two. */
export function listedNodes({ home, config }: Services): readonly Node[] {
  const nodes = [...home.nodes.values()];
  while (config.legacyPadding && nodes.length < 2) nodes.push(placeholderNode(nodes.length + 1));
  return nodes;
}

/** Every folder, and a second one where there would be one. */
export function listedFolders({ home, config }: Services): readonly Folder[] {
  const folders = [...home.folders.values()];
  if (config.legacyPadding && folders.length === 1) folders.push({ address: "99001", name: NAME, parent: null });
  return folders;
}

/** Every scene; the root group, which is listed before them, makes a second element as soon as there is one. */
export function listedGroups({ home, config }: Services): readonly Group[] {
  const groups = [...home.groups.values()];
  if (config.legacyPadding && groups.length === 0) groups.push(PLACEHOLDER_GROUP);
  return groups;
}

/** Every network resource, and a second one where there would be one. */
export function listedResources({ home, config }: Services): readonly NetworkResource[] {
  const resources = [...home.networkResources.values()].sort((a, b) => a.id - b.id);
  if (config.legacyPadding && resources.length === 1) resources.push(PLACEHOLDER_RESOURCE);
  return resources;
}

const PLACEHOLDER_GROUP: Group = {
  address: "99002",
  name: NAME,
  parent: null,
  deviceGroup: 0,
  members: [],
  blocks: [{ controller: "99002", links: [] }],
};

const PLACEHOLDER_RESOURCE: NetworkResource = {
  id: 65_535,
  name: NAME,
  protocol: "http",
  host: "0.0.0.0",
  port: 80,
  method: "GET",
  path: "/",
  headers: [],
  body: "",
  timeoutMs: 0,
};

function placeholderNode(number: number): Node {
  const address = `n000_placeholder${number}`;
  return {
    address,
    name: `${NAME} ${number}`,
    nodeDefId: "placeholder",
    family: PLUGINS.id,
    instance: 0,
    type: "1.1.0.0",
    parent: null,
    primary: address,
    enabled: false,
    devtype: null,
    driver: "",
    properties: new Map(),
    link: "unknown",
    version: 0,
  };
}
