/** The directory of backups: a file each, named by kind and time. One that is not proven yet has another name. */

import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Backup, BackupFile, BackupKind } from "../../home/durability.ts";
import { syncDirectory } from "../database/sync-directory.ts";

export type ReadyFile = Pick<Backup, "id" | "kind" | "takenAtMs" | "isEncrypted"> & { readonly name: string };

const NAME =
  /^domovoi-(?<id>(?<kind>asked|nightly)-(?<day>\d{4}-\d\d-\d\d)T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)Z)\.jsonl\.gz(?<age>\.age)?$/;
const UNFINISHED = "unfinished";

export class BackupFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Where the next one is written; what is left of one before it is removed. */
  begin(): string {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const path = join(this.#directory, UNFINISHED);
    rmSync(path, { force: true });
    return path;
  }

  /** Never throws: what cannot be removed now is removed before the next one. */
  dropUnfinished(): void {
    try {
      rmSync(join(this.#directory, UNFINISHED), { force: true });
    } catch {
      // The code that met the disk's error first reports it.
    }
  }

  /** Gives the file that was begun its name, then removes the oldest ones of its kind. @param kept how many stay. */
  finish({ id, kind, isEncrypted }: Pick<Backup, "id" | "kind" | "isEncrypted">, kept: number): void {
    const name = `domovoi-${id}.jsonl.gz${isEncrypted ? ".age" : ""}`;
    for (const before of this.list()) if (before.id === id) this.remove(before);
    renameSync(join(this.#directory, UNFINISHED), join(this.#directory, name));
    syncDirectory(this.#directory);
    const older = this.list().filter((file) => file.kind === kind && file.id !== id);
    for (const file of older.slice(Math.max(0, kept - 1))) this.remove(file);
  }

  /** Newest first. */
  list(): readonly ReadyFile[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#directory);
    } catch {
      return []; // It is made with the first backup.
    }
    return names.flatMap(readyFile).sort((one, other) => other.takenAtMs - one.takenAtMs);
  }

  pathOf({ name }: ReadyFile): string {
    return join(this.#directory, name);
  }

  open(file: ReadyFile): BackupFile {
    const { name } = file;
    const path = this.pathOf(file);
    return { name, bytes: statSync(path).size, open: () => createReadStream(path) };
  }

  remove({ name }: ReadyFile): void {
    rmSync(join(this.#directory, name), { force: true });
  }
}

/** The id of a backup of this time, such as `nightly-2026-05-02T013000Z`. */
export function backupId(kind: BackupKind, takenAtMs: number): string {
  return `${kind}-${new Date(takenAtMs).toISOString().slice(0, 19).replaceAll(":", "")}Z`;
}

function readyFile(name: string): readonly ReadyFile[] {
  const { id, kind, day, hour, minute, second, age } = NAME.exec(name)?.groups ?? {};
  if (id === undefined || (kind !== "asked" && kind !== "nightly")) return [];
  const takenAtMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(takenAtMs) ? [] : [{ id, kind, takenAtMs, isEncrypted: age !== undefined, name }];
}
