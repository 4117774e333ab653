/** What a backup holds, and the sums with which anyone can check that it holds it whole. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { readBackupLines } from "../../../src/store/backup/backup-lines.ts";
import type { BackupProgress, BackupTask, MadeBackup } from "../../../src/store/backup/backup-worker.ts";
import { CONTENT_NAMES, isLogical, isPartlySecret, isSecret } from "../../../src/store/backup/contents.ts";
import { openDatabase, openForSalvage } from "../../../src/store/database/open-database.ts";
import { STATE_TABLES } from "../../../src/store/database/tables.ts";
import { runInThread } from "../../../src/util/thread-task.ts";
import { openHome, START_MS, temporaryDirectory } from "../../support/test-store.ts";
import { backUp, fillWithCanaries, linesOf, newFile, sourceOf } from "./backup-case.ts";

const HOME_TABLES = [
  "controller",
  "folders",
  "hidden_nodes",
  "groups",
  "nodes",
  "properties",
  "programs",
  "program_runs",
  "variables",
  "integrations",
  "driver_store",
  "told_documents",
];
const SECRET_TABLES = ["edits", "network_resources", "accounts", "known_devices"];

function headerOf(dir: string, withSecrets: boolean, withHistory = false) {
  using db = openForSalvage(sourceOf(dir).database);
  return readBackupLines(db, sourceOf(dir), { withSecrets, withHistory, nowMs: START_MS, product: "0.0.0" }).header;
}

describe("the contents", () => {
  test("of an open backup are the home without its secrets; the past on request", async () => {
    const dir = temporaryDirectory();
    await fillWithCanaries(dir);
    const sorted = (withHistory: boolean) => headerOf(dir, false, withHistory).contents.toSorted();
    expect(sorted(false)).toEqual(HOME_TABLES.toSorted());
    expect(sorted(true)).toEqual([...HOME_TABLES, "journal", "trace"].sort());
  });

  test("of an encrypted one are all", async () => {
    const dir = temporaryDirectory();
    await fillWithCanaries(dir);
    const { contents, leftOut } = headerOf(dir, true);
    expect(contents.toSorted()).toEqual([...HOME_TABLES, ...SECRET_TABLES, "secrets"].sort());
    expect(leftOut).toEqual([]);
  });

  test("of a home that has no secrets leave out nothing", async () => {
    const dir = temporaryDirectory();
    const { store, close } = await openHome(dir);
    store.driverStore("virtual").set("x", 1);
    await close();
    expect(headerOf(dir, false).leftOut).toEqual([]);
  });

  test("that prove a restored home are those of the home itself, not who may use it", () => {
    expect(CONTENT_NAMES.filter(isLogical).toSorted()).toEqual([...HOME_TABLES, "edits", "network_resources"].sort());
    expect(CONTENT_NAMES.filter(isSecret).toSorted()).toEqual([...SECRET_TABLES, "secrets"].sort());
    expect(STATE_TABLES.filter(isPartlySecret)).toEqual(["driver_store", "told_documents"]);
  });
});

test.each([
  { what: "the journal's last entry", sql: "UPDATE meta SET body = '1' WHERE key = 'last_seq'", seq: 3 },
  { what: "the last number given out", sql: "DELETE FROM journal", seq: 3 },
])("the number of the last entry is that of $what, whichever is later", async ({ sql, seq }) => {
  const dir = temporaryDirectory();
  const { write, close } = await openHome(dir);
  for (const address of ["a", "b"]) await write({ type: "folder-added", folder: { address, name: "f", parent: null } });
  await close();
  const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
  db.exec(sql);
  db.close();
  expect(headerOf(dir, false).seq).toBe(seq);
});

test("a database without a home is not backed up, and the error says why", () => {
  const dir = temporaryDirectory();
  openDatabase(join(dir, "domovoi.sqlite")).close();
  expect(() => headerOf(dir, false)).toThrow("There is no home in the database yet.");
});

test("the sums of the last line are those of the lines before, as any tool works them out", async () => {
  const dir = temporaryDirectory();
  await fillWithCanaries(dir);
  const { path, end } = await backUp(dir, null, true);
  const lines = linesOf(path).slice(0, -2);
  const sumOf = (texts: readonly string[]) =>
    createHash("sha256")
      .update(texts.map((text) => `${text}\n`).join(""))
      .digest("hex");
  expect(end.sha256).toBe(sumOf(lines));
  const rowsOf = (name: string) => lines.slice(1).filter((line) => line.startsWith(`["${name}",`));
  for (const { name, rows, sha256 } of end.contents) {
    expect([name, rows, sha256]).toEqual([name, rowsOf(name).length, sumOf(rowsOf(name))]);
  }
  expect(end.contents.reduce((sum, { rows }) => sum + rows, 0)).toBe(lines.length - 1);
});

describe("the progress of a backup", () => {
  async function followed(making: boolean) {
    const dir = temporaryDirectory();
    const { store, close } = await openHome(dir);
    for (let at = 0; at < 300; at += 1) store.driverStore("virtual").set(`x${at}`, "x".repeat(1000));
    await close();
    const path = making ? newFile() : (await backUp(dir)).path;
    const order = { passphrase: null, withHistory: false, nowMs: START_MS, product: "0.0.0" };
    const task: BackupTask = { making: making ? { source: sourceOf(dir), order } : null, path, passphrase: null };
    const news: BackupProgress[] = [];
    const made = await runInThread<BackupProgress, MadeBackup>({
      entry: new URL("../../../src/store/backup/backup-worker.ts", import.meta.url),
      task,
      resourceLimits: {},
      onProgress: (some) => news.push(some),
      signal: new AbortController().signal,
    });
    return { news, made };
  }

  test("is one half for making it and one for proving it, never back, and whole at the end", async () => {
    const { news } = await followed(true);
    const of = (state: string) => news.filter((some) => some.state === state).map(({ progress }) => progress);
    expect(news.map(({ state }) => state)).toEqual([
      ...of("making").map(() => "making"),
      ...of("proving").map(() => "proving"),
    ]);
    expect(of("making").length).toBeGreaterThan(2);
    expect([Math.max(...of("making")), Math.min(...of("proving")) >= 0.5, Math.max(...of("proving"))]).toEqual([
      0.5,
      true,
      1,
    ]);
    expect(news.map(({ progress }) => progress)).toEqual(
      news.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
  });

  test("of one that is only proven begins at nothing, and tells each hundredth once", async () => {
    const { news } = await followed(false);
    expect(new Set(news.map(({ state }) => state))).toEqual(new Set(["proving"]));
    const hundredths = news.map(({ progress }) => Math.floor(100 * progress));
    expect(hundredths).toEqual([...new Set(hundredths)]);
    expect([news.at(-1)?.progress, news.length > 0 && (news[0]?.progress ?? 1) <= 1]).toEqual([1, true]);
  });
});
