/** The lines of a backup, read from a database in one transaction: everything is of the same instant while others go on writing. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ControllerError } from "../../errors.ts";
import type { ControllerRecord } from "../../home/controller.ts";
import type { TraceRow } from "../../programs/trace/stored-trace.ts";
import { isDamageAtOpen } from "../database/damage.ts";
import { latest, MIGRATIONS } from "../database/migrate.ts";
import { readShape } from "../database/read-tables.ts";
import { isInShape, rowSum, type StoredJournalRow, soundJournalRow } from "../database/tables.ts";
import { holdsSecrets } from "../journal.ts";
import { BackupSums } from "./backup-sums.ts";
import {
  BACKUP_TABLES,
  type BackupTable,
  type ContentName,
  driverOf,
  isBackupTable,
  isOpenDriver,
  isOpenRow,
  isSecret,
  isUnderWay,
} from "./contents.ts";
import { type BackupEnd, type BackupHeader, type BackupRow, FORMAT, FORMAT_VERSION } from "./format.ts";

/** Where a home is kept. */
export type BackupSource = { readonly database: string; readonly secrets: string; readonly trace: string };

export type BackupRequest = {
  /** Includes everything secret; only for a file that is encrypted. */
  readonly withSecrets: boolean;
  /** Includes the journal and the trace. */
  readonly withHistory: boolean;
  readonly nowMs: number;
  /** Version of the Domovoi that makes it. */
  readonly product: string;
};

export type BackupLines = {
  readonly header: BackupHeader;
  /** Number of rows and secrets, for the progress. */
  readonly rowsTotal: number;
  /** Each with its line break; the last one holds the sums, which it also returns. */
  lines(onRow: () => void): Generator<string, BackupEnd>;
};

/** A name of a file that a secret can have; nothing that leads elsewhere. */
export const SECRET_NAME = /^[\w-][\w.-]*$/;
const UNFINISHED = /\.unfinished$/;

/**
 * Begins the transaction; the caller closes the connection.
 * @param db opened for reading only.
 * @throws ControllerError STORE_UNAVAILABLE for a database that cannot be backed up, with the reason.
 */
export function readBackupLines(
  db: DatabaseSync,
  { secrets: secretsDir, trace }: Omit<BackupSource, "database">,
  requested: BackupRequest,
): BackupLines {
  db.exec("BEGIN");
  const shape = knownShape(db);
  const tables = BACKUP_TABLES.filter((table) => isInShape(table, shape));
  const secrets = requested.withSecrets ? secretNames(secretsDir) : [];
  const contents: ContentName[] = tables.filter((table) => requested.withSecrets || !isSecret(table));
  if (requested.withSecrets) contents.push("secrets");
  if (requested.withHistory) contents.push("journal", "trace");
  const controller = readController(db);
  const header: BackupHeader = {
    format: FORMAT,
    version: FORMAT_VERSION,
    takenAtMs: requested.nowMs,
    seq: readSeq(db),
    product: requested.product,
    shape,
    uuid: controller.uuid,
    name: controller.name,
    isEncrypted: requested.withSecrets,
    contents,
    leftOut: requested.withSecrets ? [] : leftOut(db, tables, secretsDir),
  };
  const counted = contents.filter((name) => name !== "secrets" && name !== "trace");
  const rowsTotal = secrets.length + counted.reduce((sum, name) => sum + countRows(db, name), 0);
  const rows = function* (): Iterable<BackupRow & { readonly text: string }> {
    for (const table of contents.filter(isBackupTable)) yield* tableRows(db, table, requested.withSecrets);
    for (const name of secrets) yield* secretRow(secretsDir, name);
    if (!requested.withHistory) return;
    yield* journalRows(db, requested.withSecrets);
    for (const [programId, key, atMs, text] of readTraceRows(trace))
      yield { name: "trace", key: [programId, key, atMs], text, body: null } as const;
  };
  return { header, rowsTotal, lines: (onRow) => lines(header, rows(), onRow) };
}

function* lines(
  header: BackupHeader,
  rows: Iterable<BackupRow & { readonly text: string }>,
  onRow: () => void,
): Generator<string, BackupEnd> {
  const sums = new BackupSums(header.contents);
  const first = `${JSON.stringify(header)}\n`;
  sums.addHeader(first);
  yield first;
  for (const row of rows) {
    // The body is written exactly as it is in the database, so a restore gives the same text.
    const line = `[${JSON.stringify(row.name)},${JSON.stringify(row.key)},${row.text}]\n`;
    sums.addRow(line, row);
    yield line;
    onRow();
  }
  const end = sums.end();
  yield `${JSON.stringify(end)}\n`;
  return end;
}

