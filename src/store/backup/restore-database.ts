/**
 * The rows of a backup as a database again, of the shape that they had when the backup was made. It is then read with all the
 * suspicion of a start, loaded as a home, and its logical hash compared with the one that the backup says.
 */

import type { DatabaseSync } from "node:sqlite";
import type { TraceRow } from "../../programs/trace/stored-trace.ts";
import { MIGRATIONS, type Migration, migrate } from "../database/migrate.ts";
import { readState } from "../database/read-tables.ts";
import { JOURNAL_VERSION_SINCE, type JournalRow, rowSum, storedJournalRow } from "../database/tables.ts";
import { homeOf } from "../home-tables.ts";
import { decodeJournal } from "../journal.ts";
import { SECRET_NAME } from "./backup-lines.ts";
import { type BackupHeader, type BackupRow, refusedBackup } from "./format.ts";
import { logicalHashOf } from "./logical-hash.ts";
import type { BackupPart } from "./read-backup.ts";
import type { BackupContent } from "./write-backup.ts";

export type RestoreTarget = {
  /** An empty database of these migrations; the caller closes it. */
  open(migrations: readonly Migration[]): DatabaseSync;
  /** Where not, entries of the journal and the trace are looked at only. */
  readonly keepsHistory: boolean;
  /** Takes records of the trace, in their order. */
  trace(rows: readonly TraceRow[]): void;
  /** Keeps a secret of the backup. */
  secret(name: string, value: string): void;
  /** Changes with every boot of the machine. */
  readonly bootId: string | null;
};

const ROWS_A_COMMIT = 2000;
const TRACED_AT_ONCE = 256;

/**
 * @param parts of a backup, from its header to its end.
 * @throws ControllerError BACKUP_REFUSED when they do not make the home that the backup says; nothing is undone then.
 */
export async function restoreDatabase(parts: AsyncIterable<BackupPart>, target: RestoreTarget): Promise<BackupContent> {
  let header: BackupHeader | null = null;
  let writer: RowWriter | null = null;
  for await (const part of parts) {
    if (part.kind === "header") {
      header = part.header;
      writer = new RowWriter(target, header);
    } else if (part.kind === "row") writer?.take(part.row);
    else if (header && writer) {
      writer.finish(target.bootId);
      prove(writer.db, header, part.end.logicalHash);
      return { header, end: part.end };
    }
  }
  throw refusedBackup("is cut off: its end is missing");
}

class RowWriter {
  readonly db: DatabaseSync;
  readonly #target: RestoreTarget;
  readonly #header: BackupHeader;
  readonly #statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  #rows = 0;
  #traced: TraceRow[] = [];

  constructor(target: RestoreTarget, header: BackupHeader) {
    this.#target = target;
    this.#header = header;
    this.db = target.open(MIGRATIONS.filter(({ number }) => number <= header.shape));
    this.db.exec("BEGIN");
  }

  take(row: BackupRow): void {
    if (row.name === "journal") this.#takeJournal(row.key, JSON.stringify(row.body));
    else if (row.name === "trace") this.#takeTrace(row.key, JSON.stringify(row.body));
    else if (row.name === "secrets") this.#takeSecret(row.key, row.body);
    else this.#put(row.name, row.key, JSON.stringify(row.body));
    this.#rows += 1;
    if (this.#rows % ROWS_A_COMMIT === 0) this.db.exec("COMMIT; BEGIN");
  }

  /** The boot is this one: what variables hold is kept, as over a restart. */
  finish(bootId: string | null): void {
    this.#put("meta", "last_seq", String(this.#header.seq));
    this.#put("meta", "boot_id", JSON.stringify(bootId));
    this.db.exec("COMMIT");
    this.#flushTrace();
  }

  #put(table: string, key: string, body: string): void {
    const insert = this.#prepare(`INSERT INTO "${table}" (key, body, sum) VALUES (?, ?, ?)`);
    this.#run(() => insert.run(key, body, rowSum(key, body)), `a row of ${table}`);
  }

  #takeJournal(key: readonly unknown[], body: string): void {
    const row = journalRow(key, body);
    this.#run(() => decodeJournal(row), "an entry of the journal");
    if (!this.#target.keepsHistory) return;
    const [seq, firstSeq, atMs, kind, id, by, type, text, sum, version] = storedJournalRow(row);
    const before = [seq, firstSeq, atMs, kind, id, by, type, text, sum];
    const hasVersion = this.#header.shape >= JOURNAL_VERSION_SINCE;
    const insert = this.#prepare(`INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?${hasVersion ? ", ?" : ""})`);
    this.#run(() => insert.run(...before, ...(hasVersion ? [version] : [])), "an entry of the journal");
  }

  #takeTrace(key: readonly unknown[], body: string): void {
    this.#traced.push(traceRow(key, body));
    if (this.#traced.length >= TRACED_AT_ONCE) this.#flushTrace();
  }

  #flushTrace(): void {
    if (this.#target.keepsHistory && this.#traced.length > 0) this.#target.trace(this.#traced);
    this.#traced = [];
  }

  #takeSecret(name: string, value: unknown): void {
    if (!SECRET_NAME.test(name) || typeof value !== "string") throw refusedBackup("is damaged: a secret has no name");
    this.#target.secret(name, value);
  }

  #prepare(sql: string): ReturnType<DatabaseSync["prepare"]> {
    const known = this.#statements.get(sql) ?? this.db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** Rows that the database refuses, such as a repeated key, are the file's fault; errors of the disk are not. */
  #run(work: () => unknown, what: string): void {
    try {
      work();
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, "errcode") !== undefined && !isConstraint(error)) throw error;
      throw refusedBackup(`is damaged: ${what} is invalid`, error);
    }
  }
}

const CONSTRAINT = 19;

function isConstraint(error: Error): boolean {
  return (Number(Reflect.get(error, "errcode")) & 0xff) === CONSTRAINT;
}

function journalRow(key: readonly unknown[], body: string): JournalRow {
  const [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, version = 1] = key;
  const isRow =
    (key.length === 7 || key.length === 8) &&
    [seq, firstSeq, atMs, version].every((value) => Number.isSafeInteger(value)) &&
    [causeKind, causeId, type].every((value) => typeof value === "string") &&
    (causeBy === null || typeof causeBy === "string");
  if (!isRow) throw refusedBackup("is damaged: a journal entry is invalid");
  const known = key as readonly [number, number, number, string, string, string | null, string];
  return [known[0], known[1], known[2], known[3], known[4], known[5], known[6], body, version as number];
}

function traceRow(key: readonly unknown[], body: string): TraceRow {
  const [programId, entryKey, atMs] = key;
  const isRow =
    key.length === 3 &&
    [programId, atMs].every((value) => Number.isSafeInteger(value)) &&
    (entryKey === null || typeof entryKey === "string");
  if (!isRow) throw refusedBackup("is damaged: a trace record is invalid");
  return [...(key as [number, string | null, number]), body];
}

/** At the end the database has the schema of this version. */
function prove(db: DatabaseSync, { contents, shape }: BackupHeader, logicalHash: string): void {
  if (logicalHashOf(readState(db), contents) !== logicalHash)
    throw refusedBackup("does not restore: the restored home differs from the backup");
  migrate(db);
  const home = load(db);
  if (!home) throw refusedBackup(`does not restore: the home cannot be read (shape ${shape})`);
}

function load(db: DatabaseSync) {
  try {
    return homeOf(readState(db));
  } catch (cause) {
    throw refusedBackup("does not restore: no home can be loaded from it", cause);
  }
}
