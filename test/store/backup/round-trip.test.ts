import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Decrypter } from "age-encryption";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/store/backup/logical-hash.ts";
import { readBackup } from "../../../src/store/backup/read-backup.ts";
import { restoreBackup } from "../../../src/store/backup/restore-backup.ts";
import { restoreDatabase } from "../../../src/store/backup/restore-database.ts";
import { memoryTarget, verifyBackup } from "../../../src/store/backup/verify-backup.ts";
import { MIGRATIONS } from "../../../src/store/database/migrate.ts";
import { openDatabase } from "../../../src/store/database/open-database.ts";
import { rowSum } from "../../../src/store/database/tables.ts";
import { readBootId } from "../../../src/store/directory.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { arbitraryChange } from "../../support/arbitrary-changes.ts";
import { homeSnapshot } from "../../support/home-snapshot.ts";
import { CAUSE, CONTROLLER, nodeAdded, openHome, START_MS, temporaryDirectory } from "../../support/test-store.ts";
import { backUp, fileOf, fillWithCanaries, hashOf, linesOf, PASSPHRASE } from "./backup-case.ts";

const ORDER = { replaces: false, nowMs: START_MS };
/** The expected restored home: programs are idle, without progress. */
const atRest = ({ programProgress: _progress, programHolds: _holds, ...home }: ReturnType<typeof homeSnapshot>) => home;

test("any home is restored unchanged, with its journal and its logical hash", { timeout: 60_000 }, async () => {
  const changes = fc.array(arbitraryChange, { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const dir = temporaryDirectory();
      const before = await openHome(dir, { settings: { variablesAfterBoot: "keep" } });
      for (const change of all) before.feed.commit(change, CAUSE);
      await before.close();
      const { path, end, header } = await backUp(dir, null, true);
      const elsewhere = join(temporaryDirectory(), "home");
      await restoreBackup(path, elsewhere, { ...ORDER, passphrase: null });
      expect(hashOf(elsewhere, header.contents)).toBe(end.logicalHash);
      expect(hashOf(dir, header.contents)).toBe(end.logicalHash);
      const after = await openHome(elsewhere, { settings: { variablesAfterBoot: "keep" } });
      const { networkResources: _left, ...open } = atRest(homeSnapshot(before.home));
      expect(atRest(homeSnapshot(after.home))).toEqual({ ...open, networkResources: [] });
      expect(after.feed.lastSeq).toBe(header.seq);
      await after.close();
    }),
    { numRuns: 8 },
  );
});

test("one of a home that is written to holds every change and every row that came before it was ordered", async () => {
  const dir = temporaryDirectory();
  const { store, feed, close } = await openHome(dir, { clock: systemClock });
  for (let at = 0; at < 50; at += 1) {
    feed.commit({ type: "folder-added", folder: { address: `f${at}`, name: "Folder", parent: null } }, CAUSE);
    // A commit is on its way by now; these rows belong to the next one.
    await new Promise(setImmediate);
    store.driverStore("virtual").set(`level ${at}`, at);
  }
  const { id } = await store.backups.make(null, false);
  await store.backups.settled(id, new AbortController().signal);
  const elsewhere = join(temporaryDirectory(), "home");
  await restoreBackup(join(dir, "backups", store.backups.file(id).name), elsewhere, { ...ORDER, passphrase: null });
  const restored = await openHome(elsewhere);
  expect(restored.home.folders.size).toBe(50);
  expect(restored.store.driverStore("virtual").keys()).toHaveLength(50);
  await close();
});

/** Deriving keys from passphrases takes its time on a busy machine. */
const SEALED = { timeout: 60_000 };

test("an encrypted one opens with the age library alone, and brings back all but sessions", SEALED, async () => {
  const dir = temporaryDirectory();
  const canaries = await fillWithCanaries(dir);
  const before = await openHome(dir);
  await before.close();
  const { path, header } = await backUp(dir, PASSPHRASE, true);
  const sealed = readFileSync(path);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(PASSPHRASE);
  const opened = linesOf(fileOf(await decrypter.decrypt(sealed))).join("\n");
  expect(canaries.filter((canary) => !opened.includes(canary))).toEqual(["canary-session", "canary-waiting"]);
  expect(sealed.toString("latin1")).not.toContain("canary");
  expect(header.leftOut).toEqual([]);

  const elsewhere = temporaryDirectory();
  const { aside } = await restoreBackup(path, elsewhere, { ...ORDER, passphrase: PASSPHRASE });
  const { home, store } = await openHome(elsewhere);
  expect(aside).toBeNull();
  expect(homeSnapshot(home)).toEqual(homeSnapshot(before.home));
  expect(store.accounts.accounts()).toEqual(before.store.accounts.accounts());
  expect(store.accounts.sessions()).toEqual([]);
  expect([...store.accounts.knownDevices()]).toEqual([["canary-device", 5]]);
  expect(store.accounts.findSecret("radio-keys")).toBe("canary-key");
  expect(statSync(join(elsewhere, "secrets", "radio-keys")).mode & 0o777).toBe(0o600);
  expect(store.driverStore("zwave").get("7 user code 1")).toEqual("canary-code");
});

