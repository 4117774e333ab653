/**
 * The Matter library in a thread of its own, for the bridge and for the controller: it is imported there alone, after it is
 * configured, because it holds its event loop for seconds.
 */

import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../errors.ts";
import { messageOf } from "../util/message-of.ts";
import { lowerThreadPriority } from "../util/thread-priority.ts";
import type { MatterTask, MatterThreadEvent } from "./matter-thread.ts";

/** What a thread runs: it obeys orders one after the other, except those that `isUrgent`. */
type Served<Order> = {
  obey(order: Order): Promise<void>;
  isUrgent(order: Order): boolean;
};

/** Of the library's levels of log lines; what is below is left out. */
const LEVELS = { warn: 3, error: 4 } as const;
const TEXT_MAX = 300;
/** What a line begins with; the log has both of its own. */
const TIME_AND_LEVEL = /^[\d-]{10} [\d:.]{8,15} +[A-Z]+ +/;

/**
 * The library reads its settings once, when anything else of it is imported; otherwise it would take our arguments.
 * @param storage a directory of its own; null: nothing is stored
 */
export async function configureLibrary(storage: string | null): Promise<void> {
  const { config } = await import("@matter/nodejs/config");
  config.loadProcessArgv = false;
  config.loadProcessEnv = false;
  config.loadConfigFile = false;
  config.trapProcessSignals = false;
  config.trapUnhandledErrors = false;
  config.setProcessExitCodeOnError = false;
  if (storage !== null) config.defaultStoragePath = storage;
  // One file instead of one for each attribute.
  config.storageDriver = storage === null ? "memory" : "sqlite";
}

/** The far end of `openMatterThread`. `start` imports what uses the library. */
export async function serveMatterThread<Task extends MatterTask, Order extends { readonly kind: string }, Event>(
  start: (task: Task, emit: (event: Event | MatterThreadEvent) => void) => Promise<Served<Order>>,
): Promise<void> {
  invariant(parentPort, "The Matter library runs in a worker thread.");
  const port = parentPort;
  const task = workerData as Task;
  const emit = (event: Event | MatterThreadEvent) => port.postMessage(event);
  const log = (level: "warn" | "error", text: string) =>
    emit({ kind: "log", level, text: text.slice(0, TEXT_MAX).replace(TIME_AND_LEVEL, "") });
  lowerThreadPriority();
  // A mistake in one device must not end all others.
  process.on("unhandledRejection", (reason) => log("error", messageOf(reason)));
  try {
    await configureLibrary(task.storage);
    const { Logger } = await import("@matter/main");
    Logger.format = "plain";
    const { default: output } = Logger.destinations;
    if (output) {
      output.write = (text, { level }) => {
        if (level >= LEVELS.warn) log(level >= LEVELS.error ? "error" : "warn", text);
      };
    }
    const served = await start(task, emit);
    let work = Promise.resolve();
    port.on("message", (order: Order) => {
      if (served.isUrgent(order)) return void served.obey(order);
      work = work.then(() => served.obey(order)).catch((error: unknown) => log("error", messageOf(error)));
      if (order.kind === "close") void work.then(() => emit({ kind: "closed" }));
    });
  } catch (error) {
    emit({ kind: "failed", reason: messageOf(error).slice(0, TEXT_MAX) });
  }
}
