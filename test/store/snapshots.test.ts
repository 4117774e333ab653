import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase, openUnchanging } from "../../src/store/database/open-database.ts";
import { readState } from "../../src/store/database/read-tables.ts";
import { listSnapshots, takeSnapshot } from "../../src/store/database/snapshot.ts";
import { rowSum } from "../../src/store/database/tables.ts";
import { temporaryDirectory } from "../support/test-store.ts";

test("the newest snapshots are retained, each with the state of its time", () => {
  const dir = temporaryDirectory();
  const db = openDatabase(join(dir, "domovoi.sqlite"));
  const put = db.prepare("INSERT OR REPLACE INTO folders VALUES ('f', ?, ?)");
  for (let at = 1; at <= 5; at += 1) {
    put.run(String(at), rowSum("f", String(at)));
    takeSnapshot(db, join(dir, "snapshots"), at);
  }
  db.close();
  const kept = listSnapshots(join(dir, "snapshots"));
  expect(kept.map(({ takenAtMs }) => takenAtMs)).toEqual([5, 4, 3]);
  const states = kept.map(({ path }) => {
    const snapshot = openUnchanging(path);
    const { folders } = readState(snapshot);
    snapshot.close();
    return folders.get("f");
  });
  expect(states).toEqual(["5", "4", "3"]);
});

test("a commit is on disk before it is acknowledged: every connection that writes syncs each commit", () => {
  const db = openDatabase(join(temporaryDirectory(), "domovoi.sqlite"));
  const FULL = 2;
  expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: FULL });
  db.close();
});
