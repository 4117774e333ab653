/**
 * The steps that bring a database to the newest shape, all in one transaction, and the check that its shape is still what was
 * written. Steps are never edited once released: the shape of a database is a checksum over the very text of its statements.
 */

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { ControllerError } from "../../errors.ts";
import { DamageError } from "./damage.ts";
import { rowSum, type StateTable } from "./tables.ts";

/** The operations of a step on the rows of the state tables. Checksums are updated. */
type MigratingRows = {
  /** @param edit returns the key and the record that stay, or null for a row that goes. */
  each(table: StateTable, edit: (key: string, record: unknown) => readonly [key: string, record: unknown] | null): void;
  put(table: StateTable, key: string, record: unknown): void;
};

export type Migration = {
  readonly number: number;
  readonly name: string;
  /** SQL statements that change the shape: tables and columns. */
  readonly statements: readonly string[];
  /** Converts the rows to the new shape. Rows are moved and rewritten here, never by statements. */
  readonly rows?: (rows: MigratingRows) => void;
};

/** Rows keep the order in which they came. `body` is JSON (SQLite reads into it with `->>`), `sum` guards key and body. */
const stateTable = (name: string) =>
  `CREATE TABLE ${name} (key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT`;

const JOURNAL = `CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    first_seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    cause_kind TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    cause_by TEXT,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT`;

/** A table per resource, and the journal. */
const FIRST_TABLES = [
  ...["meta", "controller", "folders", "groups", "nodes", "properties", "programs", "program_runs", "variables"],
  ...["network_resources", "accounts", "sessions", "known_devices", "driver_store"],
];

/** All steps, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "first-tables", statements: [...FIRST_TABLES.map((name) => stateTable(`"${name}"`)), JOURNAL] },
  { number: 2, name: "program-progress", statements: [stateTable("program_progress")] },
  { number: 3, name: "told-documents", statements: [stateTable("told_documents")] },
  { number: 4, name: "integrations", statements: [stateTable("integrations")] },
  { number: 5, name: "edits", statements: [stateTable("hidden_nodes"), stateTable("edits")] },
  {
    number: 6,
    name: "journal-versions",
    statements: ["ALTER TABLE journal ADD COLUMN version INTEGER NOT NULL DEFAULT 1"],
  },
  { number: 7, name: "program-holds", statements: [stateTable("program_holds")] },
];

const OWN_TABLE = `CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, shape INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT`;

type Applied = { readonly number: number; readonly name: string; readonly shape: number; readonly sum: number };

/**
 * Applies all missing steps in one transaction. After an error, close the database: SQLite then rolls the transaction back.
 * @param migrations all steps in order; the default is what the service uses.
 * @throws ControllerError STORE_UNAVAILABLE for a database of a newer program.
 * @throws DamageError when the list of steps or the shape itself is not what was written.
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  const before = shapeNumber(db, migrations) ?? 0;
  const missing = migrations.filter(({ number }) => number > before);
  if (missing.length === 0) return;
  db.exec("BEGIN IMMEDIATE");
  db.exec(OWN_TABLE);
  for (const migration of missing) apply(db, migration);
  db.exec("COMMIT");
}

/**
 * The step that made the database what it is; null for one that is empty.
 * @throws as `migrate` does.
 */
export function shapeNumber(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): number | null {
  const applied = readApplied(db);
  if (!applied) return null;
  if (applied.sum !== sumOf(applied)) throw new DamageError("The list of migrations is damaged.");
  if (applied.number > latest(migrations)) throw newerDatabase(applied.name);
  if (applied.shape !== shapeOf(db)) throw new DamageError("The shape of the database is damaged.");
  return applied.number;
}

export function latest(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.number ?? 0;
}

function readApplied(db: DatabaseSync): Applied | null {
  const known = db.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  if (known.tables === 0) return null;
  return (db.prepare("SELECT * FROM migrations ORDER BY number DESC LIMIT 1").get() as Applied | undefined) ?? null;
}

function apply(db: DatabaseSync, { number, name, statements, rows }: Migration): void {
  for (const statement of statements) db.exec(statement);
  rows?.(migratingRows(db));
  const applied = { number, name, shape: shapeOf(db) };
  const insert = db.prepare("INSERT INTO migrations (number, name, shape, sum) VALUES (?, ?, ?, ?)");
  insert.run(number, name, applied.shape, sumOf(applied));
}

function migratingRows(db: DatabaseSync): MigratingRows {
  const put = (table: StateTable, key: string, record: unknown) => {
    const body = JSON.stringify(record);
    const statement = `INSERT INTO "${table}" (key, body, sum) VALUES (?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET body = excluded.body, sum = excluded.sum`;
    db.prepare(statement).run(key, body, rowSum(key, body));
  };
  return {
    each(table, edit) {
      // All of them first: a row that is put meanwhile must not come by again.
      const all = db.prepare(`SELECT key, body, sum FROM "${table}" ORDER BY rowid`).all() as unknown as StoredRow[];
      for (const { key, body, sum } of all) {
        if (sum !== rowSum(key, body)) throw new DamageError(`A row of the table ${table} is damaged.`);
        const edited = edit(key, JSON.parse(body));
        if (edited?.[0] !== key) db.prepare(`DELETE FROM "${table}" WHERE key = ?`).run(key);
        if (edited) put(table, ...edited);
      }
    },
    put,
  };
}

type StoredRow = { readonly key: string; readonly body: string; readonly sum: number };

/** A checksum of all table definitions: a flipped bit there would otherwise change what a table accepts. */
function shapeOf(db: DatabaseSync): number {
  const definitions = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  return crc32(JSON.stringify(definitions));
}

function sumOf({ number, name, shape }: Omit<Applied, "sum">): number {
  return crc32(`${number} ${name} ${shape}`);
}

function newerDatabase(step: string): ControllerError {
  return new ControllerError(
    "STORE_UNAVAILABLE",
    `The database in the data directory was written by a newer Domovoi (its last step is "${step}"). Start that version, or put the copy from before the upgrade in its place (docs/operations.md).`,
  );
}
