/** The thread of the Matter bridge. The library is imported here alone, and after it is configured. */

import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../../errors.ts";
import { messageOf } from "../../util/message-of.ts";
import { lowerThreadPriority } from "../../util/thread-priority.ts";
import type { BridgeEvent, BridgeOrder, BridgeTask } from "./bridge-messages.ts";
import { configureLibrary } from "./configure-library.ts";

invariant(parentPort, "The Matter bridge runs in a worker thread.");
const port = parentPort;
const task = workerData as BridgeTask;
const emit = (event: BridgeEvent) => port.postMessage(event);
/** Of the library's levels of log lines; what is below is left out. */
const LEVELS = { notice: 2, warn: 3, error: 4 } as const;
const TEXT_MAX = 300;

lowerThreadPriority();
// A mistake in one device must not end the bridge of all others.
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
  const { BridgeNode } = await import("./bridge-node.ts");
  const node = await BridgeNode.start(task, emit);
  let work = Promise.resolve();
  port.on("message", (order: BridgeOrder) => {
    // An order may wait for the outcome of a command.
    if (order.kind === "outcome") return void node.obey(order);
    work = work.then(() => node.obey(order)).catch((error: unknown) => log("error", messageOf(error)));
    if (order.kind === "close") void work.then(() => emit({ kind: "closed" }));
  });
} catch (error) {
  emit({ kind: "failed", reason: messageOf(error).slice(0, TEXT_MAX) });
}

function log(level: "warn" | "error", text: string): void {
  emit({ kind: "log", level, text: text.slice(0, TEXT_MAX) });
}
