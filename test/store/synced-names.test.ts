/** New and renamed files survive a loss of power: their directory is synced before the work counts as done. */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { BackupFiles } from "../../src/store/backup/backup-files.ts";
import { restoreBackup } from "../../src/store/backup/restore-backup.ts";
import { STAGES } from "../../src/store/backup/settle-restore.ts";
import { CommitNoteFile } from "../../src/store/database/commit-note.ts";
import { latest, MIGRATIONS } from "../../src/store/database/migrate.ts";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { rebuildDatabase, settleRebuild } from "../../src/store/database/rebuild.ts";
import { takeSnapshot } from "../../src/store/database/snapshot.ts";
import { upgradeDatabase } from "../../src/store/database/upgrade.ts";
import { createSecrets } from "../../src/store/secrets.ts";
import { openHome, START_MS, temporaryDirectory } from "../support/test-store.ts";
import { backUp } from "./backup/backup-case.ts";

const BATCH = { nowMs: START_MS, lastSeq: 1, deletes: [], puts: [], journal: [] };
const LIMITS = { ageMsMax: 1, bytesMax: 1 };
const DATABASE = "domovoi.sqlite";
const NOTE = "commits";

/** A home, and a backup of it. */
async function homeAndBackup() {
  const dir = temporaryDirectory();
  await (await openHome(dir)).close();
  return { dir, path: (await backUp(dir)).path };
}

type Step = { readonly kind: "named" | "synced"; readonly path: string };

/** What the work that follows does: files that get their name, and files and directories that are synced. */
function watchSteps(): readonly Step[] {
  const steps: Step[] = [];
  const { renameSync, fsyncSync, openSync } = fs;
  const named = (path: fs.PathLike) => steps.push({ kind: "named", path: resolve(String(path)) });
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    renameSync(from, to);
    named(to);
  });
  vi.spyOn(fs, "openSync").mockImplementation((path, flags, mode) => {
    if (basename(String(path)) === NOTE && flags === "w") named(path);
    return openSync(path, flags, mode);
  });
  vi.spyOn(fs, "fsyncSync").mockImplementation((file) => {
    fsyncSync(file);
    steps.push({ kind: "synced", path: fs.readlinkSync(`/proc/self/fd/${file}`) });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return steps;
}

function isSyncedLater({ path }: Step, at: number, steps: readonly Step[]): boolean {
  return steps.slice(at).some((step) => step.kind === "synced" && step.path === dirname(path));
}

type Case = readonly [what: string, prepare: () => Promise<() => unknown>];

test.skipIf(process.platform !== "linux").each<Case>([
  [
    "a restore",
    async () => {
      const { path } = await homeAndBackup();
      const order = { passphrase: null, replaces: false, nowMs: START_MS };
      return () => restoreBackup(path, join(temporaryDirectory(), "restored"), order);
    },
  ],
  [
    "a restore that replaces a home",
    async () => {
      const { dir, path } = await homeAndBackup();
      return () => restoreBackup(path, dir, { passphrase: null, replaces: true, nowMs: START_MS });
    },
  ],
  [
    "a snapshot",
    async () => {
      const dir = temporaryDirectory();
      const db = openDatabase(join(dir, DATABASE));
      onTestFinished(() => db.close());
      return () => takeSnapshot(db, join(dir, "snapshots"), START_MS);
    },
  ],
  [
    "a rebuild of the database",
    async () => {
      const path = join(temporaryDirectory(), DATABASE);
      openDatabase(path).close();
      return () => rebuildDatabase(path, [], BATCH, LIMITS, 0);
    },
  ],
  [
    "the end of a rebuild that was interrupted",
    async () => {
      const path = join(temporaryDirectory(), DATABASE);
      openDatabase(`${path}.rebuilt`).close();
      return () => settleRebuild(path);
    },
  ],
  [
    "an upgrade",
    async () => {
      const path = join(temporaryDirectory(), DATABASE);
      openDatabase(path).close();
      const next = { number: latest(MIGRATIONS) + 1, name: "next", statements: [] };
      return () => upgradeDatabase(path, [...MIGRATIONS, next]);
    },
  ],
  [
    "a secret",
    async () => {
      const secrets = createSecrets(join(temporaryDirectory(), "secrets"));
      return () => secrets.replaceSecret("key", "value");
    },
  ],
  [
    "a stored backup",
    async () => {
      const files = new BackupFiles(join(temporaryDirectory(), "backups"));
      fs.writeFileSync(files.begin(), "x");
      return () => files.finish({ id: "asked-2026-01-01T000000Z", kind: "asked", isEncrypted: false }, 1);
    },
  ],
  [
    "the first note of a commit",
    async () => {
      const note = new CommitNoteFile(join(temporaryDirectory(), NOTE));
      onTestFinished(() => note.close());
      return () => note.write({ commits: 1, lastSeq: 1 });
    },
  ],
])("%s survives a loss of power", async (_what, prepare) => {
  const work = await prepare();
  const steps = watchSteps();
  await work();
  expect(steps.map(({ kind }) => kind)).toContain("named");
  expect(steps.filter((step, at) => step.kind === "named" && !isSyncedLater(step, at, steps))).toEqual([]);
});

test.skipIf(process.platform !== "linux")("a restore touches the home before only when its own is synced", async () => {
  const { dir, path } = await homeAndBackup();
  const steps = watchSteps();
  await restoreBackup(path, dir, { passphrase: null, replaces: true, nowMs: START_MS });
  const home = steps.findIndex((step) => step.path === join(dir, STAGES.ready));
  expect(steps[home + 1]).toEqual({ kind: "synced", path: dir });
});

test.skipIf(process.platform !== "linux")(
  "a restore syncs the new directory of its files before the old one",
  async () => {
    const { dir, path } = await homeAndBackup();
    const steps = watchSteps();
    const { aside } = await restoreBackup(path, dir, { passphrase: null, replaces: true, nowMs: START_MS });
    const home = steps.findIndex((step) => step.path === join(dir, STAGES.ready));
    const synced = steps.slice(home + 2).filter(({ kind }) => kind === "synced");
    const order = [join(dir, aside ?? ""), dir, dir, dir, join(dir, STAGES.moving)];
    expect(synced.map(({ path }) => path)).toEqual(order);
  },
);
