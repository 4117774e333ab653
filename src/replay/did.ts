/** What programs did in a replay, as far as anybody outside of them would notice. */

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
  /** False when it follows from something that the recording cannot tell. */
  readonly isCertain: boolean;
};

/** The same text for the same deed. */
export function deedKey({ deed }: Did): string {
  return JSON.stringify(deed);
}
