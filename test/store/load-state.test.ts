/** What a start makes of a data directory: what it trusts, what it restores, and what it logs. */

import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { type CommitNote, CommitNoteFile, readCommitNote } from "../../src/store/database/commit-note.ts";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { takeSnapshot } from "../../src/store/database/snapshot.ts";
import { rowSum } from "../../src/store/database/tables.ts";
import { createBatchWriter } from "../../src/store/database/write-batch.ts";
import { type Directory, openDirectory } from "../../src/store/directory.ts";
import { encodeJournal } from "../../src/store/journal.ts";
import { loadState } from "../../src/store/load-state.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, CONTROLLER, recordingLog, START_MS, temporaryDirectory } from "../support/test-store.ts";

const LIMITS = { ageMsMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };
const PAGE_BYTES = 4096;

function directoryOf(dir: string): Directory {
  const directory = openDirectory(dir);
  directory.release();
  return directory;
}

/** Commits that each have one entry of the journal and one row beside it. @returns the note of the last one. */
function writeCommits(path: string, fromSeq: number, toSeq: number): CommitNote {
  const db = openDatabase(path);
  const writer = createBatchWriter(db, LIMITS);
  let note: CommitNote = { commits: 0, lastSeq: 0 };
  for (let seq = fromSeq; seq <= toSeq; seq += 1) {
    const change = { type: "controller-changed", controller: CONTROLLER } as const;
    const journal = encodeJournal([{ seq, atMs: START_MS, cause: CAUSE, change }], seq - 1);
    const puts = [
      ["controller", "controller", JSON.stringify(CONTROLLER)],
      ["driver_store", "virtual/commit", String(seq)],
    ] as const;
    note = writer.write({ nowMs: START_MS, lastSeq: seq, deletes: [], puts, journal });
  }
  db.close();
  return note;
}

/** A directory with a home of so many commits, and their note. */
function leaveHome(commits = 3): Directory {
  const directory = directoryOf(temporaryDirectory());
  new CommitNoteFile(directory.note).replace(writeCommits(directory.database, 1, commits));
  return directory;
}

function snapshotOf({ database, snapshots }: Directory): void {
  const db = openDatabase(database);
  takeSnapshot(db, snapshots, START_MS);
  db.close();
}

function removeDatabase({ database }: Directory): void {
  for (const companion of ["", "-wal", "-shm"]) rmSync(database + companion, { force: true });
}

/** Puts the database of the first three commits in the place of one with more, of which a snapshot was taken. */
function setBack(directory: Directory): void {
  const before = `${directory.database}.copy`;
  copyFileSync(directory.database, before);
  new CommitNoteFile(directory.note).replace(writeCommits(directory.database, 4, 5));
  snapshotOf(directory);
  removeDatabase(directory);
  copyFileSync(before, directory.database);
}

async function load(directory: Directory) {
  const log = recordingLog();
  const config = { backupDirectory: "", backupPassphraseFile: "" };
  const ports = { config, clock: new VirtualClock(START_MS), log, reserve: { giveUp: () => false } };
  const state = await loadState(ports, directory, LIMITS);
  const complaints = log.lines.filter(({ level }) => level === "warn" || level === "error");
  return { ...state, commit: state.rows.driver_store.get("virtual/commit"), complaints };
}

const RESTORED = { level: "error", message: expect.stringContaining("was made from the readable data") };
const NOTHING_LEFT = { level: "error", message: expect.stringContaining("nothing is left") };

