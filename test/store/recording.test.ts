/** The journal as a recording: its entries, its gaps, and the home as it was at an instant. */

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Change, CommandState, Entry } from "../../src/home/change.ts";
import type { Home } from "../../src/home/home.ts";
import { ENTRIES_A_WINDOW } from "../../src/store/database/journal-window.ts";
import { openForSalvage } from "../../src/store/database/open-database.ts";
import { journalSum, type StoredJournalRow } from "../../src/store/database/tables.ts";
import { openRecording, readHomeAt } from "../../src/store/recording/open-recording.ts";
import { journalSpan, readJournal } from "../../src/store/recording/read-journal.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { arbitraryChange } from "../support/arbitrary-changes.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { CAUSE, nodeAdded, openHome, START_MS, stateReported, temporaryDirectory } from "../support/test-store.ts";

const END_MS = START_MS + 1_000_000_000;
const report = (value: number) => stateReported("ZW1_1", value);
const node = nodeAdded("ZW1_1");

const LAST: Change = { type: "folder-added", folder: { address: "last", name: "Last", parent: null } };

/** By another connection to the home's database. */
function writeOutside(dir: string, sql: string): void {
  using db = new DatabaseSync(join(dir, "domovoi.sqlite"));
  db.exec(sql);
}

/** Commits one change a second and waits for the disk after some of them. */
async function live(dir: string, changes: readonly Change[], seen: (home: Home) => void = () => {}): Promise<Entry[]> {
  const clock = new VirtualClock(START_MS);
  const { home, feed, store, close } = await openHome(dir, { clock });
  const entries: Entry[] = [];
  for (const [at, change] of changes.entries()) {
    clock.moveTo(START_MS + 1000 * (at + 1));
    seen(home);
    entries.push(feed.commit(change, CAUSE));
    if (at % 7 === 0) await store.committed(feed.lastSeq);
  }
  await close();
  return entries;
}

function read(dir: string): readonly unknown[] {
  const db = openForSalvage(join(dir, "domovoi.sqlite"));
  try {
    const span = journalSpan(db);
    return span ? [...readJournal(db, 1, span.lastSeq)] : [];
  } finally {
    db.close();
  }
}

function valueAt(dir: string, atMs: number): { readonly value: number | null | undefined; readonly unknown: object } {
  const recording = openRecording(dir, atMs, END_MS);
  try {
    const value = recording.home().nodes.get("ZW1_1")?.properties.get("ST")?.value;
    return { value, unknown: recording.unknown };
  } finally {
    recording[Symbol.dispose]();
  }
}

/** Makes rows as the first version of the journal wrote them: reports do not say what was before. */
function forgetBefore(dir: string): void {
  const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
  const rows = db.prepare("SELECT * FROM journal WHERE type = 'reports'");
  rows.setReturnArrays(true);
  for (const stored of rows.all() as unknown as readonly StoredJournalRow[]) {
    const [seq, firstSeq, atMs, kind, id, by, type, body] = stored;
    const { causes, reports } = JSON.parse(body) as { causes: unknown; reports: readonly unknown[][] };
    const old = JSON.stringify({ causes, reports: reports.map((report) => report.slice(0, 10)) });
    const sum = journalSum([seq, firstSeq, atMs, kind, id, by, type, old, 1]);
    db.prepare("UPDATE journal SET body = ?, sum = ?, version = 1 WHERE seq = ?").run(old, sum, seq);
  }
  db.close();
}

