import { describe, expect, test, vi } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import { Backlog } from "../../src/store/backlog.ts";
import type { StateTable } from "../../src/store/database/tables.ts";
import type { Batch } from "../../src/store/database/write-batch.ts";
import { homeRow, isHomeTable } from "../../src/store/home-tables.ts";
import { decodeJournal } from "../../src/store/journal.ts";
import { WriteFailure } from "../../src/store/journal-thread.ts";
import type { WorkerRequest } from "../../src/store/journal-worker.ts";
import { Writer } from "../../src/store/writer.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, CONTROLLER, nodeAdded, recordingLog, START_MS } from "../support/test-store.ts";

/** A disk on which the test releases each write. */
class HeldDisk {
  readonly requests: WorkerRequest[] = [];
  readonly #held: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  request(request: WorkerRequest): Promise<void> {
    this.requests.push(request);
    return new Promise((resolve, reject) => this.#held.push({ resolve, reject }));
  }

  async take(): Promise<void> {
    this.#held.shift()?.resolve();
    await nextTurn();
  }

  async refuse(isDamage = false, isFull = false): Promise<void> {
    this.#held.shift()?.reject(new WriteFailure("disk I/O error", { isDamage, isFull }));
    await nextTurn();
  }

  get isHeld(): boolean {
    return this.#held.length > 0;
  }

  get last(): Batch {
    const request = this.requests.at(-1);
    if (!request || !("batch" in request)) throw new Error("There is no batch.");
    return request.batch;
  }
}

/** Reports that go to the disk without waiting for more. */
const FULL = 20;

function setUp(entriesMax = 1000) {
  const clock = new VirtualClock(START_MS);
  const home = new Home(CONTROLLER);
  const log = recordingLog();
  const disk = new HeldDisk();
  const given: string[] = [];
  const source = (table: StateTable, key: string) => (isHomeTable(table) ? homeRow(home, table, key) : null);
  const backlog = new Backlog(source, 0, 0, entriesMax);
  const touchAll = () => backlog.touch("controller", "controller");
  const writer = new Writer(
    {
      config: { commitIntervalMs: 0, reportFlushMs: 250, reportFlushEntries: FULL },
      clock,
      log,
      backlog,
      thread: disk,
      touchAll,
      reserve: { giveUp: () => given.push("given up") > 0 },
    },
    0,
  );
  const feed = new ChangeFeed(home, clock, 0);
  feed.record(writer.record);
  const commit = (change: Change) => feed.commit(change, CAUSE).seq;
  return { clock, home, log, disk, backlog, writer, commit, given };
}

const folder = (name: string): Change => ({ type: "folder-added", folder: { address: name, name, parent: null } });
const lamp = nodeAdded("lamp");
const report = (value: number): Change => ({
  type: "property-changed",
  address: "lamp",
  property: { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: START_MS },
});
const entriesOf = (batch: Batch) => batch.journal.flatMap(decodeJournal).map(({ seq }) => seq);
const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
const outcome = (promise: Promise<void>) =>
  promise.then(
    () => "on disk",
    (error: { code: string }) => error.code,
  );