describe("a database that fits its note", () => {
  test("is read without a word, and its bookkeeping is left out", async () => {
    const { lastSeq, journalSeq, commit, rows, complaints } = await load(leaveHome());
    expect({ lastSeq, journalSeq, commit, complaints }).toEqual({
      lastSeq: 3,
      journalSeq: 3,
      commit: "3",
      complaints: [],
    });
    expect([...rows.meta.keys()]).toEqual([]);
  });

  test("counts on from the last number given out, though its journal ends before", async () => {
    const directory = leaveHome();
    const db = openDatabase(directory.database);
    db.exec("DELETE FROM journal WHERE seq > 1");
    db.close();
    expect(await load(directory)).toMatchObject({ lastSeq: 3, journalSeq: 1, complaints: [] });
  });

  test("counts on from its journal, when the last number given out is not known", async () => {
    const directory = leaveHome();
    const db = openDatabase(directory.database);
    db.exec("DELETE FROM meta WHERE key = 'last_seq'");
    db.close();
    expect(await load(directory)).toMatchObject({ lastSeq: 3, journalSeq: 3, complaints: [] });
  });

  test("is trusted against a snapshot that says more", async () => {
    const directory = leaveHome();
    setBack(directory);
    new CommitNoteFile(directory.note).replace({ commits: 3, lastSeq: 3 });
    expect(await load(directory)).toMatchObject({ commit: "3", complaints: [] });
  });
});

describe("a database with fewer commits than its note", () => {
  test("is used when nothing newer is left; what is lost is logged once, and its numbers are not given out again", async () => {
    const directory = leaveHome();
    new CommitNoteFile(directory.note).replace({ commits: 5, lastSeq: 8 });
    const fields = { commitsLost: 2, entriesLost: 5, lastEntryKept: 3 };
    expect(await load(directory)).toMatchObject({
      lastSeq: 8,
      journalSeq: 8,
      complaints: [{ level: "error", fields }],
    });
    expect(await load(directory)).toMatchObject({ lastSeq: 8, journalSeq: 8, complaints: [] });
  });

  test("lost no entry, when the commits had none", async () => {
    const directory = leaveHome();
    new CommitNoteFile(directory.note).replace({ commits: 4, lastSeq: 2 });
    const fields = { commitsLost: 1, entriesLost: 0, lastEntryKept: 3 };
    expect(await load(directory)).toMatchObject({ lastSeq: 3, journalSeq: 3, complaints: [{ fields }] });
  });

  test("is used when a snapshot is only as new", async () => {
    const directory = leaveHome();
    snapshotOf(directory);
    new CommitNoteFile(directory.note).replace({ commits: 4, lastSeq: 3 });
    const message = "The database has lost its latest writes. The home is as it was before them.";
    expect(await load(directory)).toMatchObject({ commit: "3", complaints: [{ level: "error", message }] });
  });

  test("is replaced by a newer snapshot", async () => {
    const directory = leaveHome();
    setBack(directory);
    expect(await load(directory)).toMatchObject({ commit: "5", lastSeq: 5, complaints: [RESTORED] });
    expect(await load(directory)).toMatchObject({ commit: "5", lastSeq: 5, complaints: [] });
  });
});

describe("a note of the last commit", () => {
  test("is not made before there is a home", async () => {
    const directory = directoryOf(temporaryDirectory());
    expect((await load(directory)).complaints).toEqual([]);
    expect(existsSync(directory.note)).toBe(false);
  });

  test.each(["missing", "damaged"])("that is %s is logged and made again", async (how) => {
    const directory = leaveHome();
    if (how === "missing") rmSync(directory.note);
    else writeFileSync(directory.note, "nonsense");
    expect(await load(directory)).toMatchObject({
      commit: "3",
      complaints: [{ level: "warn", fields: { note: how } }],
    });
    expect(readCommitNote(directory.note)).toEqual({ commits: 3, lastSeq: 3 });
  });

  test("that is damaged, beside a database that is missing, is made again with the home of the snapshot", async () => {
    const directory = leaveHome();
    snapshotOf(directory);
    removeDatabase(directory);
    writeFileSync(directory.note, "nonsense");
    expect(await load(directory)).toMatchObject({ commit: "3", complaints: [RESTORED] });
    expect(await load(directory)).toMatchObject({ commit: "3", complaints: [] });
  });
});

