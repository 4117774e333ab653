/** The actions of programs in a replay that are visible from outside. */

import type { SceneLink } from "../home/groups.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { VariableType } from "../home/variables.ts";

export type Deed =
  | { readonly kind: "send"; readonly action: SentAction }
  | {
      readonly kind: "write-variable";
      readonly type: VariableType;
      readonly id: number;
      readonly field: "value" | "init";
      readonly value: number;
    }
  | { readonly kind: "adjust-link"; readonly group: string; readonly controller: string; readonly link: SceneLink };

export type Did = {
  readonly atMs: number;
  readonly programId: number;
  readonly deed: Deed;
  /** False when it depends on something that the recording does not contain. */
  readonly isCertain: boolean;
};

/** The same text for the same deed. */
export function deedKey({ deed }: Did): string {
  return JSON.stringify(deed);
}

/** What a program acted on: the same node, scene, variable, resource or channel by the same program. */
export function targetKey({ programId, deed }: Did): string {
  return `${programId} ${JSON.stringify(targetOf(deed))}`;
}

function targetOf(deed: Deed): Record<string, unknown> {
  switch (deed.kind) {
    case "write-variable":
      return { variable: `${deed.type}.${deed.id}`, field: deed.field };
    case "adjust-link":
      return { group: deed.group, controller: deed.controller, node: deed.link.node };
    case "send": {
      const { action } = deed;
      return action.kind === "command" ? { node: action.node } : { action };
    }
  }
}
