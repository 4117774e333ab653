/**
 * The home in PostgreSQL, with the SQLite file of this directory as its copy: reading the past, samples, backups and snapshots work
 * on the copy. A commit is one when the server has it; the copy gets it before the next request. When that fails, the whole
 * copy is written again.
 */

import { existsSync } from "node:fs";
import type { StoredPage, TraceQuery } from "../../programs/trace/stored-trace.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { messageOf } from "../../util/message-of.ts";
import type { JournalWindow, WindowQuery } from "../database/journal-window.ts";
import { journalInParts } from "../database/read-tables.ts";
import { STATE_TABLES } from "../database/tables.ts";
import type { Batch, JournalLimits } from "../database/write-batch.ts";
import { type Directory, refused } from "../directory.ts";
import { readOrigin, setCopyAside, writeOrigin } from "../directory-origin.ts";
import type { Engine } from "../engine.ts";
import { WriteFailure } from "../journal-thread.ts";
import type { WorkerRequest } from "../journal-worker.ts";
import type { LoadedState } from "../load-state.ts";
import { readSecretFiles, replaceSecretFiles } from "../secrets.ts";
import type { SqliteEngine } from "../sqlite-engine.ts";
import { Connection } from "./connection.ts";
import { type Lease, readHomeRow, writerName } from "./lease.ts";
import {
  holdsHome,
  JOURNAL_ROWS_A_READ,
  readJournalAfter,
  readLastJournalSeq,
  readSecrets,
  readState,
  readWrittenKeys,
  writeBatch,
} from "./rows.ts";
import { emptyTables } from "./schema.ts";

type PostgresPorts = {
  readonly url: string;
  readonly answerMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Held already. */
  readonly lease: Lease;
  readonly copy: SqliteEngine;
  readonly limits: JournalLimits;
  readonly directory: Pick<Directory, "path" | "database" | "secrets">;
};

/** A part of the whole state; a commit of this size takes some ten milliseconds. */
const PART_CHARS = 1_000_000;

const COPY_ALONE =
  "holds the copy of a home, and the database is another one that is empty. If a restore on another machine was interrupted, start that machine again. To move the home of this directory into the database, start it once without storeUrl";
const TWO_HOMES =
  "holds a home of its own, and the database another one. Give this machine an empty data directory, or the home an empty database";

export class PostgresEngine implements Engine {
  readonly #ports: PostgresPorts;
  readonly #epoch: number;
  #connection: Connection;
  #commits = 0;
  /** A batch was sent and not answered: it may be written. */
  #isUnknown = false;
  /** Secrets that the next batch takes along. */
  #secrets = new Map<string, string | null>();
  /** The copy takes the last batch. */
  #copying: Promise<void> = Promise.resolve();
  #isCopyBehind = false;
  /** Number of the last entry in the copy's journal. */
  #copiedSeq = 0;

  constructor(ports: PostgresPorts, epoch: number) {
    this.#ports = ports;
    this.#epoch = epoch;
    this.#connection = this.#connect();
  }

  get authority(): Lease {
    return this.#ports.lease;
  }

  start(): void {
    this.#ports.copy.start();
  }