describe("without a database", () => {
  test.each(["snapshots", "secrets", "backups"] as const)(
    "a single file in %s shows that a home was there",
    async (name) => {
      const directory = directoryOf(temporaryDirectory());
      mkdirSync(directory[name]);
      const file = name === "snapshots" ? `domovoi-${"1".padStart(15, "0")}.sqlite` : "a-file";
      writeFileSync(`${directory[name]}/${file}`, "no longer readable");
      expect((await load(directory)).complaints).toMatchObject([NOTHING_LEFT]);
    },
  );

  test("an empty log and empty directories are what the first start leaves", async () => {
    const directory = directoryOf(temporaryDirectory());
    for (const name of ["snapshots", "secrets", "backups"] as const) mkdirSync(directory[name]);
    writeFileSync(`${directory.database}-wal`, "");
    expect((await load(directory)).complaints).toEqual([]);
  });
});

test("a file that is cut off behind its last table is damage", async () => {
  const running = leaveHome();
  snapshotOf(running);
  const db = openDatabase(running.database);
  // Free pages at the end of the file.
  db.exec(`CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(400000)); DROP TABLE filler;
    PRAGMA wal_checkpoint(TRUNCATE); UPDATE meta SET sum = sum`);
  const killed = temporaryDirectory();
  cpSync(dirname(running.database), killed, { recursive: true });
  db.close();
  const directory = directoryOf(killed);
  truncateSync(directory.database, statSync(directory.database).size - 20 * PAGE_BYTES);
  expect(await load(directory)).toMatchObject({ commit: "3", complaints: [RESTORED] });
});

test("rows since the snapshot are kept when only the bookkeeping is damaged", async () => {
  const directory = leaveHome();
  snapshotOf(directory);
  new CommitNoteFile(directory.note).replace(writeCommits(directory.database, 4, 5));
  const db = openDatabase(directory.database);
  db.exec("UPDATE meta SET sum = sum + 1");
  db.close();
  const { commit, lastSeq, complaints } = await load(directory);
  expect({ commit, lastSeq }).toEqual({ commit: "5", lastSeq: 5 });
  expect(complaints).toMatchObject([
    { fields: { tablesDamaged: ["meta"], journalRowsKept: 5, journalEntriesMissing: 0 } },
  ]);
});

test("of the bookkeeping a new database keeps the boot and the choice of the history", async () => {
  const directory = leaveHome();
  const db = openDatabase(directory.database);
  const insert = db.prepare("INSERT INTO meta VALUES (?, ?, ?)");
  for (const key of ["boot_id", "history", "other"]) insert.run(key, '"x"', rowSum(key, '"x"'));
  db.exec("UPDATE driver_store SET sum = sum + 1");
  db.close();
  const { rows, complaints } = await load(directory);
  expect([...rows.meta]).toEqual([
    ["boot_id", '"x"'],
    ["history", '"x"'],
  ]);
  expect(complaints).toMatchObject([{ fields: { tablesDamaged: ["driver_store"] } }]);
  expect(readCommitNote(directory.note)).toMatchObject({ lastSeq: 3 });
});

test("entries that no row of the journal covers are counted as missing", async () => {
  const directory = leaveHome(6);
  const db = openDatabase(directory.database);
  db.exec("DELETE FROM journal WHERE seq IN (1, 3, 4, 6); UPDATE meta SET sum = sum + 1");
  db.close();
  expect((await load(directory)).complaints).toMatchObject([
    { fields: { journalRowsKept: 2, journalEntriesMissing: 3, restoredFrom: "none" } },
  ]);
});

test("what an upgrade that was cut short left behind is removed", async () => {
  const directory = leaveHome();
  for (const companion of ["", "-wal", "-shm"])
    writeFileSync(`${directory.database}.upgraded${companion}`, "unfinished");
  expect((await load(directory)).complaints).toEqual([]);
  expect(["", "-wal", "-shm"].filter((companion) => existsSync(`${directory.database}.upgraded${companion}`))).toEqual(
    [],
  );
});
