/** The band on which a person moves through the past: how much changed when, and the changes next to an instant. */

import { join } from "node:path";
import { expect, test } from "vitest";
import type { Change, JournalEntry } from "../../src/home/change.ts";
import type { Property } from "../../src/home/property.ts";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { createBatchWriter } from "../../src/store/database/write-batch.ts";
import { encodeJournal } from "../../src/store/journal.ts";
import { readChanges } from "../../src/store/recording/read-changes.ts";
import { CAUSE, CONTROLLER, temporaryDirectory } from "../support/test-store.ts";

const LIMITS = { ageMsMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };
const written: Change = { type: "variable-written", variableType: 2, id: 1, value: 9, before: 3, writtenAtMs: 0 };
/** Alters nothing that a page shows. */
const unshown: Change = { type: "controller-changed", controller: CONTROLLER };

function reported(value: number, before: number | null, uom = 51, uomBefore = 51): Change {
  const property = (raw: number, unit: number): Property => ({
    id: "ST",
    value: raw,
    uom: unit,
    prec: 0,
    text: null,
    changedAtMs: 0,
  });
  return {
    type: "property-changed",
    address: "lamp",
    property: property(value, uom),
    before: before === null ? null : property(before, uomBefore),
  };
}

/** A journal of these changes, numbered in order. */
function journalOf(...changes: readonly (readonly [atMs: number, change: Change])[]) {
  const db = openDatabase(join(temporaryDirectory(), "domovoi.sqlite"));
  const entries = changes.map(([atMs, change], at): JournalEntry => ({ seq: at + 1, atMs, cause: CAUSE, change }));
  const journal = encodeJournal(entries, 0);
  createBatchWriter(db, LIMITS).write({ nowMs: 0, lastSeq: entries.length, deletes: [], puts: [], journal });
  return db;
}

const aDay = () =>
  journalOf(
    [1000, written],
    [2000, unshown],
    [3000, reported(1, null)],
    [4000, reported(1, 1)],
    [5000, reported(2, 1)],
    [6000, written],
  );

test.each([
  { atMs: 100, beforeMs: null, afterMs: 1000 },
  { atMs: 1000, beforeMs: null, afterMs: 3000 },
  { atMs: 2500, beforeMs: 1000, afterMs: 3000 },
  { atMs: 4500, beforeMs: 3000, afterMs: 5000 },
  { atMs: 5000, beforeMs: 3000, afterMs: 6000 },
  { atMs: 6000, beforeMs: 5000, afterMs: null },
  { atMs: 99_000, beforeMs: 6000, afterMs: null },
])("next to $atMs are the changes at $beforeMs and $afterMs; a report that repeats the value is none", (near) => {
  const query = { atMs: near.atMs, fromMs: 0, toMs: 10_000, parts: 10 };
  const { parts: _, ...found } = readChanges(aDay(), query);
  expect(found).toEqual({ beginsMs: 1000, beforeMs: near.beforeMs, afterMs: near.afterMs });
});

test("the same number in another unit is a change", () => {
  const db = journalOf([1000, written], [2000, reported(20, 20, 17, 4)], [3000, written]);
  expect(readChanges(db, { atMs: 3000, fromMs: 0, toMs: 1, parts: 1 }).beforeMs).toBe(2000);
});

test("each part of the span counts its changes, reports that share a row in the part of the last one", () => {
  const query = { atMs: 0, fromMs: 0, toMs: 10_000, parts: 5 };
  expect(readChanges(aDay(), query).parts).toEqual([
    { fromMs: 0, count: 1 },
    { fromMs: 4000, count: 3 },
    { fromMs: 6000, count: 1 },
  ]);
});

test("the begin of the span is in it, its end is not", () => {
  const partsOf = (fromMs: number, toMs: number) => readChanges(aDay(), { atMs: 0, fromMs, toMs, parts: 2 }).parts;
  expect(partsOf(5000, 6000)).toEqual([{ fromMs: 5000, count: 3 }]);
  expect(partsOf(5001, 6001)).toEqual([{ fromMs: 5501, count: 1 }]);
  expect(partsOf(1001, 3000)).toEqual([]);
});

test.each([
  { repeats: 63, beforeMs: 1 },
  { repeats: 64, beforeMs: null },
])("behind $repeats rows that show nothing the change before is at $beforeMs", ({ repeats, beforeMs }) => {
  const quiet = Array.from({ length: repeats }, (_, at) => [
    [10 + 2 * at, unshown] as const,
    [11 + 2 * at, reported(1, 1)] as const,
  ]);
  const db = journalOf([1, written], ...quiet.flat());
  expect(readChanges(db, { atMs: 1000, fromMs: 0, toMs: 1, parts: 1 }).beforeMs).toBe(beforeMs);
});

test("an empty journal has no beginning", () => {
  const nothing = { beginsMs: null, beforeMs: null, afterMs: null, parts: [] };
  expect(readChanges(journalOf(), { atMs: 0, fromMs: 0, toMs: 10, parts: 2 })).toEqual(nothing);
});
