/** Ctrl-C and SIGTERM for commands that go on until they are ended. */

import type { EventEmitter } from "node:events";
import { constants } from "node:os";

/**
 * One Ctrl-C can arrive more than once: from the terminal, which signals every process in the foreground, and again
 * from npx or from the older Node that started this process. A second press by a person comes later than that.
 */
const COPIES_WITHIN_MS = 500;

/**
 * @param act called at every one that a person meant, until it is stopped
 * @returns stops it; a later one then ends the process at once, and late copies still do nothing
 */
export function onInterrupt(
  act: () => void,
  from: EventEmitter = process,
  nowMs: () => number = () => performance.now(),
): () => void {
  let isStopped = false;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  const hear = (signal: "SIGINT" | "SIGTERM") => {
    const atMs = nowMs();
    const isCopy = atMs - heardAtMs < COPIES_WITHIN_MS;
    heardAtMs = atMs;
    if (isCopy) return;
    if (isStopped) process.exit(128 + constants.signals[signal]);
    act();
  };
  from.on("SIGINT", hear).on("SIGTERM", hear);
  return () => {
    isStopped = true;
  };
}