describe("the entries of a journal", () => {
  test("are read back unchanged, packed reports included", async () => {
    const dir = temporaryDirectory();
    const entries = await live(dir, [node, ...Array.from({ length: 1200 }, (_, value) => report(value))]);
    const [first, ...others] = read(dir) as readonly Entry[];
    expect(first?.change.type).toBe("controller-changed");
    expect(others).toEqual(entries);
  });

  test("have one row for a command that ended, and one more for one that waited", async () => {
    const dir = temporaryDirectory();
    const moved = (commandId: string, state: CommandState): Change => {
      return {
        type: "command-moved",
        commandId,
        address: "ZW1_1",
        command: "DON",
        state,
        detail: "",
        acceptedAtMs: START_MS,
      };
    };
    const waited = [moved("b", "accepted"), moved("b", "queued"), moved("b", "acknowledged")];
    await live(dir, [moved("a", "accepted"), moved("a", "failed"), ...waited]);
    const [, ...entries] = read(dir) as readonly Entry[];
    expect(entries.map(({ change }) => change)).toEqual([moved("a", "failed"), ...waited.slice(1)]);
  });

  test("leave a gap where a row is damaged or gone", async () => {
    const dir = temporaryDirectory();
    await live(dir, [node, report(1), { type: "node-renamed", address: "ZW1_1", name: "A" }, report(2), report(3)]);
    const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
    db.exec("UPDATE journal SET body = replace(body, 'Lamp', 'Lump') WHERE type = 'node-added'");
    db.exec("DELETE FROM journal WHERE type = 'node-renamed'");
    db.close();
    const items = read(dir) as readonly (Entry & { readonly dropped?: number })[];
    expect(items.map(({ seq, dropped, change }) => [seq, dropped ?? change.type])).toEqual([
      [1, "controller-changed"],
      [2, 1],
      [3, "property-changed"],
      [4, 1],
      [5, "property-changed"],
      [6, "property-changed"],
    ]);
  });
});

