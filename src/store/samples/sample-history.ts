/** The near end of the samples: has the store's thread write what is new, then asks a thread that only reads. */

import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import type { History, Sample, SamplesQuery, SeriesPoint, SeriesQuery } from "../../home/history.ts";
import { workerEnvironment } from "../journal-thread.ts";
import type { HistoryAnswer, HistoryRequest } from "./history-worker.ts";

type HistoryPorts = {
  readonly config: Pick<Config, "historyQueriesMax">;
  /** File of the samples. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Has the store's thread write the samples that are in the journal. */
  readonly project: () => Promise<void>;
  /** Rows of the table `meta`. */
  readonly meta: Map<string, string>;
  readonly saveMeta: (key: string) => Promise<void>;
};

type Waiting = { readonly resolve: (answer: HistoryAnswer) => void };
type Question = HistoryRequest extends infer R ? (R extends unknown ? Omit<R, "id"> : never) : never;

const RECORDING = "history";
/** Older values are on disk already. */
const PROJECTED_AFTER_MS = 10_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

export class SampleHistory implements History {
  readonly #ports: HistoryPorts;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(ports: HistoryPorts) {
    this.#ports = ports;
  }

  get isRecording(): boolean {
    return this.#ports.meta.get(RECORDING) !== '"off"';
  }

  async record(isOn: boolean): Promise<void> {
    this.#ports.meta.set(RECORDING, JSON.stringify(isOn ? "on" : "off"));
    await this.#ports.saveMeta(RECORDING);
  }

  async series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return (await this.#ask({ kind: "series", query })).series;
  }

  async samples(query: SamplesQuery): Promise<readonly Sample[]> {
    return (await this.#ask({ kind: "samples", query })).samples;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #ask(question: Question): Promise<Extract<HistoryAnswer, { failure: null }>> {
    if (this.#waiting.size >= this.#ports.config.historyQueriesMax)
      throw new ControllerError("TOO_MANY_REQUESTS", { sentence: "Too many questions about the history at once." });
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<HistoryAnswer>((resolve) => this.#waiting.set(id, { resolve }));
    // What the disk does not take now is missing from the answer, no more.
    if (needsNewest(question, this.#ports.now())) await this.#ports.project().catch(() => {});
    this.#worker ??= this.#start();
    this.#worker.postMessage({ ...question, id } as HistoryRequest);
    const answer = await answered;
    if (answer.failure === null) return answer;
    const sentence = "The history cannot be read from the disk.";
    throw new ControllerError("STORE_UNAVAILABLE", { sentence, cause: new Error(answer.failure) });
  }

  #start(): Worker {
    const entry = new URL(`./history-worker${extname(import.meta.url)}`, import.meta.url);
    const workerData = { path: this.#ports.path };
    const worker = new Worker(entry, { workerData, resourceLimits: RESOURCE_LIMITS, env: workerEnvironment() });
    worker.on("message", (answer: HistoryAnswer) => this.#settle(answer));
    worker.on("error", () => {}); // "exit" follows.
    worker.on("exit", () => this.#ended(worker));
    worker.unref();
    return worker;
  }

  #settle(answer: HistoryAnswer): void {
    this.#waiting.get(answer.id)?.resolve(answer);
    this.#waiting.delete(answer.id);
  }

  #ended(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    for (const id of [...this.#waiting.keys()]) this.#settle({ id, failure: "The reader of samples ended." });
  }
}

/** Writing the latest reports waits for the journal: only for spans that reach to them, in which they would be seen. */
function needsNewest({ query }: Question, nowMs: number): boolean {
  if (query.toMs < nowMs - PROJECTED_AFTER_MS) return false;
  return !("points" in query) || (query.toMs - query.fromMs) / query.points < PROJECTED_AFTER_MS;
}
