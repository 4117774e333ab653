/** The wire spelling of the tree: flags, parents, and the ids of programs. */

import type { Node, ParentKind } from "../home/nodes.ts";
import { SCENE_NODEDEF } from "../profile/predicates.ts";

/** Scenes, and the controller's own group. */
export const GROUP_FLAG = 132;
export const ROOT_GROUP_FLAG = 12;
/** The scene-class label of every group; clients do not look it up in the profile. */
export const GROUP_NODEDEF = SCENE_NODEDEF.nodeDefId;

const DEVICE_ROOT = 0x80;
const IN_ERROR = 0x10;

/** 128 on a device's first node, 16 more while the device does not answer. */
export function nodeFlag(node: Node): number {
  const root = node.primary === node.address ? DEVICE_ROOT : 0;
  const failing = node.link === "unreachable" || (node.properties.get("ERR")?.value ?? 0) !== 0;
  return root | (failing ? IN_ERROR : 0);
}

export function parentType(kind: ParentKind): "1" | "2" | "3" {
  switch (kind) {
    case "node":
      return "1";
    case "group":
      return "2";
    case "folder":
      return "3";
  }
}

/** The decimal id behind `00a3`, or null. */
export function parseProgramId(text: string): number | null {
  return /^[0-9a-f]{1,4}$/i.test(text) ? Number.parseInt(text, 16) : null;
}
