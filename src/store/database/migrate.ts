/**
 * Brings a database to the newest shape, one transaction a step, and tells whether its shape is still what was written.
 * A new step is a file in `migrations/` and a line here; steps are never edited once released.
 */

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { ControllerError } from "../../errors.ts";
import { DamageError } from "./damage.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { programProgress } from "./migrations/0002-program-progress.ts";
import { receivedDocuments } from "./migrations/0003-received-documents.ts";
import { integrations } from "./migrations/0004-integrations.ts";
import { edits } from "./migrations/0005-edits.ts";

export type Migration = { readonly number: number; readonly name: string; readonly statements: readonly string[] };

/** All steps, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "first-tables", statements: firstTables },
  { number: 2, name: "program-progress", statements: programProgress },
  { number: 3, name: "told-documents", statements: receivedDocuments },
  { number: 4, name: "integrations", statements: integrations },
  { number: 5, name: "edits", statements: edits },
];

const OWN_TABLE = `CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, shape INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT`;

type Applied = { readonly number: number; readonly name: string; readonly shape: number; readonly sum: number };

/**
 * @param migrations all steps in order; the default is what the service uses.
 * @throws ControllerError STORE_UNAVAILABLE for a database of a newer program.
 * @throws DamageError when the list of steps or the shape itself is not what was written.
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  const before = checkShape(db, migrations);
  for (const migration of migrations) if (migration.number > (before?.number ?? 0)) apply(db, migration);
}

/** Checks a database that cannot be written. @throws as `migrate` does, and ControllerError when steps are missing. */
export function checkCurrent(db: DatabaseSync): void {
  const applied = checkShape(db, MIGRATIONS);
  if (applied?.number === MIGRATIONS.at(-1)?.number) return;
  const sentence = "The database is of an older Domovoi and cannot be upgraded, because the disk takes no writes.";
  throw new ControllerError("STORE_UNAVAILABLE", { sentence });
}

function checkShape(db: DatabaseSync, migrations: readonly Migration[]): Applied | null {
  const before = readApplied(db);
  if (before) {
    if (before.sum !== sumOf(before)) throw new DamageError("The list of migrations is damaged.");
    if (before.number > (migrations.at(-1)?.number ?? 0)) throw newerDatabase(before.name);
    if (before.shape !== shapeOf(db)) throw new DamageError("The shape of the database is damaged.");
  }
  return before;
}

function readApplied(db: DatabaseSync): Applied | null {
  const known = db.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  if (known.tables === 0) return null;
  return (db.prepare("SELECT * FROM migrations ORDER BY number DESC LIMIT 1").get() as Applied | undefined) ?? null;
}

function apply(db: DatabaseSync, { number, name, statements }: Migration): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(OWN_TABLE);
    for (const statement of statements) db.exec(statement);
    const applied = { number, name, shape: shapeOf(db) };
    const insert = db.prepare("INSERT INTO migrations (number, name, shape, sum) VALUES (?, ?, ?, ?)");
    insert.run(number, name, applied.shape, sumOf(applied));
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** A checksum of all table definitions: a flipped bit there would otherwise change what a table accepts. */
function shapeOf(db: DatabaseSync): number {
  const definitions = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  return crc32(JSON.stringify(definitions));
}

function sumOf({ number, name, shape }: Omit<Applied, "sum">): number {
  return crc32(`${number} ${name} ${shape}`);
}

function newerDatabase(step: string): ControllerError {
  return new ControllerError("STORE_UNAVAILABLE", {
    sentence: `The database in the data directory was written by a newer Domovoi (its last step is "${step}"). Start that version, or restore a copy made before the update.`,
  });
}