function* tableRows(db: DatabaseSync, table: BackupTable, withSecrets: boolean) {
  const select = db.prepare(`SELECT key, body, sum FROM "${table}" ORDER BY rowid`);
  select.setReturnArrays(true);
  for (const [key, body, sum] of select.iterate() as unknown as Iterable<[string, string, number]>) {
    if (sum !== rowSum(key, body)) throw damaged(`A row of the table ${table} is damaged.`);
    if (isUnderWay(table, key) || (!withSecrets && !isOpenRow(table, key))) continue;
    yield { name: table, key, text: body, body: JSON.parse(body) as unknown };
  }
}

function* secretRow(directory: string, name: string) {
  const body = readFileSync(join(directory, name), "utf8");
  yield { name: "secrets", key: name, text: JSON.stringify(body), body } as const;
}

/** Rows that are damaged are left out; who reads the journal finds a gap in their place. */
function* journalRows(db: DatabaseSync, withSecrets: boolean) {
  const select = db.prepare("SELECT * FROM journal ORDER BY seq");
  select.setReturnArrays(true);
  for (const stored of select.iterate() as unknown as Iterable<StoredJournalRow>) {
    const row = soundJournalRow(stored);
    if (!row) continue;
    const [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, text, version] = row;
    if (!withSecrets && holdsSecrets(type)) continue;
    const key = [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, version];
    yield { name: "journal", key, text, body: null } as const;
  }
}

function knownShape(db: DatabaseSync): number {
  const shape = readShape(db);
  if (shape === null) throw damaged("The database has no shape.");
  if (shape > latest(MIGRATIONS)) {
    const sentence = "The database was written by a newer Domovoi. Back it up with that version.";
    throw new ControllerError("STORE_UNAVAILABLE", sentence);
  }
  return shape;
}

function readController(db: DatabaseSync): ControllerRecord {
  const row = db.prepare("SELECT body FROM controller").get() as { body: string } | undefined;
  if (!row) throw new ControllerError("STORE_UNAVAILABLE", "There is no home in the database yet.");
  return JSON.parse(row.body);
}

function readSeq(db: DatabaseSync): number {
  const last = db.prepare("SELECT max(seq) AS seq FROM journal").get() as { seq: number | null };
  const meta = db.prepare("SELECT body FROM meta WHERE key = 'last_seq'").get() as { body: string } | undefined;
  return Math.max(last.seq ?? 0, Number(meta?.body ?? 0));
}

function countRows(db: DatabaseSync, table: ContentName): number {
  return (db.prepare(`SELECT count(*) AS rows FROM "${table}"`).get() as { rows: number }).rows;
}

/** Data of the home that an open backup must not have. */
function leftOut(db: DatabaseSync, tables: readonly BackupTable[], secretsDir: string): readonly string[] {
  const names: string[] = tables.filter((table) => isSecret(table) && countRows(db, table) > 0);
  if (secretNames(secretsDir).length > 0) names.push("secrets");
  const keys = db.prepare("SELECT key FROM driver_store").all() as unknown as readonly { key: string }[];
  const drivers = new Set(keys.map(({ key }) => driverOf(key)).filter((driver) => !isOpenDriver(driver)));
  return [...names, ...[...drivers].sort().map((driver) => `driver_store ${driver}`)];
}

function secretNames(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => SECRET_NAME.test(name) && !UNFINISHED.test(name) && statSync(join(directory, name)).isFile())
    .sort();
}

function damaged(what: string): ControllerError {
  const sentence = `${what} It is repaired when the service starts the next time; back it up then.`;
  return new ControllerError("STORE_UNAVAILABLE", sentence);
}

type StoredRecord = readonly [
  id: number,
  body: string,
  sum: number,
  programId: number,
  key: string | null,
  atMs: number,
];

/** Oldest first, as far as the file reads. The trace is not guaranteed, so a damaged record is left out, or all of them. */
function* readTraceRows(path: string): Iterable<TraceRow> {
  if (!existsSync(path)) return;
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    const select = db.prepare(`SELECT r.id, r.body, r.sum, e.program_id, e.key, e.at_ms
      FROM records r JOIN entries e ON e.id = r.entry ORDER BY r.id`);
    select.setReturnArrays(true);
    for (const [id, body, sum, programId, key, atMs] of select.iterate() as unknown as Iterable<StoredRecord>)
      if (sum === rowSum(String(id), body)) yield [programId, key, atMs, body];
  } catch (error) {
    if (!isDamageAtOpen(error)) throw error;
  }
}
