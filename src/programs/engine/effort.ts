/** The work of programs in a chain of causes, as a value. */

import type { Effort } from "../../home/program-progress.ts";

/** Of something that comes from outside, or of a run that goes on after a wait. */
export function freshEffort(chain: number): Effort {
  return { chain, starts: 0, through: [], calls: 0, steps: 0 };
}
