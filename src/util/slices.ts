/** Work that yields wherever it may pause, so that the event loop is not held. Its result does not depend on the pauses. */
export type Slices<T> = Generator<void, T, void>;

/** Milliseconds after which other work of the event loop goes first. */
const SLICE_MS = 4;

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
