/** What definitions say at first sight: the key of a nodedef, the nodedef of scenes, ranges of two values. */

import { GROUPS } from "../families.ts";
import type { EditorRange } from "./editor.ts";
import { subsetValues } from "./subset.ts";

export type NodedefKey = { readonly nodeDefId: string; readonly family: number; readonly instance: number };

/** Every scene accepts these commands. The id is the label that scenes carry. */
export const SCENE_NODEDEF: NodedefKey = { nodeDefId: "InsteonDimmer", family: GROUPS.id, instance: 1 };

/** True for a range such as off and on, whose subset lists at most two values. */
export function isTwoValued(range: EditorRange): boolean {
  return subsetValues(range, 2) !== null;
}
