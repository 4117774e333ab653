/**
 * Sends a whole home to the main thread, which reads it in pieces, so that a large home does not hold other work up.
 */

import { Home } from "../../home/home.ts";
import { HOME_TABLE_NAMES, HOME_TABLES, type HomeTableName, homeRow } from "../home-tables.ts";

/** The rows of a home, one per line: the name of the table, a space, the record as JSON. */
export type HomeLines = SharedArrayBuffer;

/** Bytes that are read at once, in a millisecond or two. */
const PIECE_BYTES = 65_536;
const LINE_END = 10;

export function linesOf(home: Home): HomeLines {
  let text = "";
  for (const table of HOME_TABLE_NAMES) {
    for (const key of HOME_TABLES[table].keys(home)) {
      const record = homeRow(home, table, String(key));
      if (record !== null) text += `${table} ${record}\n`;
    }
  }
  // Shared memory, because copying it would hold up the other thread too.
  const shared = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(shared).write(text);
  return shared;
}

/** @returns null when the rows contain no controller. */
export async function readHome(lines: HomeLines): Promise<Home | null> {
  const bytes = Buffer.from(lines);
  let home: Home | null = null;
  for (let at = 0, pieceEnd = PIECE_BYTES; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, at);
    const space = bytes.indexOf(" ", at);
    const table = bytes.toString("utf8", at, space) as HomeTableName;
    const record: unknown = JSON.parse(bytes.toString("utf8", space + 1, end));
    // The first row; another one of its table is loaded as others are.
    if (!home && table === "controller") home = new Home(record as Home["controller"]);
    else if (home) load(home, table, record);
    at = end + 1;
    if (at < pieceEnd) continue;
    pieceEnd = at + PIECE_BYTES;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return home;
}

function load(home: Home, table: HomeTableName, record: unknown): void {
  const { load }: { load(home: Home, record: never): void } = HOME_TABLES[table];
  load(home, record as never);
}
