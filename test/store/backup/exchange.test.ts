/** A restore that is cut short leaves the old home or the new one, never a mixture and never none. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreBackup } from "../../../src/store/backup/restore-backup.ts";
import { openDirectory } from "../../../src/store/directory.ts";
import { RESTORE_KILLS } from "../../simulation/effort.ts";
import { COMMAND } from "../../simulation/service-process.ts";
import { CHILD_OPTIONS, openHome, START_MS, temporaryDirectory } from "../../support/test-store.ts";
import { backUp, hashOf } from "./backup-case.ts";

const CONTENTS = ["controller", "variables"] as const;

/** A directory with a home of so many variables, its service stopped. */
async function homeOf(variables: number): Promise<string> {
  const dir = temporaryDirectory();
  const { feed, store, close } = await openHome(dir);
  store.accounts.secret("token-key", () => `key of ${variables}`);
  for (let id = 1; id <= variables; id += 1) {
    const variable = { type: 1, id, name: `v${id}`, value: id, init: 0, prec: 0, writtenAtMs: 0 } as const;
    feed.commit({ type: "variable-added", variable }, { kind: "system", id: "test", by: null });
  }
  await close();
  return dir;
}

/** Opens the directory like the next command or service. */
function settledHash(dir: string): string {
  openDirectory(dir).release();
  return hashOf(dir, CONTENTS);
}

/** Runs `domovoi restore` and kills it when the directory has changed so many times. */
async function killedAfter(changes: number, file: string, dir: string): Promise<NodeJS.Signals | null> {
  const child: ChildProcess = spawn(process.execPath, [COMMAND, "restore", file, "--data", dir, "--replace"], {
    ...CHILD_OPTIONS,
    stdio: "ignore",
  });
  let seen = 0;
  const watcher = watch(dir, () => {
    seen += 1;
    if (seen >= changes) child.kill("SIGKILL");
  });
  const [, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  watcher.close();
  return signal;
}

test(`${RESTORE_KILLS} restores that are killed leave one home or the other`, {
  timeout: 60_000 + 5000 * RESTORE_KILLS,
}, async () => {
  const [before, other] = [await homeOf(5), await homeOf(3000)];
  const { path } = await backUp(other);
  const hashes = [hashOf(before, CONTENTS), hashOf(other, CONTENTS)];
  const signals = new Set<string | null>();
  for (let kill = 1; kill <= RESTORE_KILLS; kill += 1) {
    const dir = join(temporaryDirectory(), "home");
    cpSync(before, dir, { recursive: true });
    signals.add(await killedAfter(kill, path, dir));
    const hash = settledHash(dir);
    expect(hashes).toContain(hash);
    expect(readdirSync(dir).filter((name) => name.startsWith("restore."))).toEqual([]);
    const home = await openHome(dir);
    expect(home.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    await home.close();
  }
  expect(signals).toContain("SIGKILL");
});

test("from every step of the exchange it is carried to its end, and the home before is whole aside", async () => {
  const [before, other] = [await homeOf(2), await homeOf(4)];
  const [hashBefore, hashAfter] = [hashOf(before, CONTENTS), hashOf(other, CONTENTS)];
  const files = ["domovoi.sqlite", "secrets", "snapshots"];
  /** Stops when so many files have been moved, of the old home first, then of the new one. */
  const interrupted = (steps: number): string => {
    const dir = temporaryDirectory();
    const [ready, moving, aside] = ["restore.ready", "restore.moving", "replaced-x"].map((name) => join(dir, name));
    cpSync(before, dir, { recursive: true });
    cpSync(other, ready ?? "", { recursive: true });
    writeFileSync(join(ready ?? "", "aside"), "replaced-x");
    const moves = [
      () => mkdirSync(aside ?? ""),
      ...files.map((name) => () => move(name, dir, aside ?? "")),
      () => renameSync(ready ?? "", moving ?? ""),
      ...files.map((name) => () => move(name, moving ?? "", dir)),
    ];
    for (const act of moves.slice(0, steps)) act();
    return dir;
  };
  for (let steps = 0; steps <= 2 + 2 * files.length; steps += 1) {
    const dir = interrupted(steps);
    expect([steps, settledHash(dir)]).toEqual([steps, hashAfter]);
    expect(hashOf(join(dir, "replaced-x"), CONTENTS)).toBe(hashBefore);
    expect(existsSync(join(dir, "replaced-x", "secrets", "token-key"))).toBe(true);
    expect(readdirSync(dir).filter((name) => name.startsWith("restore."))).toEqual([]);
  }
});

test("a restore that was cut short before it was complete is forgotten", async () => {
  const dir = await homeOf(2);
  const hash = hashOf(dir, CONTENTS);
  mkdirSync(join(dir, "restore.unfinished", "secrets"), { recursive: true });
  expect(settledHash(dir)).toBe(hash);
  expect(existsSync(join(dir, "restore.unfinished"))).toBe(false);
});

test("a directory that is not empty is left unchanged without --replace", async () => {
  const [dir, other] = [await homeOf(2), await homeOf(4)];
  const [hash, before] = [hashOf(dir, CONTENTS), readdirSync(dir)];
  const { path } = await backUp(other);
  const order = { passphrase: null, nowMs: START_MS };
  await expect(restoreBackup(path, dir, { ...order, replaces: false })).rejects.toMatchObject({ code: "BAD_VALUE" });
  expect([hashOf(dir, CONTENTS), readdirSync(dir)]).toEqual([hash, before]);
  const { aside } = await restoreBackup(path, dir, { ...order, replaces: true });
  expect(aside).toBe("replaced-2026-01-01T00-00-00.000Z");
  expect(hashOf(join(dir, aside ?? ""), CONTENTS)).toBe(hash);
  expect([dir, join(dir, aside ?? "")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(hashOf(dir, CONTENTS)).toBe(hashOf(other, CONTENTS));
});

test("a lock with its companions, and what a restore left that was cut short, make no directory full", async () => {
  const other = await homeOf(3);
  const { path } = await backUp(other);
  const dir = temporaryDirectory();
  for (const name of ["domovoi.lock", "domovoi.lock-journal"]) writeFileSync(join(dir, name), "");
  mkdirSync(join(dir, "restore.unfinished"));
  const order = { passphrase: null, nowMs: START_MS, replaces: false };
  const steps: number[] = [];
  const { aside } = await restoreBackup(path, dir, order, (done, total) => steps.push(done / total));
  expect([aside, hashOf(dir, CONTENTS)]).toEqual([null, hashOf(other, CONTENTS)]);
  // Once through the file to prove it, once more to restore it.
  expect(steps).toEqual(steps.toSorted((one, two) => one - two));
  expect([steps.includes(0.5), steps.at(-1)]).toEqual([true, 1]);
});

function move(name: string, from: string, to: string): void {
  if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
}