test("the trace of the programs is restored with the history, each run in its entry, without damaged records", async () => {
  const dir = temporaryDirectory();
  const { store, close } = await openHome(dir);
  const rows = [
    [7, "run 1", 1000, '{"kind":"run-began"}'],
    [8, null, 1500, '{"kind":"not-run"}'],
    [7, "run 1", 2000, '{"kind":"run-ended"}'],
  ] as const;
  for (const row of rows) store.trace.append(row);
  const whole = { programId: null, beforeId: null, afterRecordId: null, untilMs: null, limit: 10 };
  const before = await store.trace.read(whole);
  await close();
  const { path } = await backUp(dir, null, true);
  const elsewhere = temporaryDirectory();
  await restoreBackup(path, elsewhere, { ...ORDER, passphrase: null });
  const after = await openHome(elsewhere);
  expect(before.entries.map(({ programId, bodies }) => [programId, bodies.length])).toEqual([
    [8, 1],
    [7, 2],
  ]);
  expect(await after.store.trace.read(whole)).toEqual(before);
  await after.close();
  writeFileSync(join(dir, "trace.sqlite"), "no database at all, but for its length".repeat(200));
  const { end } = await backUp(dir, null, true);
  expect(end.contents.at(-1)).toMatchObject({ name: "trace", rows: 0 });
});

test("variables hold what they held: a restore is no boot of the machine", async () => {
  const dir = temporaryDirectory();
  const { write, close } = await openHome(dir);
  const variable = { type: 2, id: 1, name: "x", value: 5, init: 0, prec: 0, writtenAtMs: 0 } as const;
  await write({ type: "variable-added", variable });
  await close();
  const { path } = await backUp(dir);
  const elsewhere = temporaryDirectory();
  await restoreBackup(path, elsewhere, { ...ORDER, passphrase: null });
  const after = await openHome(elsewhere, { bootId: readBootId() });
  expect([after.store.warmStart, after.home.variables[2].get(1)?.value]).toEqual([true, 5]);
});

test("an open one holds no secret, neither in its rows nor in its history", async () => {
  const dir = temporaryDirectory();
  await fillWithCanaries(dir);
  const { path, header } = await backUp(dir, null, true);
  expect(linesOf(path).join("\n")).not.toContain("canary");
  expect(header.leftOut).toEqual(["network_resources", "accounts", "known_devices", "secrets", "driver_store zwave"]);
});

test("one of an older shape is restored in that shape and brought to the present one", async () => {
  const dir = temporaryDirectory();
  const db = openDatabase(join(dir, "domovoi.sqlite"), MIGRATIONS.slice(0, 1));
  const body = JSON.stringify(CONTROLLER);
  db.prepare("INSERT INTO controller VALUES (?, ?, ?)").run("controller", body, rowSum("controller", body));
  db.close();
  const { path, header } = await backUp(dir);
  const elsewhere = temporaryDirectory();
  await restoreBackup(path, elsewhere, { ...ORDER, passphrase: null });
  const restored = new DatabaseSync(join(elsewhere, "domovoi.sqlite"), { readOnly: true });
  expect(header.shape).toBe(1);
  expect(restored.prepare("SELECT max(number) AS shape FROM migrations").get()).toEqual({
    shape: MIGRATIONS.at(-1)?.number,
  });
  restored.close();
  expect((await openHome(elsewhere)).home.controller).toEqual(CONTROLLER);
});

test("proving one writes nothing, and equal homes give equal files", async () => {
  const dir = temporaryDirectory();
  await (await openHome(dir)).close();
  const [one, other] = [await backUp(dir), await backUp(dir)];
  expect(readFileSync(one.path).equals(readFileSync(other.path))).toBe(true);
  const files = readdirSync(join(one.path, ".."));
  await verifyBackup(one.path, null);
  expect(readdirSync(join(one.path, ".."))).toEqual(files);
});

test("verification keeps no history in memory", async () => {
  const dir = temporaryDirectory();
  const { write, close } = await openHome(dir);
  await write(nodeAdded("n"));
  await close();
  const { path } = await backUp(dir, null, true);
  using target = memoryTarget(null);
  await restoreDatabase(readBackup(path, null), target);
  const rowsOf = (table: string) => target.opened.map((db) => db.prepare(`SELECT * FROM ${table}`).all().length);
  expect([rowsOf("nodes"), rowsOf("journal")]).toEqual([[1], [0]]);
});

test("accounts and known devices are no part of the logical hash, and folders are", SEALED, async () => {
  const dir = temporaryDirectory();
  const { store, write, close } = await openHome(dir);
  const hash = async () => (await backUp(dir, PASSPHRASE)).end.logicalHash;
  await store.saved();
  const empty = await hash();
  await store.accounts.putAccount({
    id: "a",
    kind: "local",
    login: "a",
    role: "owner",
    passwordHash: "h",
    createdAtMs: 1,
  });
  store.accounts.putKnownDevice("device", 5);
  await store.saved();
  expect(await hash()).toBe(empty);
  await write({ type: "folder-added", folder: { address: "f", name: "Folder", parent: null } });
  expect(await hash()).not.toBe(empty);
  await close();
});

test("the canonical form does not depend on the order of members, and reads as the same value", () => {
  const members = fc.uniqueArray(fc.tuple(fc.string(), fc.jsonValue()), { selector: ([name]) => name });
  fc.assert(
    fc.property(members, fc.func(fc.integer()), (all, order) => {
      const shuffled = all.toSorted(([one], [other]) => order(one) - order(other));
      const text = canonicalJson(Object.fromEntries(all));
      expect(canonicalJson({ ...Object.fromEntries(shuffled) })).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(all))));
    }),
  );
});

test.each([
  ["without a shape", "DELETE FROM migrations", "The database has no shape."],
  ["of a newer shape", "UPDATE migrations SET number = number + 1000", "The database was written by a newer Domovoi."],
])("a database %s is not backed up", async (_which, sql, sentence) => {
  const dir = temporaryDirectory();
  const { close } = await openHome(dir);
  await close();
  const db = new DatabaseSync(join(dir, "domovoi.sqlite"));
  db.exec(sql);
  db.close();
  await expect(backUp(dir)).rejects.toThrow(sentence);
});
