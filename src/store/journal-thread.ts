/** The near end of the journal's worker: starts it, starts it again when it ends, one request at a time. */

import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { invariant } from "../errors.ts";
import type { StoredPage, TraceQuery } from "../programs/trace/stored-trace.ts";
import { workerEnvironment } from "../util/thread-task.ts";
import type { JournalWindow, WindowQuery } from "./database/journal-window.ts";
import type { WorkerAnswer, WorkerRequest, WorkerResult, WorkerSettings } from "./journal-worker.ts";

/** The disk, or the thread itself, failed a request. */
export class WriteFailure extends Error {
  readonly isDamage: boolean;
  /** The disk has no space left, as far as the error shows. */
  readonly isFull: boolean;

  constructor(reason: string, { isDamage = false, isFull = false } = {}) {
    super(reason);
    this.name = "WriteFailure";
    this.isDamage = isDamage;
    this.isFull = isFull;
  }
}

type Waiting = { readonly resolve: (result: WorkerResult) => void; readonly reject: (failure: WriteFailure) => void };

/** A batch of the largest size fits many times over. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4, stackSizeMb: 2 };

export class JournalThread {
  readonly #settings: WorkerSettings;
  #worker: Worker | null = null;
  #waiting: Waiting | null = null;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /** Begins to start the thread, so that the first request need not wait for it. */
  start(): void {
    const entry = new URL(`./journal-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(entry, {
      workerData: this.#settings,
      resourceLimits: RESOURCE_LIMITS,
      env: workerEnvironment(),
    });
    worker.on("message", (answer: WorkerAnswer) => {
      if (answer.failure === null) this.#settle()?.resolve(answer.result);
      else this.#settle()?.reject(new WriteFailure(answer.failure, answer));
    });
    worker.on("error", (error) => this.#ended(worker, error.message));
    worker.on("exit", () => this.#ended(worker, "The journal's thread ended."));
    this.#worker = worker;
  }

  /** @throws WriteFailure */
  async request(request: WorkerRequest): Promise<void> {
    await this.#ask(request);
  }

  /** Writes some samples. @returns whether there are more in the journal. @throws WriteFailure */
  async project(): Promise<boolean> {
    const result = await this.#ask({ kind: "project" });
    return result !== null && "hasMore" in result && result.hasMore;
  }

  /** @throws WriteFailure */
  async readTrace(query: TraceQuery): Promise<StoredPage> {
    const page = await this.#ask({ kind: "read-trace", query });
    invariant(page && "entries" in page, "A question about the trace is answered with a page of it.");
    return page;
  }

  /** @throws WriteFailure */
  async readJournal(query: WindowQuery): Promise<JournalWindow> {
    const window = await this.#ask({ kind: "read-journal", query });
    invariant(window && "rows" in window, "A question about the journal is answered with a part of it.");
    return window;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #ask(request: WorkerRequest): Promise<WorkerResult> {
    invariant(!this.#waiting, "The journal's thread does one thing at a time.");
    if (!this.#worker) this.start();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker?.postMessage(request);
    });
  }

  #ended(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#settle()?.reject(new WriteFailure(reason));
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}
