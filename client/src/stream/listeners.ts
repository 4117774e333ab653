/**
 * The listeners of a home: by kind, or to everything as an iteration. A listener that throws does not affect the
 * others.
 */

import { ClientError } from "../errors.ts";
import type { ClientLog } from "../log.ts";
import type { EventKind, EventOf, HomeEvent } from "../model/events.ts";

/** Events that an iteration keeps for a loop that does not ask for them. */
const KEPT_MAX = 100_000;

export class Listeners {
  readonly #log: ClientLog;
  readonly #all = new Set<(event: HomeEvent) => unknown>();
  readonly #iterations = new Set<Iteration>();

  constructor(log: ClientLog) {
    this.#log = log;
  }

  on<K extends EventKind>(kind: K, listener: (event: EventOf<K>) => unknown): () => void {
    const own = (event: HomeEvent) => {
      // The kind decides the type, which the compiler cannot follow through a type parameter.
      return event.kind === kind ? listener(event as EventOf<K>) : undefined;
    };
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  /** From now on. */
  events(): AsyncIterableIterator<HomeEvent> {
    const iteration = new Iteration(() => this.#iterations.delete(iteration));
    this.#iterations.add(iteration);
    return iteration;
  }

  tell(event: HomeEvent): void {
    for (const iteration of this.#iterations) iteration.push(event);
    for (const listener of [...this.#all]) {
      try {
        const outcome = listener(event);
        if (outcome instanceof Promise) outcome.catch((error: unknown) => this.#failed(event, error));
      } catch (error) {
        this.#failed(event, error);
      }
    }
  }

  #failed({ kind }: HomeEvent, error: unknown): void {
    this.#log.warn("a listener failed", { kind, error: error instanceof Error ? error.message : "" });
  }

  end(): void {
    for (const iteration of [...this.#iterations]) iteration.end();
    this.#all.clear();
  }
}

/** Keeps unread events, up to a limit; ends when the loop is left or the home is closed. */
class Iteration implements AsyncIterableIterator<HomeEvent> {
  readonly #onEnd: () => void;
  readonly #kept: HomeEvent[] = [];
  readonly #waiting: ((result: IteratorResult<HomeEvent>) => void)[] = [];
  #isOver = false;
  #isTooSlow = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(event: HomeEvent): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ value: event, done: false });
    else if (this.#kept.length < KEPT_MAX) this.#kept.push(event);
    else this.#fallBehind();
  }

  next(): Promise<IteratorResult<HomeEvent>> {
    if (this.#isTooSlow)
      return Promise.reject(new ClientError("TOO_SLOW", `More than ${KEPT_MAX} events were not read.`));
    const event = this.#kept.shift();
    if (event) return Promise.resolve({ value: event, done: false });
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Fails instead of skipping events, because a gap would go unnoticed. */
  #fallBehind(): void {
    this.#isTooSlow = true;
    this.#kept.length = 0;
    this.end();
  }

  return(): Promise<IteratorResult<HomeEvent>> {
    this.#kept.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    this.#isOver = true;
    this.#onEnd();
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }
}
