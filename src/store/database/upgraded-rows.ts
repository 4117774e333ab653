/** Rows of an older shape as rows of the present one: of snapshots, and of damaged databases that were never upgraded. */

import type { DatabaseSync } from "node:sqlite";
import { MIGRATIONS, type Migration, migrate } from "./migrate.ts";
import { openInMemory, openUnchanging } from "./open-database.ts";
import { readShape, readState, readTable, type StateRows } from "./read-tables.ts";
import { isInShape, rowSum, STATE_TABLES } from "./tables.ts";

/** The whole state of a database of any shape that is not newer. @throws as `readState` does. */
export function readUpgraded(db: DatabaseSync): StateRows {
  return upgradedRows(readState(db), shapeOrNewest(db)) as StateRows;
}

/** The state in a snapshot, of any shape that is not newer; null when it does not read. */
export function readSnapshot(path: string): StateRows | null {
  try {
    using db = openUnchanging(path);
    return readUpgraded(db);
  } catch {
    return null;
  }
}

/** The number of the last step; of a database in which that does not read, the present one. */
export function shapeOrNewest(db: DatabaseSync): number {
  try {
    return readShape(db) ?? MIGRATIONS.length;
  } catch {
    return MIGRATIONS.length;
  }
}

/**
 * @param rows of some tables or of all.
 * @param shape in which they were written.
 * @returns the same tables, and those that are newer than the shape.
 */
export function upgradedRows(
  rows: Partial<StateRows>,
  shape: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Partial<StateRows> {
  if (!migrations.some((migration) => migration.number > shape && migration.rows)) {
    const newer = STATE_TABLES.filter((table) => !isInShape(table, shape));
    return { ...Object.fromEntries(newer.map((table) => [table, new Map()])), ...rows };
  }
  using db = openInMemory(migrations.filter(({ number }) => number <= shape));
  for (const table of STATE_TABLES.filter((name) => isInShape(name, shape))) {
    const insert = db.prepare(`INSERT INTO "${table}" (key, body, sum) VALUES (?, ?, ?)`);
    for (const [key, body] of rows[table] ?? []) insert.run(key, body, rowSum(key, body));
  }
  migrate(db, migrations);
  const wanted = STATE_TABLES.filter((table) => rows[table] || !isInShape(table, shape));
  return Object.fromEntries(wanted.map((table) => [table, readTable(db, table)]));
}
