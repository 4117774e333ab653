/** Rows of an older shape as rows of the present one: of snapshots, and of damaged databases that were never upgraded. */

import type { DatabaseSync } from "node:sqlite";
import { MIGRATIONS, type Migration, migrate } from "./migrate.ts";
import { openInMemory } from "./open-database.ts";
import { readState, readTable, type StateRows } from "./read-tables.ts";
import { rowSum, STATE_TABLES, type StateTable, TABLE_SINCE } from "./tables.ts";

/** The whole state of a database of any shape that is not newer. @throws as `readState` does. */
export function readUpgraded(db: DatabaseSync): StateRows {
  return upgradedRows(readState(db), shapeOf(db)) as StateRows;
}

/** The number of the last step; of a database in which that does not read, the present one. */
export function shapeOf(db: DatabaseSync): number {
  const newest = MIGRATIONS.length;
  try {
    const { shape } = db.prepare("SELECT max(number) AS shape FROM migrations").get() as { shape: number | null };
    return shape ?? newest;
  } catch {
    return newest;
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
    const newer = STATE_TABLES.filter((table) => !isIn(table, shape));
    return { ...Object.fromEntries(newer.map((table) => [table, new Map()])), ...rows };
  }
  using db = openInMemory(migrations.filter(({ number }) => number <= shape));
  for (const table of STATE_TABLES.filter((name) => isIn(name, shape))) {
    const insert = db.prepare(`INSERT INTO "${table}" (key, body, sum) VALUES (?, ?, ?)`);
    for (const [key, body] of rows[table] ?? []) insert.run(key, body, rowSum(key, body));
  }
  migrate(db, migrations);
  const wanted = STATE_TABLES.filter((table) => rows[table] || !isIn(table, shape));
  return Object.fromEntries(wanted.map((table) => [table, readTable(db, table)]));
}

function isIn(table: StateTable, shape: number): boolean {
  return (TABLE_SINCE[table] ?? 0) <= shape;
}
