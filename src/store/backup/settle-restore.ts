/**
 * Puts a restored home in the place of the previous one. It is complete in a directory beside it. From the moment of
 * its rename it is the home, and the next process that opens the data directory completes the exchange, however often
 * it is interrupted. The previous home is kept aside.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "../database/sync-directory.ts";

/** Names the database that the home of a directory is a copy of, see ../directory-origin.ts. */
export const ORIGIN = "domovoi.origin";

const DATABASES = ["domovoi.sqlite", "domovoi.sqlite.rebuilt", "trace.sqlite", "samples.sqlite"];
/** All that is one home's own in a data directory. Backups and what was set aside before stay where they are. */
const HOME_FILES: ReadonlySet<string> = new Set([
  ...DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
  "domovoi.sqlite.before-upgrade",
  "domovoi.last-commit",
  ORIGIN,
  "snapshots",
  "secrets",
]);

/** Names of the three stages within the data directory. */
export const STAGES = { unfinished: "restore.unfinished", ready: "restore.ready", moving: "restore.moving" } as const;
/** File of a stage: the directory that the home before goes to. */
const ASIDE = "aside";

/** The directory in which a home is prepared. What an interrupted preparation left there is removed at the next start. */
export function stageOf(dir: string): string {
  return join(dir, STAGES.unfinished);
}

/**
 * Call when the prepared home is complete and closed: from then on it is the home.
 * @returns name of the directory, within the data directory, that gets the home before; null when there is none.
 */
export function completeStage(dir: string, nowMs: number): string | null {
  const aside = homeFiles(dir).length > 0 ? `replaced-${new Date(nowMs).toISOString().replaceAll(":", "-")}` : null;
  writeFileSync(join(stageOf(dir), ASIDE), aside ?? "", { mode: 0o600, flush: true });
  syncDirectory(stageOf(dir));
  renameSync(stageOf(dir), join(dir, STAGES.ready));
  syncDirectory(dir);
  return aside;
}

/** Whether the directory holds a home that was restored and is not in its place yet. */
export function awaitsRestore(dir: string): boolean {
  return existsSync(join(dir, STAGES.ready)) || existsSync(join(dir, STAGES.moving));
}

/** Call with the directory's lock held, before anything in it is opened. */
export function settleRestore(dir: string): void {
  const ready = join(dir, STAGES.ready);
  const moving = join(dir, STAGES.moving);
  const unfinished = join(dir, STAGES.unfinished);
  if (existsSync(unfinished)) rmSync(unfinished, { recursive: true });
  if (existsSync(ready)) {
    moveHome(dir, join(dir, readFileSync(join(ready, ASIDE), "utf8")));
    renameSync(ready, moving);
    syncDirectory(dir);
  }
  if (existsSync(moving)) {
    moveHome(moving, dir);
    rmSync(moving, { recursive: true });
  }
}

/** Names in the directory that are a home's, or on their way to be. */
function homeFiles(dir: string): readonly string[] {
  return existsSync(dir) ? readdirSync(dir).filter((name) => HOME_FILES.has(name)) : [];
}

/** Each file by itself, so that what was moved before an end is not moved again. */
export function moveHome(from: string, to: string): void {
  const names = homeFiles(from);
  if (names.length === 0) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) renameSync(join(from, name), join(to, name));
  syncDirectory(to);
  syncDirectory(from);
}
