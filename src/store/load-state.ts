/**
 * Reads the state as it was left, before anyone sees the home. A database that is damaged, missing, empty or older than what
 * was committed is never taken for a new home: it is restored from what is left, and what is lost is logged.
 */

import { existsSync, readdirSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Config } from "../config.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { type CommitNote, CommitNoteFile, readCommitNote } from "./database/commit-note.ts";
import { DamageError, isDamageAtOpen, isReadOnlyDisk, isUnwritable } from "./database/damage.ts";
import { OlderDatabaseError, openDatabase, openUnwritable } from "./database/open-database.ts";
import { readLastJournalSeq, readState, readWrittenKeys, type StateRows } from "./database/read-tables.ts";
import { settleRebuild } from "./database/rebuild.ts";
import { listSnapshots } from "./database/snapshot.ts";
import { pathBeforeUpgrade, settleUpgrade, upgradeDatabase } from "./database/upgrade.ts";
import type { JournalLimits } from "./database/write-batch.ts";
import type { Directory } from "./directory.ts";
import type { DiskReserve } from "./disk-reserve.ts";
import { recover } from "./recover.ts";
import { newestCopy } from "./recovery-copies.ts";

export type LoadedState = {
  readonly rows: StateRows;
  /** Number of the last entry that was ever committed. */
  readonly lastSeq: number;
  /** Number up to which the journal has rows, or has lost them for good. */
  readonly journalSeq: number;
  /** Causes of the newest entries that clients named by keys of their own. */
  readonly writtenKeys: readonly string[];
};

type LoadPorts = {
  readonly config: Pick<Config, "backupDirectory" | "backupPassphraseFile">;
  readonly clock: Clock;
  readonly log: Log;
  readonly reserve: Pick<DiskReserve, "giveUp">;
};

type Read = LoadedState & { readonly commits: number };
type Noted = ReturnType<typeof readCommitNote>;

/** Rows of the table `meta` that the writer keeps for itself. */
const BOOKKEEPING = ["last_seq", "commits", "journal_bytes"] as const;

/** @throws SQLite's error for what is no damage, or ControllerError. */
export async function loadState(ports: LoadPorts, directory: Directory, limits: JournalLimits): Promise<LoadedState> {
  settleRebuild(directory.database);
  settleUpgrade(directory.database);
  const noted = readCommitNote(directory.note);
  try {
    const read = await readExpected(ports, directory, noted);
    await checkAge(ports, directory, read, noted);
    return withNote(ports.log, directory, read, noted);
  } catch (error) {
    if (!isDamageAtOpen(error)) throw error;
    const isKnown = typeof noted !== "string";
    const note = await recover({ ...ports, directory, limits, noted: isKnown ? noted : null }, error);
    new CommitNoteFile(directory.note).replace(note);
    return await readDatabase(ports, directory.database);
  }
}

/** @throws DamageError when there was a home and the database does not hold it. */
async function readExpected(ports: LoadPorts, directory: Directory, noted: Noted): Promise<Read> {
  const { database } = directory;
  const isThere = existsSync(database) && statSync(database).size > 0;
  const hadHome = heldHome(directory, noted);
  if (!isThere && hadHome) throw new DamageError("The database is missing.");
  const read = await readDatabase(ports, database);
  if (hadHome && read.rows.controller.size === 0) throw new DamageError("The database has lost its home.");
  return read;
}

/** Whether anything in the directory was left by a home. The database of a new home comes before all of it. */
function heldHome({ database, snapshots, secrets, trace, backups }: Directory, noted: Noted): boolean {
  if (noted !== "missing" && (noted === "damaged" || noted.commits > 0)) return true;
  const log = `${database}-wal`;
  if (existsSync(trace) || (existsSync(log) && statSync(log).size > 0)) return true;
  return listSnapshots(snapshots).length > 0 || [secrets, backups].some(hasFiles);
}

function hasFiles(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).length > 0;
}

async function readDatabase(ports: LoadPorts, path: string): Promise<Read> {
  try {
    return readAll(await openUpgraded(ports.log, path));
  } catch (error) {
    if (isDamageAtOpen(error) || !isUnwritable(error)) throw error;
    if (!isReadOnlyDisk(error) && ports.reserve.giveUp()) return readDatabase(ports, path);
    const read = readAll(openUnwritable(path));
    ports.log.error("The disk rejects writes. Devices can be controlled, but nothing can be changed.", {
      error,
    });
    return read;
  }
}

async function openUpgraded(log: Log, path: string): Promise<DatabaseSync> {
  try {
    return openDatabase(path);
  } catch (error) {
    if (!(error instanceof OlderDatabaseError)) throw error;
    await upgradeDatabase(path);
    log.info("The database of an older version was upgraded. A copy of the old one is stored beside it.", {
      before: pathBeforeUpgrade(path),
    });
    return openDatabase(path);
  }
}

/** Closes the database. */
function readAll(db: DatabaseSync): Read {
  try {
    const rows = readState(db);
    const journalSeq = readLastJournalSeq(db);
    const writtenKeys = readWrittenKeys(db, journalSeq);
    const [lastSeq = 0, commits = 0] = BOOKKEEPING.map((key) => Number(rows.meta.get(key) ?? 0));
    for (const key of BOOKKEEPING) rows.meta.delete(key);
    return { rows, journalSeq, writtenKeys, commits, lastSeq: Math.max(journalSeq, lastSeq) };
  } finally {
    db.close();
  }
}

/** @throws DamageError when commits are missing and a copy of the state is newer than the database. */
async function checkAge(ports: LoadPorts, directory: Directory, read: Read, noted: Noted): Promise<void> {
  if (typeof noted === "string" || noted.commits <= read.commits) return;
  const copy = await newestCopy(ports, directory);
  if (copy && copy.lastSeq > read.lastSeq) throw new DamageError("The database is older than a copy of it.");
}

/** Logs commits that are missing; their numbers are not given out again, so the journal shows the gap. */
function withNote(log: Log, directory: Directory, read: Read, noted: Noted): LoadedState {
  if (typeof noted === "string") {
    if (read.commits > 0)
      log.warn("The note of the last commit is missing or damaged, so lost writes would go unnoticed.", {
        note: noted,
      });
    if (read.commits > 0) new CommitNoteFile(directory.note).replace(read);
    return read;
  }
  const lost = noted.commits - read.commits;
  if (lost <= 0) return { ...read, ...continued(read, noted) };
  log.error("The database has lost its latest writes. The home is as it was before them.", {
    commitsLost: lost,
    entriesLost: Math.max(0, noted.lastSeq - read.lastSeq),
    lastEntryKept: read.lastSeq,
  });
  new CommitNoteFile(directory.note).replace({ commits: read.commits, lastSeq: Math.max(noted.lastSeq, read.lastSeq) });
  return { ...read, ...continued(read, noted) };
}

function continued(read: Read, noted: CommitNote): Pick<LoadedState, "lastSeq" | "journalSeq"> {
  if (noted.lastSeq <= read.lastSeq) return read;
  return { lastSeq: noted.lastSeq, journalSeq: noted.lastSeq };
}
