/** Long work for an answer, in slices between which other requests are answered. */

import { ControllerError } from "../errors.ts";
import type { Slices } from "../util/slices.ts";
import type { HttpRequest } from "./route.ts";

/** Milliseconds of a slice; a turn of the event loop has time for a few of them (`request/fair-queue.ts`). */
const SLICE_MS = 2;

/** @throws ControllerError when the client is gone before the work is done. */
export async function inTurns<T>(request: Pick<HttpRequest, "inTurn" | "signal">, work: Slices<T>): Promise<T> {
  for (;;) {
    const { done, value } = await request.inTurn(() => sliceOf(work));
    if (done) return value;
    if (request.signal.aborted) throw new ControllerError("BAD_REQUEST", "The client disconnected.");
  }
}

function sliceOf<T>(work: Slices<T>): IteratorResult<void, T> {
  const endMs = performance.now() + SLICE_MS;
  let step = work.next();
  while (!step.done && performance.now() < endMs) step = work.next();
  return step;
}
