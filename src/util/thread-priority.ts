import { setPriority } from "node:os";

const NICENESS = 10;
const SLICE_MS = 0.5;
const PAUSE_MS = 0.1;
const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/** When processors are short, the calling worker thread waits for the controller's own. */
export function lowerThreadPriority(): void {
  // Only on Linux does this priority apply to the calling thread alone.
  if (process.platform === "linux") setPriority(NICENESS);
}

/**
 * @returns a function that a long computation of a worker thread calls often: it sleeps for a moment after each half
 * millisecond. Linux lets a thread that computes go on for some milliseconds although a more important one has woken up.
 */
export function createPause(): () => void {
  let beganMs = performance.now();
  return () => {
    if (performance.now() - beganMs < SLICE_MS) return;
    Atomics.wait(SLEEPER, 0, 0, PAUSE_MS);
    beganMs = performance.now();
  };
}
