/** The near end of the samples: has the store's thread write what is new, then asks a thread that only reads. */

import { extname } from "node:path";
import type { Config } from "../../config.ts";
import type { History, Sample, SamplesQuery, SeriesQuery } from "../../home/history.ts";
import { ReaderThread } from "../reader-thread.ts";
import type { HistoryAnswer, HistoryQuestion } from "./history-worker.ts";

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

const RECORDING = "history";
/** Older values are on disk already. */
const PROJECTED_AFTER_MS = 10_000;

export class SampleHistory implements History {
  readonly #ports: HistoryPorts;
  readonly #reader: ReaderThread<HistoryQuestion, HistoryAnswer>;
  /** The store's thread opens the file first, because it adds what a file of an earlier version lacks. */
  #isOpened = false;

  constructor(ports: HistoryPorts) {
    this.#ports = ports;
    this.#reader = new ReaderThread({
      entry: new URL(`./history-worker${extname(import.meta.url)}`, import.meta.url),
      workerData: { path: ports.path },
      questionsMax: ports.config.historyQueriesMax,
    });
  }

  get isRecording(): boolean {
    return this.#ports.meta.get(RECORDING) !== '"off"';
  }

  async record(isOn: boolean): Promise<void> {
    this.#ports.meta.set(RECORDING, JSON.stringify(isOn ? "on" : "off"));
    await this.#ports.saveMeta(RECORDING);
  }

  async series(query: SeriesQuery): Promise<Uint8Array> {
    return (await this.#ask({ kind: "series", query })).series;
  }

  async samples(query: SamplesQuery): Promise<readonly Sample[]> {
    return (await this.#ask({ kind: "samples", query })).samples;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  #ask(question: HistoryQuestion): Promise<HistoryAnswer> {
    // An answer leaves out the samples that the disk has not taken yet.
    const isNew = !this.#isOpened || needsNewest(question, this.#ports.now());
    this.#isOpened = true;
    return this.#reader.ask(question, isNew ? this.#ports.project().catch(() => {}) : null);
  }
}

/** Writing the latest reports waits for the journal: only for spans that reach to them, in which they would be seen. */
function needsNewest({ query }: HistoryQuestion, nowMs: number): boolean {
  if (query.toMs < nowMs - PROJECTED_AFTER_MS) return false;
  return !("points" in query) || (query.toMs - query.fromMs) / query.points < PROJECTED_AFTER_MS;
}
