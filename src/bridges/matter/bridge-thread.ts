/** The controller's end of the thread of the Matter bridge. */

import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { ControllerError } from "../../errors.ts";
import { workerEnvironment } from "../../util/thread-task.ts";
import type { BridgeEvent, BridgeOrder, BridgeTask } from "./bridge-messages.ts";

export type BridgeThread = {
  send(order: BridgeOrder): void;
  /** Ends it, whatever it is doing. */
  end(): Promise<void>;
};

type Ports = {
  event(event: BridgeEvent): void;
  /** It ended by itself. */
  ended(reason: string): void;
};

export type OpenBridgeThread = (task: BridgeTask, ports: Ports) => BridgeThread;

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 768, stackSizeMb: 4 };

/** @throws ControllerError when the library is not installed */
export const openBridgeThread: OpenBridgeThread = (task, ports) => {
  requireLibrary();
  const entry = new URL(`./matter-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(entry, {
    ...{ workerData: task, resourceLimits: RESOURCE_LIMITS, env: workerEnvironment(), argv: [] },
  });
  let reason = "its thread ended";
  let isEnded = false;
  worker.on("message", (event: BridgeEvent) => {
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
};

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
