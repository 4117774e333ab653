/** Writes that the disk refuses, loses or holds up. */

import { describe, expect, test } from "vitest";
import { decodeJournal } from "../../src/store/journal.ts";
import { entriesOf, folder, lamp, nextTurn, outcome, report, setUp } from "./held-disk.ts";

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

  test("costs bounded memory also for the entries that a failed write gives back", async () => {
    const { disk, backlog, commit } = setUp(100);
    commit(folder("kept"));
    for (let value = 0; value < 99; value += 1) commit(report(value));
    await nextTurn();
    for (let value = 0; value < 99; value += 1) commit(report(value));
    await disk.refuse();
    // The newer half, the edit of the older one, and the gap.
    expect(backlog.size).toBe(102);
  });

  test("has the gap of dropped reports before the edits that came after them", async () => {
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
    expect(disk.last.deletes.filter(([table]) => table === "folders")).toEqual([["folders", "a"]]);
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
  await disk.take();
  commit(folder("b"));
  await nextTurn();
  expect(disk.requests.map(({ kind }) => kind)).toEqual(["write", "rebuild", "write"]);
});
