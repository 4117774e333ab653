/** The near end of the broker's thread: what goes to the thread in one turn is one message, and so is what comes from it. */

import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { workerEnvironment } from "../../util/thread-task.ts";
import type { BrokerEvent, BrokerOrder, BrokerTask } from "./broker-worker.ts";

type Ports = {
  event(event: BrokerEvent): void;
  /** It ended by itself, after it had been ready. */
  ended(reason: string): void;
};

/** Events that are handled in one turn of the event loop: requests and reports of other drivers come between. */
const TURN_EVENTS = 10;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4, stackSizeMb: 2 };

export class BrokerThread {
  readonly #worker: Worker;
  readonly #ports: Ports;
  #orders: BrokerOrder[] = [];
  #events: BrokerEvent[] = [];
  #isEnded = false;
  readonly port: number;

  /** Resolves when it accepts connections. @throws Error with the reason */
  static async start(task: BrokerTask, ports: Ports): Promise<BrokerThread> {
    const entry = new URL(`./broker-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(entry, { workerData: task, resourceLimits: RESOURCE_LIMITS, env: workerEnvironment() });
    const port = await new Promise<number>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("The broker's thread ended.")));
    });
    return new BrokerThread(worker, port, ports);
  }

  private constructor(worker: Worker, port: number, ports: Ports) {
    this.#worker = worker;
    this.#ports = ports;
    this.port = port;
    let reason = "its thread ended";
    worker.on("message", (events: readonly BrokerEvent[]) => this.#take(events));
    worker.on("error", (error) => {
      reason = error.message;
    });
    worker.on("exit", () => {
      if (!this.#isEnded) ports.ended(reason);
      this.#isEnded = true;
    });
  }

  send(order: BrokerOrder): void {
    this.#orders.push(order);
    if (this.#orders.length > 1) return;
    setImmediate(() => {
      const batch = this.#orders;
      this.#orders = [];
      this.#worker.postMessage(batch);
    });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#worker.terminate();
  }

  #take(events: readonly BrokerEvent[]): void {
    const isIdle = this.#events.length === 0;
    this.#events.push(...events);
    if (isIdle) this.#handleSome();
  }

  #handleSome(): void {
    for (const event of this.#events.slice(0, TURN_EVENTS)) if (!this.#isEnded) this.#ports.event(event);
    this.#events.splice(0, TURN_EVENTS);
    if (this.#events.length > 0) setImmediate(() => this.#handleSome());
  }
}
