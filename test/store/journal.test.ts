/** Entries as rows of the journal. */

import { expect, test } from "vitest";
import { decodeJournal, encodeJournal } from "../../src/store/journal.ts";
import { CAUSE, START_MS } from "../support/test-store.ts";
import { report } from "./held-disk.ts";

test("a row of the journal holds at most 512 reports, so that none takes long to read", () => {
  const entries = Array.from({ length: 1100 }, (_, at) => ({
    seq: at + 1,
    atMs: START_MS + at,
    cause: CAUSE,
    change: report(at),
  }));
  const rows = encodeJournal(entries, 0);
  expect(rows.map(([seq, firstSeq]) => [firstSeq, seq])).toEqual([
    [1, 512],
    [513, 1024],
    [1025, 1100],
  ]);
  expect(rows.flatMap(decodeJournal).map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq));
});
