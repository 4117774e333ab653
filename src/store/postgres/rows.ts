/** Batches as parameters of a statement, and rows of the server as the store knows them. */

import { KEYS_WITHIN_ENTRIES, type StateRows } from "../database/read-tables.ts";
import { type JournalRow, STATE_TABLES } from "../database/tables.ts";
import type { Batch, JournalLimits } from "../database/write-batch.ts";
import type { Row, Statements } from "./connection.ts";

/** Secrets by name; null: removed. */
type SecretChanges = ReadonlyMap<string, string | null>;

type Written = Batch & {
  readonly epoch: number;
  /** Commits before this one. */
  readonly commits: number;
  readonly secrets: SecretChanges;
  readonly limits: JournalLimits;
};

export const JOURNAL_ROWS_A_READ = 2000;
const STATE_ROWS_A_READ = 5000;

/** @returns false when nothing was written, see schema.ts. */
export async function writeBatch(statements: Statements, batch: Written): Promise<boolean> {
  const { deletes, puts, journal, secrets, limits } = batch;
  const values = [
    batch.epoch,
    batch.commits,
    batch.lastSeq,
    batch.isWhole === true,
    deletes.map(([table]) => table),
    deletes.map(([, key]) => escaped(key)),
    puts.map(([table]) => table),
    puts.map(([, key]) => escaped(key)),
    puts.map(([, , body]) => body),
    ...columnsOf(journal),
    [...secrets.keys()],
    [...secrets.values()],
    Math.round(batch.nowMs - limits.ageMsMax),
    limits.bytesMax,
  ];
  const places = values.map((_, index) => `$${index + 1}`).join();
  const [row] = await statements.run(`SELECT domovoi.write_batch(${places}) AS done`, values);
  return row?.done === true;
}

/** The texts of a cause come from clients, so they may hold what the server keeps in no text. */
function columnsOf(journal: readonly JournalRow[]): readonly (readonly unknown[])[] {
  return [
    journal.map(([seq]) => seq),
    journal.map(([, firstSeq]) => firstSeq),
    journal.map(([, , atMs]) => atMs),
    journal.map(([, , , kind]) => kind),
    journal.map(([, , , , id]) => escaped(id)),
    journal.map(([, , , , , by]) => (by === null ? null : escaped(by))),
    journal.map((row) => row[6]),
    journal.map((row) => row[7]),
    journal.map((row) => row[8]),
  ];
}

/** Every row of the state, in the order in which they came. */
export async function readState(statements: Statements): Promise<StateRows> {
  const state = Object.fromEntries(STATE_TABLES.map((table) => [table, new Map<string, string>()])) as StateRows;
  let rows: readonly Row[] = [];
  let last = 0;
  do {
    const text = `SELECT tab, key, body, n FROM domovoi.state WHERE n > $1 ORDER BY n LIMIT ${STATE_ROWS_A_READ}`;
    rows = await statements.run(text, [last]);
    for (const { tab, key, body } of rows) state[tab as keyof StateRows]?.set(unescaped(String(key)), String(body));
    last = Number(rows.at(-1)?.n ?? last);
  } while (rows.length === STATE_ROWS_A_READ);
  return state;
}

export async function readJournalAfter(statements: Statements, seq: number): Promise<readonly JournalRow[]> {
  const rows = await statements.run(
    `SELECT * FROM domovoi.journal WHERE seq > $1 ORDER BY seq LIMIT ${JOURNAL_ROWS_A_READ}`,
    [seq],
  );
  return rows.map(journalRowOf);
}

function journalRowOf(row: Row): JournalRow {
  const { seq, first_seq, at_ms, cause_kind, cause_id, cause_by, type, body, version } = row;
  const by = cause_by === null ? null : unescaped(String(cause_by));
  const entry = [String(cause_kind), unescaped(String(cause_id)), by, String(type), String(body)] as const;
  return [Number(seq), Number(first_seq), Number(at_ms), ...entry, Number(version)];
}

export async function holdsHome(statements: Statements): Promise<boolean> {
  return (await statements.run("SELECT 1 FROM domovoi.state WHERE tab = 'controller' LIMIT 1")).length > 0;
}

export async function readLastJournalSeq(statements: Statements): Promise<number> {
  const [row] = await statements.run("SELECT max(seq) AS seq FROM domovoi.journal");
  return Number(row?.seq ?? 0);
}

export async function readWrittenKeys(statements: Statements, lastSeq: number): Promise<readonly string[]> {
  const rows = await statements.run(
    "SELECT DISTINCT cause_id FROM domovoi.journal WHERE seq > $1 AND cause_id LIKE 'key %'",
    [lastSeq - KEYS_WITHIN_ENTRIES],
  );
  return rows.map(({ cause_id }) => unescaped(String(cause_id)));
}

export async function readSecrets(statements: Statements): Promise<ReadonlyMap<string, string>> {
  const rows = await statements.run("SELECT name, body FROM domovoi.secret");
  return new Map(rows.map(({ name, body }) => [String(name), String(body)]));
}

/** A text without the character that PostgreSQL keeps in no text. */
function escaped(text: string): string {
  return text.includes("\0") || text.includes("\\") ? text.replaceAll("\\", "\\\\").replaceAll("\0", "\\0") : text;
}

function unescaped(text: string): string {
  return text.includes("\\") ? text.replace(/\\([\\0])/g, (_, kept) => (kept === "0" ? "\0" : "\\")) : text;
}
