/**
 * When entries of the journal were on disk, seen from outside: another process that asks the database for its last number.
 * SQLite shows a commit to others only after the log was synced, so nothing counts before it is safe.
 */

import { DatabaseSync } from "node:sqlite";
import { pause } from "./arrivals.ts";

const LOOK_MS = 2;

type Commit = { readonly atNs: number; readonly lastSeq: number };

export class CommitWatch {
  readonly #db: DatabaseSync;
  readonly commits: Commit[] = [];
  #isOver = false;
  #watching: Promise<void> = Promise.resolve();

  /** @param path of the database of a service that runs. */
  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  }

  begin(): void {
    this.#watching = this.#watch();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#watching;
    this.#db.close();
  }

  /** Settles when the entry with this number is on disk. @throws Error when that takes too long. */
  async committed(seq: number, withinMs: number): Promise<void> {
    const lateMs = performance.now() + withinMs;
    while ((this.commits.at(-1)?.lastSeq ?? 0) < seq) {
      if (performance.now() > lateMs) throw new Error(`Entry ${seq} was not on disk after ${withinMs} ms.`);
      await pause(LOOK_MS);
    }
  }

  async #watch(): Promise<void> {
    const select = this.#db.prepare("SELECT CAST(body AS INTEGER) AS seq FROM meta WHERE key = 'last_seq'");
    while (!this.#isOver) {
      const { seq } = select.get() as { seq: number };
      if (seq > (this.commits.at(-1)?.lastSeq ?? 0)) {
        this.commits.push({ atNs: Number(process.hrtime.bigint()), lastSeq: seq });
      }
      await pause(LOOK_MS);
    }
  }
}
