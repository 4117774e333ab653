import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import type { Change, Entry } from "../../src/home/change.ts";
import type { Home } from "../../src/home/home.ts";
import { STATE_TABLES } from "../../src/store/database/tables.ts";
import { homeRow } from "../../src/store/home-tables.ts";
import { decodeJournal, encodeJournal } from "../../src/store/journal.ts";
import { rowsOf } from "../../src/store/rows.ts";
import { arbitraryChange } from "../support/arbitrary-changes.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { CAUSE, openHome, temporaryDirectory } from "../support/test-store.ts";
import { ENGINES, stopPostgres } from "./engines.ts";

/** Changes, and after which of them to wait for the disk, so that batches are cut everywhere. */
const history = fc.array(
  fc.record({ change: arbitraryChange, isWaitedFor: fc.integer({ min: 0, max: 9 }).map((n) => n === 0) }),
  {
    minLength: 20,
    maxLength: 150,
  },
);

async function live(
  dir: string,
  steps: readonly { change: Change; isWaitedFor: boolean }[],
  settings: Partial<Config> = {},
) {
  const { home, feed, store, close } = await openHome(dir, { settings });
  for (const { change, isWaitedFor } of steps) {
    if (!isAbout(home, change)) continue;
    const { seq } = feed.commit(change, CAUSE);
    if (isWaitedFor) await store.committed(seq);
  }
  await close();
  return homeSnapshot(home);
}

stopPostgres();

describe("the home over a restart", { timeout: 60_000 }, () => {
  test.each(ENGINES)("is the same after any sequence of changes, in the same order, kept by $name", async (engine) => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const dir = temporaryDirectory();
        const settings = await engine.settings();
        const before = await live(dir, steps, settings);
        const { home, close } = await openHome(dir, { settings });
        expect(homeSnapshot(home)).toEqual(before);
        await close();
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  test("is the same when nothing but the journal is left", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const dir = temporaryDirectory();
        const before = await live(dir, steps);
        loseAllState(dir);
        const { home, log, close } = await openHome(dir, { settings: { variablesAfterBoot: "keep" } });
        expect(homeSnapshot(home)).toEqual(before);
        expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
        await close();
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  test("goes on numbering after the last entry", async () => {
    const dir = temporaryDirectory();
    const first = await openHome(dir);
    const seq = await first.write({ type: "folder-added", folder: { address: "1", name: "A", parent: null } });
    await first.close();
    const second = await openHome(dir);
    expect(second.feed.lastSeq).toBe(seq);
  });

  test("is not there on a new data directory", async () => {
    const { home } = await openHome(temporaryDirectory());
    expect(home.nodes.size).toBe(0);
  });
});

describe("the journal", () => {
  test("gives back every entry as it was, reports packed or not", () => {
    fc.assert(
      fc.property(fc.array(arbitraryChange, { maxLength: 60 }), (changes) => {
        const entries = changes.map((change, at): Entry => ({ seq: 8 + at, atMs: 1000 + at, cause: CAUSE, change }));
        expect(encodeJournal(entries, 7).flatMap(decodeJournal)).toEqual(entries);
      }),
    );
  });

  test("leaves out which starts of a program wait, as the record's row has them", () => {
    const effort = { chain: 1, starts: 0, through: [], calls: 0, steps: 0 };
    const start = {
      number: 1,
      mode: "conditions",
      trigger: { kind: "startup" },
      cause: CAUSE,
      happening: null,
      effort,
    } as const;
    const progress = { id: 5, run: null, inFlight: [], settledUntilMs: 7, waiting: [start] };
    const change: Change = { type: "program-progressed", id: 5, progress };
    const [entry] = encodeJournal([{ seq: 8, atMs: 1000, cause: CAUSE, change }], 7).flatMap(decodeJournal);
    expect(entry).toMatchObject({ change: { id: 5, progress: { settledUntilMs: 7, waiting: [] } } });
  });

  test("reads a step of a command from format 1 as accepted when it was written", () => {
    const body = {
      type: "command-moved",
      commandId: "c",
      address: "ZW1_1",
      command: "DON",
      state: "accepted",
      detail: "",
    };
    const [entry] = decodeJournal([5, 5, 1000, "program", "1-1", "1", "command-moved", JSON.stringify(body), 1]);
    expect(entry).toMatchObject({ seq: 5, change: { ...body, acceptedAtMs: 1000 } });
  });

  test("reads an operation on a radio network as the operation that it is now", () => {
    const question = { kind: "pin", dskRest: "-12345" };
    const operation = { id: "1", kind: "include", stage: "asking", question, security: "S0", detail: "" };
    const body = { type: "radio-moved", driver: "zwave", family: 4, operation };
    const [entry] = decodeJournal([5, 5, 1000, "report", "zwave", "zwave", "radio-moved", JSON.stringify(body), 1]);
    expect(entry).toMatchObject({
      change: { type: "operation-moved", operation: { id: "1", question: null, result: { security: "S0" } } },
    });
  });

  test("has rows that tile the numbers", () => {
    fc.assert(
      fc.property(fc.array(arbitraryChange, { minLength: 1, maxLength: 60 }), (changes) => {
        const entries = changes.map((change, at): Entry => ({ seq: 10 + 2 * at, atMs: at, cause: CAUSE, change }));
        const rows = encodeJournal(entries, 7);
        expect(rows.map(([, firstSeq]) => firstSeq)).toEqual([8, ...rows.slice(0, -1).map(([seq]) => seq + 1)]);
      }),
    );
  });
});

/** False for a change of something that is not there; the house never makes one. */
function isAbout(home: Home, change: Change): boolean {
  const makes = /-added$|-put$|^node-revised$|^group-links-changed$|^program-changed$/.test(change.type);
  const [table, key] = rowsOf({ seq: 1, atMs: 0, cause: CAUSE, change })[0] ?? ["controller", ""];
  return makes || homeRow(home, table === "properties" ? "nodes" : table, key) !== null;
}

function loseAllState(dir: string): void {
  rmSync(join(dir, "snapshots"), { recursive: true });
  const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
  for (const table of STATE_TABLES) db.exec(`UPDATE "${table}" SET sum = sum + 1`);
  db.close();
}
