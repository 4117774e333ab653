/** The controller's end of a thread of the Matter library. */

import { Worker } from "node:worker_threads";
import { ControllerError } from "../errors.ts";
import { workerEnvironment } from "../util/thread-task.ts";

export type MatterTask = {
  /** Directory of the library's own storage; "" in tests, whose environment brings one. */
  readonly storage: string;
};

/** Of every thread, beside those of what it runs. */
export type MatterThreadEvent =
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "log"; readonly level: "info" | "warn" | "error"; readonly text: string };

export type MatterThread<Order> = {
  send(order: Order): void;
  /** Ends it, whatever it is doing. */
  end(): Promise<void>;
};

type Ports<Event> = {
  event(event: Event): void;
  /** It ended by itself. */
  ended(reason: string): void;
};

export type OpenMatterThread<Task, Order, Event> = (task: Task, ports: Ports<Event>) => MatterThread<Order>;

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 768, stackSizeMb: 4 };

/**
 * @param entry calls `serveMatterThread`
 * @throws ControllerError when the library is not installed
 */
export function openMatterThread<Task extends MatterTask, Order, Event>(
  entry: URL,
  task: Task,
  ports: Ports<Event>,
): MatterThread<Order> {
  requireLibrary();
  const worker = new Worker(entry, {
    ...{ workerData: task, resourceLimits: RESOURCE_LIMITS, env: workerEnvironment(), argv: [] },
  });
  let reason = "its thread ended";
  let isEnded = false;
  worker.on("message", (event: Event) => {
    if (!isEnded) ports.event(event);
  });
  worker.on("error", (error) => {
    reason = error.message;
  });
  worker.on("exit", () => {
    if (!isEnded) ports.ended(reason);
    isEnded = true;
  });
  return {
    send: (order) => worker.postMessage(order),
    async end() {
      isEnded = true;
      await worker.terminate();
    },
  };
}

/** @throws ControllerError SETTINGS_REFUSED */
function requireLibrary(): void {
  try {
    import.meta.resolve("@matter/main");
    import.meta.resolve("@matter/nodejs/config");
  } catch {
    const sentence =
      "The packages of Matter are not installed. Install @matter/main and @matter/nodejs; see docs/matter.md.";
    throw new ControllerError("SETTINGS_REFUSED", sentence);
  }
}
