/** `/api/triggers`: syntax trees of programs. @see docs/interface/triggers.md */

import { ClientError } from "../errors.ts";
import type { TriggerTree } from "../model/records.ts";
import { objectsOf, textOf } from "./json.ts";

/** Only the outline of a tree is read; its content is for the caller. */
export function readTrees(data: unknown): readonly TriggerTree[] {
  return objectsOf(Array.isArray(data) ? data : null).map(readTree);
}

export function readTree(data: unknown): TriggerTree {
  const [tree] = objectsOf(data);
  if (!tree) throw new ClientError("BAD_DOCUMENT", "The program's tree is not an object.");
  const list = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : []);
  return {
    ...tree,
    id: Number(tree.id),
    name: textOf(tree.name),
    parent: Number(tree.parent) || 0,
    if: list(tree.if),
    then: list(tree.then),
    else: list(tree.else),
  };
}
