/** The writer on a disk that waits for the test. */

import type { Change } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import { Backlog } from "../../src/store/backlog.ts";
import type { StateTable } from "../../src/store/database/tables.ts";
import type { Batch } from "../../src/store/database/write-batch.ts";
import { homeRow, isHomeTable } from "../../src/store/home-tables.ts";
import { decodeJournal } from "../../src/store/journal.ts";
import { WriteFailure } from "../../src/store/journal-thread.ts";
import type { WorkerRequest } from "../../src/store/journal-worker.ts";
import { Writer } from "../../src/store/writer.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, CONTROLLER, nodeAdded, recordingLog, START_MS, stateReported } from "../support/test-store.ts";

/** A disk on which the test releases each write. */
class HeldDisk {
  readonly requests: WorkerRequest[] = [];
  readonly #held: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  request(request: WorkerRequest): Promise<void> {
    this.requests.push(request);
    return new Promise((resolve, reject) => this.#held.push({ resolve, reject }));
  }

  async take(): Promise<void> {
    this.#held.shift()?.resolve();
    await nextTurn();
  }

  async refuse(isDamage = false, isFull = false): Promise<void> {
    this.#held.shift()?.reject(new WriteFailure("disk I/O error", { isDamage, isFull }));
    await nextTurn();
  }

  get isHeld(): boolean {
    return this.#held.length > 0;
  }

  get last(): Batch {
    const request = this.requests.at(-1);
    if (!request || !("batch" in request)) throw new Error("There is no batch.");
    return request.batch;
  }
}

/** Reports that go to the disk without waiting for more. */
export const FULL = 20;

export function setUp(entriesMax = 1000) {
  const clock = new VirtualClock(START_MS);
  const home = new Home(CONTROLLER);
  const log = recordingLog();
  const disk = new HeldDisk();
  const given: string[] = [];
  const source = (table: StateTable, key: string) => (isHomeTable(table) ? homeRow(home, table, key) : null);
  const backlog = new Backlog(source, 0, 0, entriesMax);
  const touchAll = () => backlog.touch("controller", "controller");
  const writer = new Writer(
    {
      config: { commitIntervalMs: 0, reportFlushMs: 250, reportFlushEntries: FULL },
      clock,
      log,
      backlog,
      engine: disk,
      touchAll,
      reserve: { giveUp: () => given.push("given up") > 0 },
    },
    0,
  );
  const feed = new ChangeFeed(home, clock, 0);
  feed.record(writer.record);
  const commit = (change: Change) => feed.commit(change, CAUSE).seq;
  return { clock, home, log, disk, backlog, writer, commit, given };
}

export const folder = (name: string): Change => ({
  type: "folder-added",
  folder: { address: name, name, parent: null },
});
export const lamp = nodeAdded("lamp");
export const report = (value: number) => stateReported("lamp", value);
export const entriesOf = (batch: Batch) => batch.journal.flatMap(decodeJournal).map(({ seq }) => seq);
export const nextTurn = () =>
  new Promise<void>((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
export const outcome = (promise: Promise<void>) =>
  promise.then(
    () => "on disk",
    (error: { code: string }) => error.code,
  );
