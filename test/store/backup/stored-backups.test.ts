/** The controller's own backups, one at a time: made, listed, proven again, given up. */

import { appendFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../../src/errors.ts";
import { type LastTest, StoredBackups } from "../../../src/store/backup/stored-backups.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { openHome, recordingLog, START_MS, temporaryDirectory } from "../../support/test-store.ts";
import { backUp, newFile, PASSPHRASE, sourceOf } from "./backup-case.ts";

const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;
const SEALED = { timeout: 60_000 };

async function homeDirectory(): Promise<string> {
  const dir = temporaryDirectory();
  await (await openHome(dir)).close();
  return dir;
}

function backupsOf(dir: string, { directory = join(temporaryDirectory(), "backups"), file = "", kept = 2 } = {}) {
  const clock = new VirtualClock(START_MS);
  const log = recordingLog();
  let last: LastTest | null = null;
  let settled: () => Promise<void> = async () => {};
  const backups = new StoredBackups({
    config: { backupsKept: kept, backupPassphraseFile: file },
    clock,
    log,
    source: sourceOf(dir),
    directory,
    settled: () => settled(),
    tests: {
      read: () => last,
      write: (test) => {
        last = test;
      },
    },
  });
  const made = async (kind: "asked" | "nightly" = "asked", passphrase: string | null = null) => {
    const { id } = await backups.begin(kind, passphrase, false);
    await backups.settled(id, NEVER);
    clock.moveTo(clock.now() + 1000);
    return id;
  };
  return {
    backups,
    clock,
    log,
    directory,
    made,
    lastTest: () => last,
    wait: (work: () => Promise<void>) => {
      settled = work;
    },
  };
}

const failures = ({ lines }: ReturnType<typeof recordingLog>) =>
  lines.filter(({ level }) => level === "error").map(({ message }) => message);

describe("a backup", () => {
  test("is being made, then ready with its size and its sums; after a restart the sums are not known", async () => {
    const dir = await homeDirectory();
    const { backups, directory } = backupsOf(dir);
    const begun = await backups.make(null, false);
    const id = "asked-2026-01-01T000000Z";
    expect(begun).toMatchObject({ id, kind: "asked", state: "making", progress: 0, isEncrypted: false, bytes: null });
    expect([backups.find(id), ...backups.list()].map(({ state }) => state)).toEqual(["making", "making"]);
    await backups.settled(id, NEVER);
    const bytes = statSync(join(directory, `domovoi-${id}.jsonl.gz`)).size;
    const ready = { id, state: "ready", progress: 1, bytes, failure: null, test: null, takenAtMs: START_MS };
    const sum = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(backups.list()).toMatchObject([{ ...ready, sha256: sum, logicalHash: sum }]);
    expect([backups.find(id).state, backups.file(id).bytes]).toEqual(["ready", bytes]);
    expect(backupsOf(dir, { directory }).backups.list()).toMatchObject([{ ...ready, sha256: null, logicalHash: null }]);
  });

  test("is made one at a time, each on what is on disk by then", async () => {
    const { backups, made, wait } = backupsOf(await homeDirectory());
    wait(() => Promise.reject(new ControllerError("STORE_UNAVAILABLE", "The disk is away.")));
    await expect(backups.make(null, false)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(backups.list()).toEqual([]);
    wait(async () => {});
    const { id } = await backups.make(null, false);
    await expect(backups.make(null, false)).rejects.toMatchObject({ code: "BACKUP_UNDER_WAY" });
    await backups.settled(id, NEVER);
    await made();
  });

  test("that was requested takes the place of the one before, and of those of the nights so many stay", async () => {
    const { backups, made } = backupsOf(await homeDirectory());
    const ids: string[] = [];
    for (const kind of ["asked", "nightly", "asked", "nightly", "nightly"] as const) ids.push(await made(kind));
    expect(backups.list().map(({ id }) => id)).toEqual([ids[4], ids[3], ids[2]]);
    expect([backups.newestAtMs("asked"), backups.newestAtMs("nightly")]).toEqual([START_MS + 2000, START_MS + 4000]);
    backups.remove(ids[2] ?? "");
    expect(backups.newestAtMs("asked")).toBeNull();
  });

  test("that fails is listed with the reason, leaves no file, and does not hinder the next", async () => {
    const dir = temporaryDirectory();
    const { backups, directory, log, clock } = backupsOf(dir);
    const { id } = await backups.make(null, false);
    await backups.settled(id, NEVER);
    const failed = { id, state: "failed", failure: "The backup could not be written to the disk." };
    expect(backups.list()).toMatchObject([failed]);
    expect(backups.find(id)).toMatchObject(failed);
    expect([readdirSync(directory), failures(log)]).toEqual([
      [],
      ["No backup could be made. The ones before are still there."],
    ]);
    await (await openHome(dir)).close();
    clock.moveTo(START_MS + 1000);
    const next = await backups.make(null, false);
    await backups.settled(next.id, NEVER);
    expect(backups.list()).toMatchObject([{ id: next.id, state: "ready" }]);
  });

  test("with a passphrase that is too short is refused, and none is begun", async () => {
    const { backups } = backupsOf(await homeDirectory());
    await expect(backups.make("eleven char", false)).rejects.toMatchObject({ code: "BAD_VALUE" });
    expect(backups.list()).toEqual([]);
  });

  test("that is not there is reported as such", async () => {
    const { backups } = backupsOf(await homeDirectory());
    const id = "asked-2026-01-01T000000Z";
    for (const work of [() => backups.find(id), () => backups.file(id), () => backups.prove(id)])
      expect(work).toThrow(expect.objectContaining({ code: "BACKUP_NOT_FOUND" }));
    expect(() => backups.remove(id)).toThrow(expect.objectContaining({ code: "BACKUP_NOT_FOUND" }));
  });

  test("is waited for until it ends, or until the waiting request is aborted", async () => {
    const { backups } = backupsOf(await homeDirectory());
    const { id } = await backups.make(null, false);
    await backups.settled("another", NEVER);
    const gone = new AbortController();
    const waiting = backups.settled(id, gone.signal);
    gone.abort();
    await waiting;
    await backups.settled(id, gone.signal);
    expect(backups.find(id).state).toBe("making");
    await backups.settled(id, NEVER);
    expect(backups.find(id).state).toBe("ready");
  });

  test("that is given up leaves no file by the time the store is closed, and is no failure", async () => {
    const { backups, directory, log } = backupsOf(await homeDirectory());
    await backups.make(null, false);
    await backups.close();
    expect([readdirSync(directory), failures(log)]).toEqual([[], []]);
  });
});

describe("a stored backup that is proven again", () => {
  test("says so meanwhile, and the day of the test afterwards", async () => {
    const { backups, made, clock } = backupsOf(await homeDirectory());
    const id = await made();
    expect(backups.prove(id)).toMatchObject({ id, state: "proving", progress: 0 });
    expect(backups.list()).toMatchObject([{ id, state: "proving" }]);
    expect(() => backups.prove(id)).toThrow(expect.objectContaining({ code: "BACKUP_UNDER_WAY" }));
    await backups.settled(id, NEVER);
    expect(backups.find(id)).toMatchObject({ state: "ready", test: { atMs: clock.now(), failure: null } });
  });

  test("and does not restore is an error in the log, with the reason in the list", async () => {
    const { backups, made, directory, log, lastTest } = backupsOf(await homeDirectory());
    const id = await made();
    appendFileSync(join(directory, `domovoi-${id}.jsonl.gz`), "more");
    backups.prove(id);
    await backups.settled(id, NEVER);
    const failure = "The file is damaged: it cannot be unpacked.";
    expect([backups.find(id).state, lastTest()?.failure]).toEqual(["ready", failure]);
    expect(failures(log)).toEqual(["A stored backup does not restore. Make another one, and look at its disk."]);
  });

  test("needs the stored passphrase when it is encrypted", SEALED, async () => {
    const dir = await homeDirectory();
    const file = newFile("passphrase");
    writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
    const { backups, made, directory } = backupsOf(dir, { file });
    const id = await made("nightly", PASSPHRASE);
    expect(() => backupsOf(dir, { directory }).backups.prove(id)).toThrow(/passphrase is not stored here/);
    backups.prove(id);
    await backups.settled(id, NEVER);
    expect(backups.find(id)).toMatchObject({ isEncrypted: true, test: { failure: null } });
  });
});

describe("the test of stored backups", () => {
  test("takes the newest one but the one that was just made, when the last test is long enough ago", async () => {
    const { backups, made, clock, lastTest } = backupsOf(await homeDirectory(), { kept: 3 });
    await backups.proveIfDue(DAY_MS, "");
    expect(lastTest()).toBeNull();
    const ids = [await made("nightly"), await made("nightly"), await made("nightly")];
    await backups.proveIfDue(0, ids[2] ?? "");
    expect(lastTest()).toBeNull();
    await backups.proveIfDue(DAY_MS, ids[2] ?? "");
    expect(lastTest()).toEqual({ backup: ids[1], atMs: clock.now(), failure: null });
    backups.remove(ids[1] ?? "");
    clock.moveTo(clock.now() + DAY_MS - 1);
    await backups.proveIfDue(DAY_MS, ids[2] ?? "");
    expect(lastTest()?.backup).toBe(ids[1]);
    clock.moveTo(clock.now() + 1);
    await backups.proveIfDue(DAY_MS, ids[2] ?? "");
    expect(lastTest()).toEqual({ backup: ids[0], atMs: clock.now(), failure: null });
  });

  test("passes over what it cannot open, and over other files", async () => {
    const dir = await homeDirectory();
    const { backups, directory, made, lastTest } = backupsOf(dir);
    const open = await made("nightly");
    writeFileSync(join(directory, "domovoi-nightly-2026-02-01T000000Z.jsonl.gz.age"), "sealed");
    writeFileSync(join(directory, "notes.txt"), (await backUp(dir)).path);
    await backups.proveIfDue(DAY_MS, "");
    expect(lastTest()?.backup).toBe(open);
  });
});
