/** The work of programs in a chain of causes, as a value. */

import type { Effort } from "../../home/program-progress.ts";

/** The effort of an event from outside, or of a run that resumes after a wait. */
export function freshEffort(chain: number): Effort {
  return { chain, starts: 0, through: [], calls: 0, steps: 0 };
}
