/** One long task in a thread of its own, so that the event loop does not wait for it: begun, followed, ended early, answered. */

import module from "node:module";
import { dirname } from "node:path";
import { parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { ControllerError, type ErrorCode, invariant } from "../errors.ts";
import { messageOf } from "./message-of.ts";
import { lowerThreadPriority } from "./thread-priority.ts";

type News =
  | { readonly kind: "progress"; readonly progress: unknown }
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "failed"; readonly code: ErrorCode | null; readonly reason: string };

type ThreadTask<P> = {
  /** The file that calls `answerTask`. */
  readonly entry: URL;
  /** Is cloned. */
  readonly task: unknown;
  readonly resourceLimits: ResourceLimits;
  readonly onProgress: (progress: P) => void;
  /** Ends the thread. */
  readonly signal: AbortSignal;
};

/** @throws ControllerError that the task ended with; Error for another reason, or when the signal ended it. */
export async function runInThread<P, R>({
  entry,
  task,
  resourceLimits,
  onProgress,
  signal,
}: ThreadTask<P>): Promise<R> {
  signal.throwIfAborted();
  const worker = new Worker(entry, { workerData: task, resourceLimits, env: workerEnvironment() });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.on("message", (news: News) => {
        // Both ends name the same types.
        if (news.kind === "progress") onProgress(news.progress as P);
        else if (news.kind === "done") resolve(news.result as R);
        else reject(news.code === null ? new Error(news.reason) : new ControllerError(news.code, news.reason));
      });
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("The thread ended before its task.")));
    });
  } finally {
    signal.removeEventListener("abort", end);
    await worker.terminate();
  }
}

/**
 * With the main thread's compile cache a worker thread does not load the type stripper, which is half of its memory.
 */
export function workerEnvironment(): NodeJS.ProcessEnv {
  const cache = module.getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** The far end: the thread does this and ends. */
export async function answerTask<T, P, R>(work: (task: T, tell: (progress: P) => void) => Promise<R>): Promise<void> {
  invariant(parentPort, "A task is answered in a worker thread.");
  const port = parentPort;
  const send = (news: News) => port.postMessage(news);
  lowerThreadPriority();
  try {
    send({ kind: "done", result: await work(workerData as T, (progress) => send({ kind: "progress", progress })) });
  } catch (error) {
    const reason = messageOf(error);
    send({ kind: "failed", code: error instanceof ControllerError ? error.code : null, reason });
  }
}
