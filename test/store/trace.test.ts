import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TraceQuery, TraceRow } from "../../src/programs/trace/stored-trace.ts";
import { rowSum } from "../../src/store/database/tables.ts";
import { TraceFile } from "../../src/store/database/trace-file.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, openHome, START_MS, temporaryDirectory } from "../support/test-store.ts";

const ALL: TraceQuery = { programId: null, beforeId: null, afterRecordId: null, untilMs: null, limit: 1000 };
const LIMITS = { recordsMax: 1000, bytesMax: 1_000_000 };

function openFile(limits = LIMITS): { readonly file: TraceFile; readonly path: string } {
  const path = join(temporaryDirectory(), "trace.sqlite");
  return { file: new TraceFile(path, limits), path };
}

const row = (programId: number, key: string | null, atMs: number, body = `${programId} ${key} ${atMs}`): TraceRow => {
  return [programId, key, atMs, body];
};

describe("the trace on disk", () => {
  test("puts together what shares a key, newest entry first", () => {
    const { file } = openFile();
    file.append([row(2, "run 1", 10), row(3, null, 11), row(2, "run 1", 12), row(2, "run 2", 13), row(2, "run 1", 14)]);
    const { entries, lastRecordId } = file.read(ALL);
    expect(entries.map(({ id, programId, atMs, bodies }) => [id, programId, atMs, bodies.length])).toEqual([
      [4, 2, 13, 1],
      [2, 3, 11, 1],
      [1, 2, 10, 3],
    ]);
    expect(lastRecordId).toBe(5);
  });

  test("is found by program, by time, by page and by what is new", () => {
    const { file } = openFile();
    file.append([row(2, "a", 10), row(3, "b", 20), row(2, "c", 30), row(3, "b", 40)]);
    const ids = (query: Partial<TraceQuery>) => file.read({ ...ALL, ...query }).entries.map(({ id }) => id);
    expect(ids({ programId: 2 })).toEqual([3, 1]);
    expect(ids({ untilMs: 20 })).toEqual([2, 1]);
    expect(ids({ beforeId: 3, limit: 1 })).toEqual([2]);
    expect(ids({ afterRecordId: 3 })).toEqual([2]);
    expect(ids({ afterRecordId: 4 })).toEqual([]);
  });

  test("adds to a run after a restart", () => {
    const { file, path } = openFile();
    file.append([row(2, "run", 10)]);
    file.close();
    const again = new TraceFile(path, LIMITS);
    again.append([row(2, "run", 20)]);
    expect(again.read(ALL).entries.map(({ bodies }) => bodies.length)).toEqual([2]);
  });

  test("never holds more than its limits, and always the newest", () => {
    const batch = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", null), fc.string({ maxLength: 200 })), {
      maxLength: 60,
    });
    const limits = { recordsMax: 50, bytesMax: 4000 };
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
        const { file } = openFile(limits);
        const rows = batches.map((items) => items.map(([key, body], at) => row(1, key, at, body.toWellFormed())));
        for (const items of rows) file.append(items);
        const kept = file.read(ALL).entries.flatMap(({ bodies }) => bodies);
        const bodies = rows.flat().map(([, , , body]) => body);
        expect(kept.length).toBeLessThanOrEqual(limits.recordsMax);
        expect([...kept].sort()).toEqual(kept.length === 0 ? [] : bodies.slice(-kept.length).sort());
        expect(kept.reduce((sum, body) => sum + Buffer.byteLength(body), 0)).toBeLessThanOrEqual(4000 + 800);
        file.close();
      }),
      { numRuns: 20 },
    );
  });

  test("a program that runs all the time pushes out nothing of the others", () => {
    const { file, path } = openFile({ recordsMax: 200, bytesMax: 1_000_000 });
    const quiet = Array.from({ length: 20 }, (_, index) => row(index + 10, `quiet ${index}`, 1));
    file.append(quiet);
    for (let at = 2; at < 40; at += 1)
      file.append(Array.from({ length: 50 }, (_, index) => row(2, `run ${at} ${index}`, at)));
    file.close();
    const again = new TraceFile(path, { recordsMax: 200, bytesMax: 1_000_000 });
    again.append([row(3, null, 50)]);
    const { entries } = again.read(ALL);
    expect(entries).toHaveLength(200);
    expect(entries.filter(({ programId }) => programId >= 10)).toHaveLength(20);
    expect(entries.filter(({ programId }) => programId === 2).at(-1)?.atMs).toBeGreaterThan(35);
  });

  test("nor by long records", () => {
    const { file } = openFile({ recordsMax: 1000, bytesMax: 10_000 });
    file.append([row(3, null, 1, "x".repeat(2000)), row(4, null, 1, "short")]);
    for (let at = 2; at < 100; at += 1) file.append([row(2, null, at, "y".repeat(1000))]);
    const bodies = file.read(ALL).entries.flatMap(({ bodies: each }) => each);
    expect(bodies.reduce((sum, body) => sum + body.length, 0)).toBeLessThanOrEqual(10_000);
    expect(bodies.filter((body) => !body.startsWith("y"))).toEqual(["short", "x".repeat(2000)]);
  });

  test("a program keeps its newest record, however long it is", () => {
    const { file } = openFile({ recordsMax: 1000, bytesMax: 100 });
    for (const at of [1, 2, 3]) file.append([row(2, null, at, "x".repeat(400))]);
    file.append([row(3, null, 4, "y".repeat(400))]);
    expect(file.read(ALL).entries.map(({ programId, atMs }) => [programId, atMs])).toEqual([
      [3, 4],
      [2, 3],
    ]);
  });

  test("reads a file of the version before", () => {
    const path = join(temporaryDirectory(), "trace.sqlite");
    writeFormerTrace(path);
    const file = new TraceFile(path, LIMITS);
    file.append([row(3, "run 2", 30)]);
    expect(file.read(ALL).entries.map(({ id, programId, bodies }) => [id, programId, bodies])).toEqual([
      [3, 3, ["3 run 2 30"]],
      [1, 2, ["first", "second"]],
    ]);
    expect(existsSync(`${path}.damaged`)).toBe(false);
  });

  test("sets a damaged file aside and goes on with a new one", () => {
    const { file, path } = openFile();
    writeFileSync(path, Buffer.alloc(8192, "this is no database"));
    file.append([row(2, "run", 10)]);
    expect(file.read(ALL).entries).toHaveLength(1);
    expect(existsSync(`${path}.damaged`)).toBe(true);
  });
});

