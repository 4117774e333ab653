import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database/open-database.ts";
import type { JournalRow } from "../../src/store/database/tables.ts";
import { type Batch, createBatchWriter, type JournalLimits } from "../../src/store/database/write-batch.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const DAY_MS = 86_400_000;
const BODY = JSON.stringify("x".repeat(1000));

function setUp(limits: JournalLimits) {
  const path = join(temporaryDirectory(), "domovoi.sqlite");
  const db = openDatabase(path);
  const writer = createBatchWriter(db, limits);
  const seqs = () =>
    (db.prepare("SELECT seq FROM journal ORDER BY seq").all() as { seq: number }[]).map(({ seq }) => seq);
  return { path, db, writer, seqs };
}

const row = (seq: number, atMs: number): JournalRow => [seq, seq, atMs, "request", "r", null, "node-renamed", BODY, 2];
const tenRows = (seq: number) => Array.from({ length: 10 }, (_, at) => row(seq + at, 0));
const batch = (nowMs: number, ...journal: readonly JournalRow[]): Batch => ({
  nowMs,
  lastSeq: journal.at(-1)?.[0] ?? 0,
  deletes: [],
  puts: [],
  journal,
});

describe("retention", () => {
  test("drops entries that are older than their days", () => {
    const { writer, seqs } = setUp({ ageMsMax: DAY_MS, bytesMax: 1e9 });
    for (let day = 1; day <= 5; day += 1) writer.write(batch(day * DAY_MS, row(day, day * DAY_MS)));
    expect(seqs()).toEqual([4, 5]);
  });

  test("drops the oldest entries of a journal that is too large", () => {
    const { writer, seqs } = setUp({ ageMsMax: 1e15, bytesMax: 20_000 });
    for (let seq = 1; seq <= 100; seq += 1) writer.write(batch(0, row(seq, 0)));
    expect(seqs().length).toBeGreaterThan(15);
    expect(seqs().length).toBeLessThanOrEqual(20);
    expect(seqs().at(-1)).toBe(100);
  });

  test("goes in small steps that still catch up", () => {
    const { writer, seqs } = setUp({ ageMsMax: DAY_MS, bytesMax: 1e9 });
    writer.write(batch(0, ...Array.from({ length: 300 }, (_, at) => row(at + 1, 0))));
    writer.write(batch(2 * DAY_MS, row(301, 2 * DAY_MS)));
    expect(seqs().length).toBeGreaterThan(200);
    for (let seq = 302; seq < 310; seq += 1) writer.write(batch(2 * DAY_MS, row(seq, 2 * DAY_MS)));
    expect(seqs()[0]).toBe(301);
  });

  test("removes twice what a large commit brought, and leaves the rest to the next one", () => {
    const { writer, seqs } = setUp({ ageMsMax: DAY_MS, bytesMax: 1e9 });
    const rows = (fromSeq: number, count: number, atMs: number) =>
      Array.from({ length: count }, (_, at) => row(fromSeq + at, atMs));
    writer.write(batch(0, ...rows(1, 500, 0)));
    writer.write(batch(2 * DAY_MS, ...rows(501, 100, 2 * DAY_MS)));
    expect(seqs()[0]).toBe(201);
    writer.write(batch(2 * DAY_MS, ...rows(601, 100, 2 * DAY_MS)));
    expect(seqs()[0]).toBe(401);
  });

  test("lets the file stop growing", () => {
    const { path, db, writer } = setUp({ ageMsMax: 1e15, bytesMax: 100_000 });
    const sizes = [1, 2].map((round) => {
      for (let at = 0; at < 50; at += 1) writer.write(batch(0, ...tenRows(round * 1000 + 10 * at)));
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return statSync(path).size;
    });
    expect(sizes[1]).toBeLessThanOrEqual((sizes[0] ?? 0) * 1.05);
  });

  test("knows how large the journal is when it is opened again", () => {
    const { db, writer, seqs } = setUp({ ageMsMax: 1e15, bytesMax: 20_000 });
    for (let seq = 1; seq <= 18; seq += 1) writer.write(batch(0, row(seq, 0)));
    const again = createBatchWriter(db, { ageMsMax: 1e15, bytesMax: 20_000 });
    for (let seq = 19; seq <= 40; seq += 1) again.write(batch(0, row(seq, 0)));
    expect(seqs().length).toBeLessThanOrEqual(20);
  });
});

test("a batch that is written twice leaves one of each row", () => {
  const { db, writer, seqs } = setUp({ ageMsMax: 1e15, bytesMax: 1e9 });
  const twice: Batch = { ...batch(0, row(1, 0)), puts: [["folders", "a", "{}"]] };
  writer.write(twice);
  writer.write(twice);
  expect(seqs()).toEqual([1]);
  expect(db.prepare("SELECT count(*) AS rows FROM folders").get()).toEqual({ rows: 1 });
});

test("a batch that the database refuses leaves nothing behind", () => {
  const { db, writer, seqs } = setUp({ ageMsMax: 1e15, bytesMax: 1e9 });
  db.exec("PRAGMA max_page_count = 1");
  const large = Array.from({ length: 100 }, (_, at) => row(at + 1, 0));
  expect(() => writer.write(batch(0, ...large))).toThrow("full");
  db.exec("PRAGMA max_page_count = 100000");
  writer.write(batch(0, row(1, 0)));
  expect(seqs()).toEqual([1]);
});
