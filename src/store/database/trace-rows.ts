/** The records of a trace file as they were appended, for a backup; read while another connection writes. */

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { TraceRow } from "../../programs/trace/stored-trace.ts";
import { isDamageAtOpen } from "./damage.ts";
import { rowSum } from "./tables.ts";

type StoredRecord = readonly [
  id: number,
  body: string,
  sum: number,
  programId: number,
  key: string | null,
  atMs: number,
];

/** Oldest first, as far as the file reads, without damaged ones; none when it is not there. */
export function* readTraceRows(path: string): Iterable<TraceRow> {
  if (!existsSync(path)) return;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const select = db.prepare(`SELECT r.id, r.body, r.sum, e.program_id, e.key, e.at_ms
      FROM records r JOIN entries e ON e.id = r.entry ORDER BY r.id`);
    select.setReturnArrays(true);
    for (const [id, body, sum, programId, key, atMs] of select.iterate() as unknown as Iterable<StoredRecord>)
      if (sum === rowSum(String(id), body)) yield [programId, key, atMs, body];
  } catch (error) {
    if (!isDamageAtOpen(error)) throw error;
  } finally {
    db.close();
  }
}