describe("the trace of the store", () => {
  test("is read back after a restart", async () => {
    const dir = temporaryDirectory();
    const first = await openHome(dir);
    first.store.trace.append(row(2, "run", 10));
    await first.close();
    const { store } = await openHome(dir);
    expect((await store.trace.read(ALL)).entries.map(({ bodies }) => bodies)).toEqual([["2 run 10"]]);
  });

  test("is read by many at once beside the journal's writes", async () => {
    const { store, feed, write } = await openHome(temporaryDirectory());
    store.trace.append(row(2, "run", 10));
    feed.commit({ type: "folder-added", folder: { address: "a", name: "A", parent: null } }, CAUSE);
    const pages = Promise.all(Array.from({ length: 8 }, () => store.trace.read(ALL)));
    await write({ type: "folder-added", folder: { address: "b", name: "B", parent: null } });
    expect((await pages).map(({ entries }) => entries.length)).toEqual(Array(8).fill(1));
  });

  test("is read by many without a write that waits for all of them", async () => {
    const { store, write, close } = await openHome(temporaryDirectory());
    store.trace.append(row(2, "run", 1));
    let read = 0;
    const reads = Array.from({ length: 50 }, () => store.trace.read(ALL).then(() => (read += 1)));
    await reads[0];
    await write({ type: "folder-added", folder: { address: "x", name: "X", parent: null } });
    expect(read).toBeLessThan(10);
    await Promise.all(reads);
    await close();
  });

  test("does not keep the service from starting when it is damaged", async () => {
    const dir = temporaryDirectory();
    await (await openHome(dir)).close();
    writeFileSync(join(dir, "trace.sqlite"), "not a database at all".repeat(100));
    const { store, log } = await openHome(dir);
    store.trace.append(row(2, "run", 10));
    expect((await store.trace.read(ALL)).entries).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("drops what comes faster than the disk takes it, and says how much", async () => {
    const { store, log } = await openHome(temporaryDirectory(), { settings: { traceBacklogMax: 100 } });
    for (let at = 0; at < 150; at += 1) store.trace.append(row(2, null, at));
    expect((await store.trace.read(ALL)).entries).toHaveLength(100);
    expect(log.lines.map(({ fields }) => fields)).toContainEqual({ recordsDropped: 50 });
  });

  test("but not the few records of a program beside one that does much", async () => {
    const { store } = await openHome(temporaryDirectory(), { settings: { traceBacklogMax: 100 } });
    for (let at = 0; at < 150; at += 1) store.trace.append(row(2, null, at));
    for (let id = 10; id < 110; id += 1) store.trace.append(row(id, null, 150));
    expect((await store.trace.read(ALL)).entries.filter(({ programId }) => programId >= 10)).toHaveLength(100);
  });

  test("but never what is to be kept", async () => {
    const { store } = await openHome(temporaryDirectory(), { settings: { traceBacklogMax: 100 } });
    for (let at = 0; at < 150; at += 1) store.trace.append(row(2, null, at));
    store.trace.append(row(3, null, 150), "kept");
    expect((await store.trace.read({ ...ALL, programId: 3 })).entries).toHaveLength(1);
  });

  test("is written after a while without a request, and reports that it has grown", async () => {
    const clock = new VirtualClock(START_MS);
    const { store } = await openHome(temporaryDirectory(), { clock });
    const grown = new Promise<void>((resolve) => void store.trace.onceGrown(resolve));
    store.trace.append(row(2, "run", 10));
    await clock.advance(250);
    await grown;
    expect((await store.trace.read({ ...ALL, afterRecordId: 0 })).lastRecordId).toBe(1);
  });

  test("reports once that it has grown, to the readers that still wait", async () => {
    const { store } = await openHome(temporaryDirectory());
    const called: string[] = [];
    const end = store.trace.onceGrown(() => called.push("left"));
    store.trace.onceGrown(() => called.push("waits"));
    end();
    for (const at of [10, 20]) {
      store.trace.append(row(2, "run", at));
      await store.trace.read(ALL);
    }
    expect(called).toEqual(["waits"]);
  });

  test.each([
    ["that later commits follow is written at once", "before-commit", true],
    ["that is only kept waits for more, as any other", "kept", false],
  ] as const)("a record %s", async (_what, importance, isAtOnce) => {
    const dir = temporaryDirectory();
    const { store, write } = await openHome(dir, { clock: new VirtualClock(START_MS) });
    store.trace.append(row(2, "run", 10), importance);
    await write({ type: "folder-added", folder: { address: "f", name: "f", parent: null } });
    expect(existsSync(join(dir, "trace.sqlite"))).toBe(isAtOnce);
  });
});

/** As version 0.1 wrote it. */
function writeFormerTrace(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE entries (id INTEGER PRIMARY KEY, program_id INTEGER NOT NULL, key TEXT, at_ms INTEGER NOT NULL, last_id INTEGER NOT NULL) STRICT;
    CREATE INDEX entries_by_program ON entries (program_id, id);
    CREATE UNIQUE INDEX entries_by_key ON entries (key) WHERE key IS NOT NULL;
    CREATE INDEX entries_by_time ON entries (at_ms);
    CREATE INDEX entries_by_last ON entries (last_id);
    CREATE TABLE records (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, total_bytes INTEGER NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
    CREATE INDEX records_by_entry ON records (entry, id);
    PRAGMA user_version = 1`);
  db.prepare("INSERT INTO entries VALUES (1, 2, 'run 1', 10, 2)").run();
  for (const [id, body] of [
    [1, "first"],
    [2, "second"],
  ] as const)
    db.prepare("INSERT INTO records VALUES (?, 1, ?, ?, ?)").run(id, id * 6, body, rowSum(String(id), body));
  db.close();
}