describe("the home at an instant", () => {
  const history = [node, report(1), report(2), report(3), report(4)];

  test("is what it was, after any sequence of changes", async () => {
    const changes = fc.array(arbitraryChange, { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), async (steps, pick) => {
        const dir = temporaryDirectory();
        const at = pick % steps.length;
        const before: object[] = [];
        // Some changes are never journalled, and a recording needs an entry at or after its beginning.
        await live(dir, [...steps, LAST], (home) => before.push(homeSnapshot(home)));
        const recording = openRecording(dir, START_MS + 1000 * (at + 1), END_MS);
        expect(homeSnapshot(recording.home())).toEqual(before[at]);
        recording[Symbol.dispose]();
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  test("is found from a snapshot when the journal does not reach back to the first entry", async () => {
    const dir = temporaryDirectory();
    await live(dir, [node, report(1)]); // A clean stop takes the first snapshot.
    const clock = new VirtualClock(START_MS + 100_000);
    const { write, close } = await openHome(dir, { clock });
    await write(report(2));
    clock.moveTo(START_MS + 200_000);
    await write(report(3));
    await close();
    const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
    db.exec("DELETE FROM journal WHERE seq <= 2");
    db.close();
    const snapshots = () => readdirSync(join(dir, "snapshots"));
    const before = snapshots();
    expect(valueAt(dir, START_MS + 150_000)).toEqual({ value: 2, unknown: { properties: 0, others: 0 } });
    // A reader of a write-ahead log would leave files beside it that nothing removes.
    expect(snapshots()).toEqual(before);
  });

  test("is taken back from the present without one, and says what is unknown", async () => {
    const dir = temporaryDirectory();
    await live(dir, history);
    rmSync(join(dir, "snapshots"), { recursive: true, force: true });
    const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
    db.exec("DELETE FROM journal WHERE seq < (SELECT max(seq) FROM journal)");
    db.close();
    const nothing = { properties: 0, others: 0 };
    expect(valueAt(dir, START_MS + 4500)).toEqual({ value: expect.any(Number), unknown: nothing });
    expect(valueAt(dir, START_MS + 100)).toEqual({ value: undefined, unknown: nothing });
    forgetBefore(dir);
    expect(valueAt(dir, START_MS + 100)).toEqual({ value: undefined, unknown: { properties: 1, others: 0 } });
  });

  test("is taken back to a value of which only the next report says what it was", async () => {
    const dir = temporaryDirectory();
    const clock = new VirtualClock(START_MS);
    const { write, close } = await openHome(dir, { clock });
    for (const [at, change] of history.entries()) {
      clock.moveTo(START_MS + 1000 * (at + 1));
      await write(change);
    }
    await close();
    rmSync(join(dir, "snapshots"), { recursive: true, force: true });
    const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
    db.exec("DELETE FROM journal WHERE seq < (SELECT max(seq) FROM journal) - 1");
    db.close();
    const found = valueAt(dir, START_MS + 3500);
    expect(found).toEqual({ value: 2, unknown: { properties: 0, others: 0 } });
  });

  test("is taken back over edits, which name every thing before and after", async () => {
    const dir = temporaryDirectory();
    const clock = new VirtualClock(START_MS);
    const { feed, store, write, close } = await openHome(dir, { clock });
    await write({ type: "folder-added", folder: { address: "f", name: "Before", parent: null } });
    clock.moveTo(START_MS + 2000);
    const things = [
      {
        kind: "folder",
        key: "f",
        before: { address: "f", name: "Before", parent: null },
        after: { address: "f", name: "After", parent: null },
      },
    ] as const;
    feed.commitEdit({ title: "Rename", undoes: null, things, forgets: [] }, CAUSE);
    await store.committed(feed.lastSeq);
    await close();
    rmSync(join(dir, "snapshots"), { recursive: true, force: true });
    const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
    db.exec("DELETE FROM journal WHERE seq < (SELECT max(seq) FROM journal)");
    db.close();
    const recording = openRecording(dir, START_MS + 1000, END_MS);
    expect(recording.home().folders.get("f")?.name).toBe("Before");
    expect(recording.unknown).toEqual({ properties: 0, others: 0 });
    recording[Symbol.dispose]();
  });

  test("is refused for a time that the journal knows nothing of, and for a directory without a home", async () => {
    const dir = temporaryDirectory();
    await live(dir, history);
    expect(() => openRecording(dir, END_MS, END_MS + 1)).toThrow(/holds nothing of that time/);
    expect(() => openRecording(join(dir, "elsewhere"), START_MS, END_MS)).toThrow(/no home/);
    expect(() => openRecording(dir, END_MS, START_MS)).toThrow(/The end of a span must be after its start/);
  });

  test("is read from one state of the database, also during a write", async () => {
    const dir = temporaryDirectory();
    await live(dir, [node]);
    const { prepare } = DatabaseSync.prototype;
    let statements = 0;
    vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, sql) {
      statements += 1;
      // The first statement has been executed by then.
      if (statements === 2) writeOutside(dir, "DELETE FROM nodes");
      return prepare.call(this, sql);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(readHomeAt(dir, END_MS)?.home.nodes.size).toBe(1);
    expect(readHomeAt(dir, END_MS)?.home.nodes.size).toBe(0);
  });

  test("does not exist before the journal begins", async () => {
    const dir = temporaryDirectory();
    await live(dir, history);
    expect(readHomeAt(dir, START_MS - 1)).toBeNull();
    expect(readHomeAt(dir, START_MS)?.home.nodes.size).toBe(0);
    writeOutside(dir, "DELETE FROM journal");
    expect(readHomeAt(dir, END_MS)).toBeNull();
  });

  test("is asked of the running service, which remembers the last few", async () => {
    const dir = temporaryDirectory();
    await live(dir, history);
    const { store } = await openHome(dir, {
      clock: new VirtualClock(START_MS + 100_000),
      settings: { pastHomesMax: 2 },
    });
    const valueThen = async (second: number) => {
      const { home, unknown } = await store.past.homeAt(START_MS + 1000 * second);
      return [home.nodes.get("ZW1_1")?.properties.get("ST")?.value, unknown];
    };
    const nothing = { properties: 0, others: 0 };
    expect([await valueThen(3), await valueThen(5)]).toEqual([
      [2, nothing],
      [4, nothing],
    ]);
    const third = store.past.homeAt(START_MS + 3000);
    expect(store.past.homeAt(START_MS + 3000)).toBe(third);
    const fifth = store.past.homeAt(START_MS + 5000);
    // The one that was not used for longest goes.
    await store.past.homeAt(START_MS + 3000);
    await valueThen(4);
    expect(store.past.homeAt(START_MS + 3000)).toBe(third);
    expect(store.past.homeAt(START_MS + 5000)).not.toBe(fifth);
    const early = store.past.homeAt(START_MS - 1);
    await expect(early).rejects.toMatchObject({ code: "BAD_VALUE" });
    expect(store.past.homeAt(START_MS - 1)).not.toBe(early);
  });

  test("can be read while the service writes", async () => {
    const dir = temporaryDirectory();
    const { write } = await openHome(dir);
    await write(node);
    await write(report(7));
    const recording = openRecording(dir, START_MS, END_MS);
    expect([...recording.entries()].map((item) => ("change" in item ? item.change.type : "gap"))).toEqual([
      "controller-changed",
      "node-added",
      "property-changed",
    ]);
    recording[Symbol.dispose]();
    await write(report(8));
  });
});

test("a part of a row of reports is read without the others of that row", async () => {
  const dir = temporaryDirectory();
  const { feed, store, write, close } = await openHome(dir);
  await write(node);
  const [first = 0] = [1, 2, 3, 4].map((value) => feed.commit(report(value), CAUSE).seq);
  await store.committed(feed.lastSeq);
  await close();
  const db = openForSalvage(join(dir, "domovoi.sqlite"));
  const items = [...readJournal(db, first + 1, first + 2)];
  db.close();
  expect(items.map(({ seq }) => seq)).toEqual([first + 1, first + 2]);
});

describe("a search of the journal", () => {
  const folder = (at: number): Change => ({
    type: "folder-added",
    folder: { address: `f${at}`, name: `f${at}`, parent: null },
  });
  /** Each folder is a row of its own; four are read at a time. */
  const search = async (rows: number, sinceMs: number | null) => {
    const clock = new VirtualClock(START_MS);
    const { store, write } = await openHome(temporaryDirectory(), { clock });
    for (let at = 1; at <= rows; at += 1) {
      clock.moveTo(START_MS + 1000 * at);
      await write(folder(at));
    }
    const question = {
      types: ["folder-added"],
      holding: "f",
      untilMs: END_MS,
      matches: () => true,
      limit: 100,
    } as const;
    const answer = await store.journal.latest({ ...question, sinceMs });
    const names = answer.entries.flatMap(({ change }) => (change.type === "folder-added" ? change.folder.name : []));
    return { names, sinceMs: answer.sinceMs };
  };

  test.each([1, 4, 5, 8, 9])("finds all of %i rows, the newest first", async (rows) => {
    const all = Array.from({ length: rows }, (_, at) => `f${rows - at}`);
    expect(await search(rows, null)).toEqual({ names: all, sinceMs: START_MS });
  });

  test.each([
    ["after the time of a row", 9500, ["f12", "f11", "f10", "f9"], 9000],
    [
      "at the time of a row, which may not be the only one of that time",
      9000,
      ["f12", "f11", "f10", "f9", "f8", "f7", "f6", "f5"],
      5000,
    ],
  ])("ends with the part that holds the given time: %s", async (_where, sinceMs, names, searchedMs) => {
    expect(await search(12, START_MS + sinceMs)).toEqual({ names, sinceMs: START_MS + searchedMs });
  });

  test("goes on behind a long stretch that holds none", { timeout: 20_000 }, async () => {
    const { store, feed, write } = await openHome(temporaryDirectory());
    await write(folder(1));
    await write(node);
    for (let value = 0; value < 2 * ENTRIES_A_WINDOW; value += 1) feed.commit(report(value), CAUSE);
    await store.committed(feed.lastSeq);
    const question = { types: ["folder-added"], holding: "f", untilMs: END_MS, sinceMs: null, limit: 1 } as const;
    const { entries } = await store.journal.latest({ ...question, matches: () => true });
    expect(entries).toHaveLength(1);
  });
});
