import { describe, expect, test, vi } from "vitest";
import { entriesOf, FULL, folder, nextTurn, outcome, report, setUp } from "./held-disk.ts";

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
