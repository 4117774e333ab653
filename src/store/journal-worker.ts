/**
 * The thread that waits for the disk: takes one request at a time, answers each. Knows the database, nothing of the
 * home. After a failure it reopens the file with the next request, so no uncertain state remains.
 */

import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../errors.ts";
import type { StoredPage, TraceQuery, TraceRow } from "../programs/trace/stored-trace.ts";
import { messageOf } from "../util/message-of.ts";
import { type CommitNote, CommitNoteFile, readCommitNote } from "./database/commit-note.ts";
import { isInputOutput, isPlainDamage, mayBeFullDisk } from "./database/damage.ts";
import { type JournalWindow, readWindow, type WindowQuery } from "./database/journal-window.ts";
import { openDatabase, openForSalvage } from "./database/open-database.ts";
import { salvageJournal } from "./database/read-tables.ts";
import { checkpoint, rebuildDatabase } from "./database/rebuild.ts";
import { takeSnapshot } from "./database/snapshot.ts";
import { TraceFile, type TraceLimits } from "./database/trace-file.ts";
import { type Batch, type BatchWriter, createBatchWriter, type JournalLimits } from "./database/write-batch.ts";
import { type DirectoryLock, takeLock } from "./lock.ts";
import { JournalProjection } from "./samples/project-journal.ts";
import { type SampleLimits, SamplesFile } from "./samples/samples-file.ts";

export type WorkerSettings = {
  readonly path: string;
  readonly snapshots: string;
  readonly trace: string;
  readonly note: string;
  /** Lock file of the directory, when it is not locked yet because its disk was read-only. */
  readonly lockFile: string | null;
  readonly limits: JournalLimits;
  readonly traceLimits: TraceLimits;
  readonly samples: string;
  readonly sampleLimits: SampleLimits;
};

export type WorkerRequest =
  | { readonly kind: "write"; readonly batch: Batch }
  /** The database is damaged: a new one from this whole state and the journal as far as it reads. */
  | { readonly kind: "rebuild"; readonly batch: Batch }
  | { readonly kind: "snapshot"; readonly nowMs: number }
  | { readonly kind: "trace"; readonly rows: readonly TraceRow[] }
  /** Writes some samples of what is in the journal; answers whether there are more. */
  | { readonly kind: "project" }
  | { readonly kind: "read-trace"; readonly query: TraceQuery }
  | { readonly kind: "read-journal"; readonly query: WindowQuery }
  | { readonly kind: "close" };

export type WorkerResult = StoredPage | JournalWindow | { readonly hasMore: boolean } | null;
export type WorkerAnswer =
  | { readonly failure: null; readonly result: WorkerResult }
  | { readonly failure: string; readonly isDamage: boolean; readonly isFull: boolean };

type Connection = { readonly db: DatabaseSync; readonly writer: BatchWriter };

const { path, snapshots, limits, ...settings } = workerData as WorkerSettings;
const noteFile = new CommitNoteFile(settings.note);
let last: CommitNote = { commits: 0, lastSeq: 0 };
const trace = new TraceFile(settings.trace, settings.traceLimits);
const samples = new SamplesFile(settings.samples, settings.sampleLimits);
const projection = new JournalProjection(samples);
const PROJECT_AFTER_MS = 1000;
/** Between two slices of samples that are behind. After a second without a commit they follow sooner. */
const PROJECT_BUSY_MS = 25;
const PROJECT_IDLE_MS = 5;
const IDLE_AFTER_MS = 1000;
let writtenAtMs = 0;
let projecting: NodeJS.Timeout | null = null;
let connection: Connection | null = null;
let lock: DirectoryLock | null = null;
/** After an error of the disk the system may have dropped pages of the log that it failed to write, and say nothing later. */
let isLogDoubtful = false;

invariant(parentPort, "The journal's worker runs as a worker thread.");
const port = parentPort;
port.on("message", (request: WorkerRequest) => port.postMessage(answer(request)));

function answer(request: WorkerRequest): WorkerAnswer {
  try {
    return { failure: null, result: perform(request) };
  } catch (error) {
    disconnect();
    isLogDoubtful ||= isInputOutput(error);
    const failure = messageOf(error);
    return { failure, isDamage: isPlainDamage(error), isFull: mayBeFullDisk(error) };
  }
}

function perform(request: WorkerRequest): WorkerResult {
  switch (request.kind) {
    case "write":
      note(connect().writer.write(request.batch));
      writtenAtMs = performance.now();
      projectSoon();
      return null;
    case "project":
      return { hasMore: projectSlice() };
    case "rebuild":
      rebuild(request.batch);
      return null;
    case "snapshot":
      takeSnapshot(connect().db, snapshots, request.nowMs);
      return null;
    case "trace":
      trace.append(request.rows);
      return null;
    case "read-trace":
      return trace.read(request.query);
    case "read-journal":
      return readWindow(connect().db, request.query);
    case "close":
      trace.close();
      if (projecting) clearTimeout(projecting);
      samples.close();
      if (connection) checkpoint(connection.db);
      disconnect();
      noteFile.close();
      lock?.release();
      return null;
  }
}

/** Runs between requests. Samples that cannot be written now are written after the next commit. */
function projectSoon(delayMs = PROJECT_AFTER_MS): void {
  projecting ??= setTimeout(() => {
    projecting = null;
    try {
      projectSlice();
    } catch {
      samples.close();
    }
  }, delayMs);
}

/** @returns whether there is more, which then follows. */
function projectSlice(): boolean {
  const isMore = projection.project(connect().db);
  const isBusy = performance.now() - writtenAtMs < IDLE_AFTER_MS;
  if (isMore) projectSoon(isBusy ? PROJECT_BUSY_MS : PROJECT_IDLE_MS);
  return isMore;
}

function connect(): Connection {
  if (!connection) {
    lockDirectory();
    const db = openDatabase(path);
    if (isLogDoubtful) emptyLog(db);
    connection = { db, writer: createBatchWriter(db, limits) };
  }
  return connection;
}

function lockDirectory(): void {
  if (settings.lockFile !== null && lock === null) lock = takeLock(settings.lockFile);
}

/** Moves everything into the database file, so that commits from now on do not stand behind pages that may be lost. */
function emptyLog(db: DatabaseSync): void {
  try {
    if (!checkpoint(db)) throw new Error("A reader prevents the write-ahead log from being emptied.");
    isLogDoubtful = false;
  } catch (error) {
    db.close();
    throw error;
  }
}

function rebuild(batch: Batch): void {
  disconnect();
  const known = new Set(batch.journal.map(([seq]) => seq));
  const journal = salvage().filter(([seq]) => !known.has(seq));
  note(rebuildDatabase(path, journal, batch, limits, commitsKnown()));
}

/** Until the first commit of this thread, the note of the run before. */
function commitsKnown(): number {
  const noted = readCommitNote(settings.note);
  return Math.max(last.commits, typeof noted === "string" ? 0 : noted.commits);
}

function note(written: CommitNote): void {
  last = written;
  noteFile.write(written);
}

function salvage() {
  try {
    using db = openForSalvage(path);
    return salvageJournal(db).rows;
  } catch {
    return []; // It does not even open; the batch holds the whole state.
  }
}

function disconnect(): void {
  try {
    connection?.db.close();
  } catch {
    // Closing a file that the disk does not answer for may fail; there is nothing more to do with it.
  }
  connection = null;
}