describe("group commit", () => {
  test("lets all edits of one turn share a commit", async () => {
    const { disk, commit } = setUp();
    commit(folder("a"));
    commit(folder("b"));
    await nextTurn();
    expect(disk.requests).toHaveLength(1);
    expect(entriesOf(disk.last)).toEqual([1, 2]);
  });

  test("lets everything that arrives while the disk is busy share the next commit", async () => {
    const { disk, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    for (const name of ["b", "c", "d"]) commit(folder(name));
    await nextTurn();
    expect(disk.requests).toHaveLength(1);
    await disk.take();
    expect(entriesOf(disk.last)).toEqual([2, 3, 4]);
  });

  test("lets a few reports wait for company, and a commit's worth of them for nothing", async () => {
    const { clock, disk, commit } = setUp();
    for (let value = 1; value < FULL; value += 1) commit(report(value));
    await nextTurn();
    expect(disk.requests).toHaveLength(0);
    commit(report(FULL));
    await nextTurn();
    expect(entriesOf(disk.last)).toHaveLength(FULL);
    commit(report(FULL + 1));
    await disk.take();
    expect(disk.requests).toHaveLength(1);
    await clock.advance(250);
    await nextTurn();
    expect(disk.requests).toHaveLength(2);
  });

  test("lets reports that came while the disk was busy go at once when they are a commit's worth", async () => {
    const { disk, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    for (let value = 1; value <= FULL; value += 1) commit(report(value));
    await disk.take();
    expect(entriesOf(disk.last)).toHaveLength(FULL);
  });

  test("acknowledges a write when the disk has it, and not before", async () => {
    const { disk, writer, commit } = setUp();
    const onDisk = vi.fn();
    const committed = writer.committed(commit(folder("a"))).then(onDisk);
    await nextTurn();
    expect(onDisk).not.toHaveBeenCalled();
    await disk.take();
    await committed;
    expect(onDisk).toHaveBeenCalled();
  });

  test("takes along what follows from its entries, however late that is worked out", async () => {
    const { disk, writer, commit } = setUp();
    const consequences = [folder("b"), folder("c")];
    writer.beforeCommit(() => {
      for (const change of consequences.splice(0)) commit(change);
    });
    commit(folder("a"));
    await nextTurn();
    expect(disk.requests).toHaveLength(1);
    expect(entriesOf(disk.last)).toEqual([1, 2, 3]);
  });

  test("keeps reports for company, and no longer than their time", async () => {
    const { disk, clock, commit } = setUp();
    commit(report(1));
    await clock.advance(249);
    expect(disk.requests).toHaveLength(0);
    await clock.advance(1);
    expect(disk.requests).toHaveLength(1);
  });

  test("takes waiting reports along with an edit, in one row", async () => {
    const { disk, commit } = setUp();
    commit(report(1));
    commit(report(2));
    commit(folder("a"));
    await nextTurn();
    expect(disk.last.journal.map(([seq, , , , , , type]) => [seq, type])).toEqual([
      [2, "reports"],
      [3, "folder-added"],
    ]);
  });

  test("writes a report at once when someone waits for it", async () => {
    const { disk, writer, commit } = setUp();
    const committed = writer.committed(commit(report(1)));
    await nextTurn();
    await disk.take();
    expect(await outcome(committed)).toBe("on disk");
  });

  test("does not journal what is transient, and counts it as written", async () => {
    const { disk, writer, commit } = setUp();
    expect(await outcome(writer.committed(commit({ type: "busy-changed", busy: true })))).toBe("on disk");
    expect(disk.requests).toHaveLength(0);
  });
});

describe("waiting for state rows", () => {
  test("ends at once when nothing is left to write", async () => {
    const { writer } = setUp();
    expect(
      await outcome(Promise.race([writer.saved(), nextTurn().then(() => Promise.reject({ code: "hangs" }))])),
    ).toBe("on disk");
  });

  test("ends with the batch on its way when that holds the last of them", async () => {
    const { disk, writer } = setUp();
    writer.touch("controller", "controller");
    void writer.saved();
    await nextTurn();
    let isSaved = false;
    const saved = writer.saved().then(() => {
      isSaved = true;
    });
    await nextTurn();
    expect(isSaved).toBe(false);
    await disk.take();
    await saved;
    expect(disk.requests).toHaveLength(1);
  });

  test("fails with the batch on its way", async () => {
    const { disk, writer } = setUp();
    writer.touch("controller", "controller");
    const first = outcome(writer.saved());
    await nextTurn();
    const second = outcome(writer.saved());
    await disk.refuse();
    expect([await first, await second]).toEqual(["STORE_UNAVAILABLE", "STORE_UNAVAILABLE"]);
  });

  test("takes along a row that was touched while another batch was on its way", async () => {
    const { disk, writer, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    writer.touch("controller", "controller");
    const whenSettled = vi.fn();
    const settled = writer.settled().then(whenSettled);
    await disk.take();
    expect(whenSettled).not.toHaveBeenCalled();
    expect(disk.last.puts.map(([table]) => table)).toEqual(["controller"]);
    await disk.take();
    await settled;
  });
});

test("a wait for an entry ends with the commit that holds it, and a wait for a later one does not", async () => {
  const { disk, writer, commit } = setUp();
  const first = outcome(writer.committed(commit(folder("a"))));
  await nextTurn();
  const whenSecond = vi.fn();
  const second = writer.committed(commit(folder("b"))).then(whenSecond);
  await disk.take();
  expect(await Promise.race([first, nextTurn().then(() => "late")])).toBe("on disk");
  expect(whenSecond).not.toHaveBeenCalled();
  await disk.take();
  await second;
});

describe("other work of the thread", () => {
  test("is done one at a time, however many come while a write is on its way", async () => {
    const { disk, writer, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    let atOnce = 0;
    let most = 0;
    const work = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await nextTurn();
      atOnce -= 1;
    };
    const all = Promise.all(Array.from({ length: 8 }, () => writer.exclusively(work)));
    await disk.take();
    await all;
    expect(most).toBe(1);
  });

  test.each([
    ["a retry after a refused write", folder("a")],
    ["reports that waited for more", report(1)],
  ])("that follows without a pause does not hold up %s", async (what, change) => {
    const { clock, disk, writer, commit } = setUp();
    commit(change);
    await nextTurn();
    if (what.startsWith("a retry")) await disk.refuse();
    const before = disk.requests.length;
    for (let turn = 0; turn < 5 && disk.requests.length === before; turn += 1) {
      void writer.exclusively(
        () => Promise.resolve().then(() => clock.advance(300)),
        () => true,
      );
      await nextTurn();
    }
    expect(disk.requests).toHaveLength(before + 1);
  });

  test("that the disk holds up is named in the log when a write waits for it", async () => {
    const { clock, log, writer, commit } = setUp();
    void writer.exclusively(() => new Promise(() => {}));
    await clock.advance(60_000);
    expect(log.lines).toEqual([]);
    void writer.committed(commit(folder("a")));
    await clock.advance(3000);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["warn", "A write to the disk has taken several seconds so far. Devices and programs keep working."],
    ]);
  });
});

test("a close waits for the write on its way before it writes the rest", async () => {
  const { disk, writer, commit } = setUp();
  commit(folder("a"));
  await nextTurn();
  commit(folder("b"));
  const closed = writer.close();
  await nextTurn();
  expect(disk.requests).toHaveLength(1);
  await disk.take();
  await disk.take();
  expect(await closed).toBe(true);
  expect(entriesOf(disk.last)).toEqual([2]);
});

test("a close waits for other work that began behind the write on its way", async () => {
  const { disk, writer, commit } = setUp();
  commit(folder("a"));
  await nextTurn();
  const work = writer.exclusively(() => disk.request({ kind: "snapshot", nowMs: 1 }));
  const closed = vi.fn();
  void writer.close().then(closed);
  await disk.take();
  await nextTurn();
  expect(closed).not.toHaveBeenCalled();
  await disk.take();
  await work;
  await nextTurn();
  expect(closed).toHaveBeenCalledWith(true);
});

test("a close writes a backlog of several batches to its end", async () => {
  const { disk, writer, commit } = setUp(100_000);
  for (let value = 0; value < 20_000; value += 1) commit(report(value));
  const closed = writer.close();
  await nextTurn();
  while (disk.isHeld) await disk.take();
  expect(await closed).toBe(true);
  expect(disk.requests.flatMap((request) => ("batch" in request ? entriesOf(request.batch) : []))).toHaveLength(20_000);
});

describe("a disk that does not take writes", () => {
  test("is reported to waiting callers, and everything is retained", async () => {
    const { disk, clock, writer, commit } = setUp();
    const committed = outcome(writer.committed(commit(folder("a"))));
    await nextTurn();
    await disk.refuse();
    expect(await committed).toBe("STORE_UNAVAILABLE");
    commit(folder("b"));
    await clock.advance(200);
    expect(entriesOf(disk.last)).toEqual([1, 2]);
  });

  test("leaves no gap in the numbers of the journal's rows when it is back", async () => {
    const { disk, clock, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    await disk.take();
    commit(folder("b"));
    await nextTurn();
    await disk.refuse();
    commit(folder("c"));
    await clock.advance(200);
    expect(disk.last.journal.map(([seq, firstSeq]) => [firstSeq, seq])).toEqual([
      [2, 2],
      [3, 3],
    ]);
  });

  test("writes what was touched while the write that failed was on its way", async () => {
    const { disk, clock, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    commit(folder("b"));
    await disk.refuse();
    await clock.advance(200);
    expect(disk.last.puts.map(([table, key]) => `${table} ${key}`)).toEqual(["folders a", "folders b"]);
  });

  test("costs the reserve when it is full, and only then", async () => {
    const { disk, clock, commit, given } = setUp();
    commit(folder("a"));
    await nextTurn();
    await disk.refuse();
    expect(given).toEqual([]);
    await clock.advance(200);
    await disk.refuse(false, true);
    expect(given).toEqual(["given up"]);
  });

  test("is refused at once to those who come while it is away", async () => {
    const { disk, writer, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    await disk.refuse();
    expect(await outcome(writer.committed(commit(folder("b"))))).toBe("STORE_UNAVAILABLE");
  });

  test("is named once when lost and once when back", async () => {
    const { disk, clock, log, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    for (let tries = 0; tries < 5; tries += 1) {
      await disk.refuse();
      await clock.advance(5000);
    }
    await disk.take();
    expect(log.lines.map(({ level }) => level)).toEqual(["error", "info"]);
  });

  test("is tried ever more rarely, at least every second", async () => {
    const { disk, clock, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    for (let tenths = 0; tenths < 600; tenths += 1) {
      await disk.refuse();
      await clock.advance(100);
    }
    expect(disk.requests.length).toBeGreaterThan(55);
    expect(disk.requests.length).toBeLessThan(65);
  });

  test("gets the latest value of a property when it is back", async () => {
    const { disk, clock, commit } = setUp();
    commit(lamp);
    commit(report(1));
    await nextTurn();
    await disk.refuse();
    commit(report(2));
    await clock.advance(100);
    const rows = disk.last.puts.filter(([table]) => table === "properties");
    expect(rows.map(([, , body]) => JSON.parse(body).properties[0].value)).toEqual([2]);
  });

  test("costs bounded memory: the oldest reports go, edits stay, and the gap is written down", async () => {
    const { disk, clock, commit } = setUp(100);
    commit(folder("kept"));
    await nextTurn();
    await disk.refuse();
    for (let value = 0; value < 500; value += 1) commit(report(value));
    await clock.advance(100);
    const items = disk.last.journal.flatMap(decodeJournal);
    const dropped = items.reduce((sum, item) => sum + ("dropped" in item ? item.dropped : 0), 0);
    const entries = items.filter((item) => "change" in item);
    expect(items.length).toBeLessThanOrEqual(101);
    expect(entries[0]?.seq).toBe(1);
    expect(entries.length + dropped).toBe(501);
  });

  test("costs bounded memory also for the entries that it gave back", async () => {
    const { disk, backlog, commit } = setUp(100);
    commit(folder("kept"));
    for (let value = 0; value < 99; value += 1) commit(report(value));
    await nextTurn();
    for (let value = 0; value < 99; value += 1) commit(report(value));
    await disk.refuse();
    // The newer half, the edit of the older one, and the gap.
    expect(backlog.size).toBe(102);
  });

  test("puts the gap where the reports were: before later edits", async () => {
    const { disk, commit } = setUp(8);
    const newer = [4, 5, 6, 7, 8].map(report);
    for (const change of [report(1), report(2), report(3), folder("a"), ...newer]) commit(change);
    await nextTurn();
    const items = disk.last.journal.flatMap(decodeJournal);
    expect(items.map((item) => ("dropped" in item ? `${item.dropped} to ${item.seq}` : item.seq))).toEqual([
      "3 to 3",
      ...[4, 5, 6, 7, 8, 9],
    ]);
  });

  test("is named when it merely hangs", async () => {
    const { disk, clock, log, commit } = setUp();
    commit(folder("a"));
    await nextTurn();
    await clock.advance(3000);
    await disk.take();
    expect(log.lines.map(({ level }) => level)).toEqual(["warn", "info"]);
  });

  test("keeps the order of a row removed before and added after a failure", async () => {
    const { disk, clock, commit } = setUp();
    for (const name of ["a", "b"]) commit(folder(name));
    await nextTurn();
    await disk.take();
    commit({ type: "folder-removed", address: "a" });
    await nextTurn();
    await disk.refuse();
    commit(folder("a"));
    await clock.advance(100);
    expect(disk.last.deletes).toEqual([["folders", "a"]]);
    expect(disk.last.puts.filter(([table]) => table === "folders").map(([, key]) => key)).toEqual(["a"]);
  });

  test("ends a close that cannot write, without waiting for it for ever", async () => {
    const { disk, writer, commit } = setUp();
    commit(folder("a"));
    const closed = writer.close();
    await nextTurn();
    await disk.refuse();
    expect(await closed).toBe(false);
  });
});

test("a database found damaged while running is rebuilt from the whole state", async () => {
  const { disk, clock, commit } = setUp();
  commit(folder("a"));
  await nextTurn();
  await disk.refuse(true);
  await clock.advance(100);
  expect(disk.requests.map(({ kind }) => kind)).toEqual(["write", "rebuild"]);
  expect(disk.last.puts.map(([table]) => table)).toEqual(["controller", "folders"]);
});
