import type { Slices } from "../../src/util/slices.ts";

/** The result of work in slices, without a pause. */
export function inOneGo<T>(work: Slices<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
