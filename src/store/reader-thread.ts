/** A thread that answers questions from files, so that neither the home nor the journal waits for them. Started with the first one. */

import { parentPort, Worker } from "node:worker_threads";
import { ControllerError, invariant } from "../errors.ts";
import { messageOf } from "../util/message-of.ts";
import { lowerThreadPriority } from "../util/thread-priority.ts";
import { workerEnvironment } from "../util/thread-task.ts";

type Posted<Q> = { readonly id: number; readonly question: Q };
type Answer<A> = { readonly id: number } & (
  | { readonly failure: null; readonly result: A }
  | { readonly failure: string }
);

type ReaderSettings = {
  /** The module that calls `answerQuestions`. */
  readonly entry: URL;
  readonly workerData: object;
  /** Questions at the same time. */
  readonly questionsMax: number;
};

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

export class ReaderThread<Q, A> {
  readonly #settings: ReaderSettings;
  readonly #waiting = new Map<number, (answer: Answer<A>) => void>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(settings: ReaderSettings) {
    this.#settings = settings;
  }

  /**
   * @param prepare is waited for before the thread reads
   * @throws ControllerError TOO_MANY_REQUESTS, STORE_UNAVAILABLE
   */
  async ask(question: Q, prepare: Promise<unknown> | null = null): Promise<A> {
    if (this.#waiting.size >= this.#settings.questionsMax)
      throw new ControllerError("TOO_MANY_REQUESTS", "Too many questions about the history at once.");
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<Answer<A>>((resolve) => this.#waiting.set(id, resolve));
    await prepare;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, question } satisfies Posted<Q>);
    const answer = await answered;
    if (answer.failure === null) return answer.result;
    const sentence = "The history cannot be read from the disk.";
    throw new ControllerError("STORE_UNAVAILABLE", { sentence, cause: new Error(answer.failure) });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { entry, workerData } = this.#settings;
    const worker = new Worker(entry, { workerData, resourceLimits: RESOURCE_LIMITS, env: workerEnvironment() });
    worker.on("message", (answer: Answer<A>) => this.#settle(answer));
    worker.on("error", () => {}); // "exit" follows.
    worker.on("exit", () => this.#ended(worker));
    worker.unref();
    return worker;
  }

  #settle(answer: Answer<A>): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #ended(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    for (const id of [...this.#waiting.keys()]) this.#settle({ id, failure: "The reader of the history ended." });
  }
}

/** The far end, in the thread. @param answer throws when the disk does not answer */
export function answerQuestions<Q, A>(answer: (question: Q) => A): void {
  invariant(parentPort, "A reader runs as a worker thread.");
  const port = parentPort;
  lowerThreadPriority();
  port.on("message", ({ id, question }: Posted<Q>) => port.postMessage(answerOf(id, () => answer(question))));
}

function answerOf<A>(id: number, work: () => A): Answer<A> {
  try {
    return { id, failure: null, result: work() };
  } catch (error) {
    return { id, failure: messageOf(error) };
  }
}
