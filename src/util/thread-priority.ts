import { setPriority } from "node:os";

const NICENESS = 10;

/** When processors are short, the calling worker thread waits for the controller's own. */
export function lowerThreadPriority(): void {
  // Only on Linux does this priority apply to the calling thread alone.
  if (process.platform === "linux") setPriority(NICENESS);
}