  async load(): Promise<LoadedState> {
    const { copy, directory, log } = this.#ports;
    const home = await this.#settleDirectory();
    const kept = await copy.load();
    this.#commits = home.commits;
    if (!home.hasHome) await this.#moveIn(kept);
    const rows = await readState(this.#connection);
    const journalSeq = await readLastJournalSeq(this.#connection);
    const { lastSeq } = await readHomeRow(this.#connection);
    if (kept.lastSeq > lastSeq) {
      log.error("The database has lost its latest writes. The home is as it was before them.", {
        entriesLost: kept.lastSeq - lastSeq,
        lastEntryKept: lastSeq,
      });
    }
    this.#copiedSeq = Math.min(kept.journalSeq, lastSeq);
    await this.#renewCopy();
    replaceSecretFiles(directory.secrets, await readSecrets(this.#connection));
    const newest = Math.max(lastSeq, kept.lastSeq, journalSeq);
    const writtenKeys = await readWrittenKeys(this.#connection, lastSeq);
    return { rows, writtenKeys, lastSeq: newest, journalSeq: newest > lastSeq ? newest : journalSeq };
  }

  /** Decides between the home of the database and the one of this directory. @throws ControllerError STORE_UNAVAILABLE */
  async #settleDirectory(): Promise<{ readonly id: string; readonly commits: number; readonly hasHome: boolean }> {
    const { directory, log } = this.#ports;
    const { path } = directory;
    const origin = readOrigin(path);
    const row = await readHomeRow(this.#connection);
    const hasHome = await holdsHome(this.#connection);
    if (origin.kind === "restored" && origin.id === row.id && hasHome) {
      log.warn("The restored home takes the place of the database's.");
      const id = await emptyTables(this.#connection, this.#epoch);
      writeOrigin(path, { kind: "restored", id });
      return { id, commits: row.commits, hasHome: false };
    }
    const isCopy = origin.kind === "copy" || origin.kind === "partial";
    if (isCopy && origin.id !== row.id) {
      if (!hasHome) throw refused(path, COPY_ALONE, null);
      const aside = setCopyAside(path, origin.id);
      log.warn("The directory held a copy of another home. It was set aside.", { aside });
    } else if (!isCopy && hasHome && existsSync(directory.database)) throw refused(path, TWO_HOMES, null);
    return { id: row.id, commits: row.commits, hasHome };
  }

  keepSecret(name: string, body: string | null): void {
    this.#secrets.set(name, body);
  }

  async request(request: WorkerRequest): Promise<void> {
    await this.#copying;
    if (request.kind === "write") return this.#write(request.batch);
    if (request.kind !== "close") return this.#ports.copy.request(request);
    try {
      await this.#ports.copy.request(request);
    } finally {
      await this.#ports.lease.release();
      this.#connection.cut();
    }
  }

  async project(): Promise<boolean> {
    await this.#copying;
    return this.#ports.copy.project();
  }

  async readTrace(query: TraceQuery): Promise<StoredPage> {
    await this.#copying;
    return this.#ports.copy.readTrace(query);
  }

  async readJournal(query: WindowQuery): Promise<JournalWindow> {
    await this.#copying;
    return this.#ports.copy.readJournal(query);
  }

  async stop(): Promise<void> {
    await this.#copying;
    this.#connection.cut();
    await this.#ports.lease.release();
    await this.#ports.copy.stop();
  }

  async #write(batch: Batch): Promise<void> {
    const secrets = this.#secrets;
    this.#secrets = new Map();
    try {
      await this.#commit(batch, secrets);
    } catch (error) {
      this.#secrets = new Map([...secrets, ...this.#secrets]);
      throw error instanceof WriteFailure ? error : new WriteFailure(messageOf(error));
    }
    this.#copying = this.#copy(batch);
  }

  async #commit(batch: Batch, secrets: ReadonlyMap<string, string | null>): Promise<void> {
    if (this.#isUnknown) await this.#learnOutcome();
    this.#isUnknown = true;
    const written = { ...batch, epoch: this.#epoch, commits: this.#commits, secrets, limits: this.#ports.limits };
    const isDone = await writeBatch(this.#connection, written);
    this.#isUnknown = !isDone;
    if (!isDone)
      throw new WriteFailure("A batch that was sent before came through, or another machine writes the home.");
    this.#commits += 1;
  }

  /** @throws WriteFailure when another writer has the home, which then ends this one. */
  async #learnOutcome(): Promise<void> {
    const home = await readHomeRow(this.#connection);
    if (home.epoch !== this.#epoch) {
      this.#ports.lease.lose();
      throw new WriteFailure("Another machine writes the home.");
    }
    this.#commits = home.commits;
    this.#isUnknown = false;
  }

  /** Never rejects. */
  async #copy(batch: Batch): Promise<void> {
    const { copy, log } = this.#ports;
    try {
      if (this.#isCopyBehind) await this.#renewCopy();
      else await copy.request({ kind: "write", batch });
      this.#isCopyBehind = false;
      this.#copiedSeq = batch.journal.at(-1)?.[0] ?? this.#copiedSeq;
    } catch (error) {
      if (!this.#isCopyBehind)
        log.error(
          "The copy of the home in the data directory cannot be written. Charts, the past and backups stand still.",
          {
            error,
          },
        );
      this.#isCopyBehind = true;
    }
  }

  /** The whole state, and the entries since the last one that the copy has. */
  async #renewCopy(): Promise<void> {
    const { copy, clock, directory } = this.#ports;
    const nowMs = clock.now();
    let rows = await readJournalAfter(this.#connection, this.#copiedSeq);
    while (rows.length > 0) {
      const lastSeq = rows.at(-1)?.[0] ?? 0;
      await copy.request({ kind: "write", batch: { nowMs, lastSeq, deletes: [], puts: [], journal: rows } });
      this.#copiedSeq = lastSeq;
      rows = rows.length < JOURNAL_ROWS_A_READ ? [] : await readJournalAfter(this.#connection, lastSeq);
    }
    const state = await readState(this.#connection);
    const { id, lastSeq } = await readHomeRow(this.#connection);
    writeOrigin(directory.path, { kind: "partial", id });
    for (const batch of wholeState(state, lastSeq, nowMs)) await copy.request({ kind: "write", batch });
    writeOrigin(directory.path, { kind: "copy", id });
  }

  /** The database is empty: it gets the home of this directory, with journal and secrets. The state last makes it a home. */
  async #moveIn(kept: LoadedState): Promise<void> {
    const { directory, log, clock } = this.#ports;
    if (kept.rows.controller.size === 0) return;
    log.info("The home of this directory moves into the database.", { entries: kept.lastSeq });
    const nowMs = clock.now();
    for (const journal of journalInParts(directory.database, JOURNAL_ROWS_A_READ))
      await this.#commit({ nowMs, lastSeq: kept.lastSeq, deletes: [], puts: [], journal }, new Map());
    const { controller } = kept.rows;
    const others = { ...kept.rows, controller: new Map<string, string>() };
    for (const part of wholeState(others, kept.lastSeq, nowMs)) await this.#commit(part, new Map());
    // What makes it a home comes last: until then another start begins again.
    const puts = Array.from(controller, ([key, body]) => ["controller", key, body] as const);
    const last = { nowMs, lastSeq: kept.lastSeq, deletes: [], puts, journal: [] };
    await this.#commit(last, readSecretFiles(directory.secrets));
  }

  #connect(): Connection {
    const { url, answerMs } = this.#ports;
    return new Connection({ url, answerMs, name: writerName(this.#epoch) });
  }
}

/** Batches that a thread takes one after the other: the first one removes what is there. */
function* wholeState(rows: LoadedState["rows"], lastSeq: number, nowMs: number): Iterable<Batch> {
  let isWhole = true;
  let puts: Batch["puts"][number][] = [];
  let chars = 0;
  const batch = (): Batch => ({ nowMs, lastSeq, deletes: [], puts, journal: [], ...(isWhole && { isWhole }) });
  for (const table of STATE_TABLES) {
    for (const [key, body] of rows[table]) {
      puts.push([table, key, body]);
      chars += body.length;
      if (chars < PART_CHARS) continue;
      yield batch();
      [isWhole, puts, chars] = [false, [], 0];
    }
  }
  yield batch();
}
