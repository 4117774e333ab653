/** The directory of backups: named by kind and time, the oldest of a kind give way, other files are left alone. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BackupKind } from "../../../src/home/durability.ts";
import { BackupFiles, backupId } from "../../../src/store/backup/backup-files.ts";
import { temporaryDirectory } from "../../support/test-store.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 4, 2, 1, 30);

function directory() {
  const path = join(temporaryDirectory(), "backups");
  const files = new BackupFiles(path);
  const make = (kind: BackupKind, hours: number, kept = 100, isEncrypted = false) => {
    writeFileSync(files.begin(), `${kind} ${hours}`);
    files.finish({ id: backupId(kind, START_MS + hours * HOUR_MS), kind, isEncrypted }, kept);
  };
  const listed = () => files.list().map(({ kind, takenAtMs }) => `${kind} ${(takenAtMs - START_MS) / HOUR_MS}`);
  return { path, files, make, listed };
}

test("there are none before the first one", () => {
  expect(directory().files.list()).toEqual([]);
});

test("a backup is listed with what its name says, and its file has the bytes that were written", () => {
  const { path, files, make } = directory();
  make("asked", 0, 5, true);
  make("nightly", 1);
  expect(files.list()).toEqual([
    {
      id: "nightly-2026-05-02T023000Z",
      kind: "nightly",
      takenAtMs: START_MS + HOUR_MS,
      isEncrypted: false,
      name: "domovoi-nightly-2026-05-02T023000Z.jsonl.gz",
    },
    {
      id: "asked-2026-05-02T013000Z",
      kind: "asked",
      takenAtMs: START_MS,
      isEncrypted: true,
      name: "domovoi-asked-2026-05-02T013000Z.jsonl.gz.age",
    },
  ]);
  const [newest] = files.list();
  expect(readFileSync(files.pathOf(newest ?? expect.fail()), "utf8")).toBe("nightly 1");
  expect(readdirSync(path)).toHaveLength(2);
});

test("the newest comes first, in whatever order they were made", () => {
  const { make, listed } = directory();
  for (const hours of [3, 1, 4, 2]) make("nightly", hours);
  expect(listed()).toEqual(["nightly 4", "nightly 3", "nightly 2", "nightly 1"]);
});

test("of each kind so many stay, and the other kind is left alone", () => {
  const { make, listed } = directory();
  for (const hours of [1, 2, 3]) make("asked", hours);
  for (const hours of [4, 5, 6, 7]) make("nightly", hours, 2);
  expect(listed()).toEqual(["nightly 7", "nightly 6", "asked 3", "asked 2", "asked 1"]);
  make("nightly", 8, 1);
  expect(listed()).toEqual(["nightly 8", "asked 3", "asked 2", "asked 1"]);
});

test("the one that was just made stays, though none are to be kept", () => {
  const { make, listed } = directory();
  make("asked", 1, 0);
  expect(listed()).toEqual(["asked 1"]);
});

test("another one of the same second takes the place of the first, encrypted or not", () => {
  const { files, make, listed } = directory();
  make("asked", 1, 5, false);
  make("asked", 1, 5, true);
  expect(listed()).toEqual(["asked 1"]);
  expect(files.list()[0]?.isEncrypted).toBe(true);
});

test("what was not finished is no backup, and goes with the next one or by itself", () => {
  const { files, listed } = directory();
  const path = files.begin();
  writeFileSync(path, "half");
  expect(listed()).toEqual([]);
  expect(files.begin()).toBe(path);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, "half");
  files.dropUnfinished();
  files.dropUnfinished();
  expect(existsSync(path)).toBe(false);
});

test("other files are not listed and not removed", () => {
  const { path, make, listed } = directory();
  make("nightly", 1, 1);
  const others = [
    "notes.txt",
    "domovoi-weekly-2026-05-02T013000Z.jsonl.gz",
    "domovoi-nightly-2026-13-02T013000Z.jsonl.gz",
    "domovoi-nightly-2026-05-02T013000Z.jsonl.gz.part",
  ];
  for (const name of others) writeFileSync(join(path, name), "");
  make("nightly", 2, 1);
  expect(listed()).toEqual(["nightly 2"]);
  expect(readdirSync(path)).toEqual(expect.arrayContaining(others));
});
