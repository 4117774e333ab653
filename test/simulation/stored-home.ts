/**
 * The data directory of a service that has ended, however it ended, read without it: is every row sound, does the
 * journal run without gaps, and do the state tables hold exactly what the whole journal adds up to?
 */

import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyEntry } from "../../src/home/apply-change.ts";
import { Home } from "../../src/home/home.ts";
import { readState, salvageJournal } from "../../src/store/database/read-tables.ts";
import { homeOf } from "../../src/store/home-tables.ts";
import { decodeJournal } from "../../src/store/journal.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { temporaryDirectory } from "../support/test-store.ts";

type StoredHome = {
  readonly loaded: Home;
  readonly home: ReturnType<typeof homeSnapshot>;
  /** The home according to the journal, from its first entry on. */
  readonly replayed: ReturnType<typeof homeSnapshot>;
  readonly entries: number;
  /** Entries of one request of which some are missing would stand out by their numbers. */
  readonly gaps: readonly number[];
};

/** Works on a copy, read-only. @throws DamageError for a row that is not sound. */
export function readStoredHome(data: string): StoredHome {
  const copy = temporaryDirectory();
  for (const name of ["domovoi.sqlite", "domovoi.sqlite-wal"]) {
    if (existsSync(join(data, name))) copyFileSync(join(data, name), join(copy, name));
  }
  const db = new DatabaseSync(join(copy, "domovoi.sqlite"), { readOnly: true });
  try {
    const verdict = db.prepare("PRAGMA integrity_check").get();
    if (verdict?.integrity_check !== "ok") throw new Error(`The database is damaged: ${verdict?.integrity_check}`);
    return compare(db);
  } finally {
    db.close();
  }
}

function compare(db: DatabaseSync): StoredHome {
  const home = homeOf(readState(db));
  const { rows, complete } = salvageJournal(db);
  if (!home || !complete) throw new Error("The home or a part of its journal cannot be read.");
  const replayed = new Home(home.controller);
  let entries = 0;
  for (const item of rows.flatMap(decodeJournal)) {
    if ("dropped" in item) throw new Error("The journal has a gap that memory left.");
    applyEntry(replayed, item);
    entries += 1;
  }
  const gaps = rows.filter(([, firstSeq], at) => firstSeq !== (rows[at - 1]?.[0] ?? 0) + 1).map(([seq]) => seq);
  return { loaded: home, home: homeSnapshot(home), replayed: homeSnapshot(replayed), entries, gaps };
}
