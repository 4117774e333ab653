/**
 * Order and deadlines of device requests: one at a time per node, in the order in which they came, each with a
 * deadline that counts from its acceptance. Knows nothing of commands; command-lives.ts keeps their states.
 */

import type { Config } from "../config.ts";
import { ControllerError, invariant } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { CommandLives } from "./command-lives.ts";

type QueueSettings = Pick<
  Config,
  "commandDeadlineMs" | "nodeQueueMax" | "commandsKept" | "queriesAtOnce" | "networkFiresAtOnce" | "nodesMax"
>;

/** The signal is aborted at the deadline and when the controller stops. */
type Work<T> = (signal: AbortSignal) => Promise<T>;

type Item = { underWay: boolean; start(): void; refuse(error: unknown): void };

export class CommandQueue {
  /** The outcomes of the latest commands. */
  readonly lives: CommandLives;
  /** Background queries, keyed by node. */
  readonly queries: Slots;
  /** Network resources that are being fired. */
  readonly fires: Slots;
  readonly #deadlineMs: number;
  readonly #waitingMax: number;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  /** Per node; the first item is under way. */
  readonly #lines = new Map<string, Item[]>();

  constructor(config: QueueSettings, clock: Clock) {
    this.lives = new CommandLives(clock, config.commandsKept);
    this.queries = new Slots(config.queriesAtOnce, config.nodesMax);
    this.fires = new Slots(config.networkFiresAtOnce, config.nodeQueueMax);
    this.#deadlineMs = config.commandDeadlineMs;
    this.#waitingMax = config.nodeQueueMax;
    this.#clock = clock;
  }

  /** Aborted when the controller stops. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Runs `work` when all earlier work of the node has ended. Without earlier work it runs before this function
   * returns. Work that ignores its deadline is abandoned: its caller gets the timeout, and the next work begins.
   *
   * @param signal withdraws work that still waits. Work under way continues, because a device cannot undo half a
   * command.
   * @throws ControllerError QUEUE_FULL; DEVICE_TIMEOUT at the deadline; DRIVER_UNAVAILABLE when the controller stops.
   */
  run<T>(address: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(address) ?? [];
      if (this.#stop.signal.aborted) return reject(stopped());
      if (signal?.aborted) return reject(withdrawn());
      if (line.length > this.#waitingMax) return reject(new ControllerError("QUEUE_FULL"));
      const item = this.#item(address, work, resolve, reject, signal);
      line.push(item);
      this.#lines.set(address, line);
      if (line.length === 1) item.start();
    });
  }

  /** How much waits for a node or is under way. */
  lengthOf(address: string): number {
    return this.#lines.get(address)?.length ?? 0;
  }

  /** Settles everything that waits or is under way; further work is refused. */
  stop(): void {
    this.#stop.abort(stopped());
    this.queries.stop();
    this.fires.stop();
    for (const line of [...this.#lines.values()]) for (const item of [...line]) item.refuse(stopped());
  }

  #item<T>(
    address: string,
    work: Work<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | undefined,
  ): Item {
    const clock = this.#clock;
    const dueMs = clock.elapsed() + this.#deadlineMs;
    const abort = new AbortController();
    let settled = false;
    const settle = (tell: () => void) => {
      if (settled) return;
      settled = true;
      timer.cancel();
      signal?.removeEventListener("abort", withdraw);
      tell();
      this.#next(address, item);
    };
    const item: Item = {
      underWay: false,
      start() {
        if (clock.elapsed() >= dueMs) return; // Its own timer refuses it in this very instant.
        item.underWay = true;
        begin(work, abort.signal).then(
          (value) => settle(() => resolve(value)),
          (error: unknown) => settle(() => reject(error)),
        );
      },
      refuse(error) {
        settle(() => reject(error));
        abort.abort(error);
      },
    };
    const withdraw = () => {
      if (!item.underWay) settle(() => reject(withdrawn()));
    };
    const timer = clock.setTimer(() => item.refuse(late(item.underWay)), this.#deadlineMs);
    signal?.addEventListener("abort", withdraw);
    return item;
  }

  #next(address: string, done: Item): void {
    const line = this.#lines.get(address);
    invariant(line, "Work that ends is in the line of its node.");
    line.splice(line.indexOf(done), 1);
    const first = line[0];
    if (!first) this.#lines.delete(address);
    else if (!first.underWay && !this.#stop.signal.aborted) first.start();
  }
}

export function createCommandQueue(ports: { readonly config: QueueSettings; readonly clock: Clock }): CommandQueue {
  return new CommandQueue(ports.config, ports.clock);
}

/** A fixed number of works at the same time; the others wait in order. */
export class Slots {
  #free: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #keys = new Set<string | null>();

  constructor(atOnce: number, waitingMax: number) {
    this.#free = atOnce;
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs `work` as soon as a slot is free. `work` must not reject, because its result is not awaited.
   *
   * @param key a key that already waits or runs is not queued again; null queues every one.
   * @throws ControllerError QUEUE_FULL when too many wait.
   */
  run(key: string | null, work: () => Promise<void>): void {
    if (key !== null && this.#keys.has(key)) return;
    if (this.#free === 0 && this.#waiting.length >= this.#waitingMax) throw new ControllerError("QUEUE_FULL");
    this.#keys.add(key);
    this.#waiting.push(async () => {
      try {
        await work();
      } finally {
        this.#keys.delete(key);
      }
    });
    this.#fill();
  }

  /** Forgets what waits. */
  stop(): void {
    this.#waiting.length = 0;
  }

  /** Called whenever one more waits or one more is free. */
  #fill(): void {
    const work = this.#free > 0 ? this.#waiting.shift() : undefined;
    if (!work) return;
    this.#free -= 1;
    void work().finally(() => {
      this.#free += 1;
      this.#fill();
    });
  }
}

/** Work that throws before its first await is work that failed. */
function begin<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
  try {
    return work(signal);
  } catch (error) {
    return Promise.reject(error);
  }
}

function late(underWay: boolean): ControllerError {
  const sentence = "The device was busy with earlier commands until the deadline; this one was not sent.";
  return new ControllerError("DEVICE_TIMEOUT", underWay ? {} : { sentence });
}

function withdrawn(): ControllerError {
  return new ControllerError("DEVICE_TIMEOUT", "The command was canceled before it was sent.");
}

function stopped(): ControllerError {
  return new ControllerError("DRIVER_UNAVAILABLE", "The controller stops.");
}
