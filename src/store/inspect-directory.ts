/** Reads the database of a data directory whose service does not start, for the support report. Writes nothing. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../util/message-of.ts";
import { latest, MIGRATIONS } from "./database/migrate.ts";
import { openReadOnly } from "./database/open-database.ts";
import { readShape } from "./database/read-tables.ts";
import { STATE_TABLES } from "./database/tables.ts";
import { journalSpan } from "./recording/read-journal.ts";

const PROBLEMS_MAX = 20;

/** Each member is what was found, or why it cannot be read. Rows are counted, never shown. */
export function inspectDirectory(dir: string): object {
  const path = join(dir, "domovoi.sqlite");
  if (!existsSync(path)) return { problem: "There is no database in the directory." };
  const opened = attempt(() => openReadOnly(path));
  if (!("prepare" in opened)) return opened;
  using db = opened;
  const count = (table: string) => attempt(() => rowsOf(table));
  const rowsOf = (table: string) => db.prepare(`SELECT count(*) AS rows FROM "${table}"`).get()?.rows;
  return {
    format: attempt(() => readShape(db)),
    formatOfThisVersion: latest(MIGRATIONS),
    check: attempt(() =>
      db
        .prepare(`PRAGMA quick_check(${PROBLEMS_MAX})`)
        .all()
        .map((row) => row.quick_check),
    ),
    rows: Object.fromEntries([...STATE_TABLES, "journal"].map((table) => [table, count(table)])),
    journal: attempt(() => journalSpan(db)),
  };
}

function attempt<T>(read: () => T): T | { readonly problem: string } {
  try {
    return read();
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
