/** Work that yields wherever it may pause, so that the event loop is not held. Its result does not depend on the pauses. */
export type Slices<T> = Generator<void, T, void>;

/** Milliseconds after which other work of the event loop goes first. */
const SLICE_MS = 4;

/** Does as much of the work as one turn of the event loop may take. @returns whether all of it is done */
export function doneInTurn(work: Slices<void>): boolean {
  const endMs = performance.now() + SLICE_MS;
  do if (work.next().done) return true;
  while (performance.now() < endMs);
  return false;
}

/** Work in the background of a driver. A short one is done at once. */
export async function inSlices<T>(work: Slices<T>): Promise<T> {
  for (let endMs = performance.now() + SLICE_MS; ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < endMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    endMs = performance.now() + SLICE_MS;
  }
}

export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
