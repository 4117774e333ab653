/** Entries as rows of the journal. */

import { describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { decodeJournal, encodeJournal } from "../../src/store/journal.ts";
import { CAUSE, START_MS } from "../support/test-store.ts";

const report = (value: number): Change => ({
  type: "property-changed",
  address: "lamp",
  property: { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: START_MS },
});

describe("reports in a row of the journal", () => {
  const entries = Array.from({ length: 1100 }, (_, at) => ({
    seq: at + 1,
    atMs: START_MS + at,
    cause: CAUSE,
    change: report(at),
  }));

  test("share it with at most 511 others, so that none takes long to read", () => {
    const rows = encodeJournal(entries, 0);
    expect(rows.map(([seq, firstSeq]) => [firstSeq, seq])).toEqual([
      [1, 512],
      [513, 1024],
      [1025, 1100],
    ]);
    expect(rows.flatMap(decodeJournal).map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq));
  });
});
