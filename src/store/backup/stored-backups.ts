/** The controller's own backups: made one at a time by a thread of their own, kept only when they were proven. */

import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import type { Backup, BackupFile, BackupKind, Backups } from "../../home/durability.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { productVersion } from "../../version.ts";
import { BackupFiles, backupId, type ReadyFile } from "./backup-files.ts";
import type { BackupSource } from "./backup-lines.ts";
import { makeBackup } from "./backup-thread.ts";
import type { MadeBackup } from "./backup-worker.ts";
import { checkNewPassphrase } from "./encryption.ts";

export type StoredBackupsPorts = {
  readonly config: Pick<Config, "backupsKept">;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: BackupSource;
  readonly directory: string;
  /** Settles when everything until now is on disk. @throws ControllerError STORE_UNAVAILABLE */
  readonly settled: () => Promise<void>;
};

/** Of those that a person asked for, the newest: they are fetched, and then somewhere else. */
const ASKED_KEPT = 1;

export class StoredBackups implements Backups {
  readonly #ports: StoredBackupsPorts;
  readonly #files: BackupFiles;
  readonly #abort = new AbortController();
  /** What is known beyond the files: of those of this run. */
  readonly #made = new Map<string, MadeBackup>();
  /** The one under way, or the last one when it failed. */
  #latest: Backup | null = null;
  #isBusy = false;
  #making: Promise<void> = Promise.resolve();

  constructor(ports: StoredBackupsPorts) {
    this.#ports = ports;
    this.#files = new BackupFiles(ports.directory);
  }

  list(): readonly Backup[] {
    const ready = this.#files.list().map((file) => this.#ready(file));
    return this.#latest ? [this.#latest, ...ready.filter(({ id }) => id !== this.#latest?.id)] : ready;
  }

  find(id: string): Backup {
    if (this.#latest?.id === id) return this.#latest;
    return this.#ready(this.#require(id));
  }

  make(passphrase: string | null, withHistory: boolean): Promise<Backup> {
    return this.begin("asked", passphrase, withHistory);
  }

  /** @throws as `make` does. */
  async begin(kind: BackupKind, passphrase: string | null, withHistory: boolean): Promise<Backup> {
    if (passphrase !== null) checkNewPassphrase(passphrase);
    if (this.#isBusy) throw new ControllerError("BACKUP_UNDER_WAY");
    this.#isBusy = true;
    const takenAtMs = this.#ports.clock.now();
    try {
      await this.#ports.settled();
      const begun: Backup = {
        id: backupId(kind, takenAtMs),
        kind,
        state: "making",
        takenAtMs,
        isEncrypted: passphrase !== null,
        progress: 0,
        bytes: null,
        sha256: null,
        logicalHash: null,
        failure: null,
      };
      this.#latest = begun;
      this.#making = this.#run(begun, passphrase, withHistory);
      return begun;
    } catch (error) {
      this.#isBusy = false;
      throw error;
    }
  }

  async settled(id: string, signal: AbortSignal): Promise<void> {
    if (this.#latest?.id !== id || signal.aborted) return;
    await Promise.race([this.#making, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
  }

  file(id: string): BackupFile {
    return this.#files.open(this.#require(id));
  }

  remove(id: string): void {
    this.#files.remove(this.#require(id));
  }

  /** The newest of a kind that is ready; null = there is none. */
  newestAtMs(kind: BackupKind): number | null {
    return this.#files.list().find((file) => file.kind === kind)?.takenAtMs ?? null;
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#making;
  }

  /** Never rejects. */
  async #run(begun: Backup, passphrase: string | null, withHistory: boolean): Promise<void> {
    const { source, log, config } = this.#ports;
    try {
      const order = { passphrase, withHistory, nowMs: begun.takenAtMs, product: productVersion };
      const task = { source, path: this.#files.begin(), order };
      const onProgress = (news: Pick<Backup, "state" | "progress">) => {
        this.#latest = { ...begun, ...news };
      };
      const made = await makeBackup(task, onProgress, this.#abort.signal);
      this.#files.finish(begun, begun.kind === "nightly" ? config.backupsKept : ASKED_KEPT);
      this.#made.set(begun.id, made);
      this.#latest = null;
      log.info("A backup was made and proven by restoring it.", { backup: begun.id, ...made });
    } catch (error) {
      this.#fail(begun, error);
    } finally {
      this.#isBusy = false;
    }
  }

  #fail(begun: Backup, error: unknown): void {
    this.#files.dropUnfinished();
    if (this.#abort.signal.aborted) return;
    const failure = error instanceof ControllerError ? error.message : "The backup could not be written to the disk.";
    this.#latest = { ...begun, state: "failed", failure };
    this.#ports.log.error("No backup could be made. The ones before are still there.", { backup: begun.id, error });
  }

  #ready(file: ReadyFile): Backup {
    const { name: _name, ...about } = file;
    const { sha256 = null, logicalHash = null } = this.#made.get(file.id) ?? {};
    const { bytes } = this.#files.open(file);
    return { ...about, state: "ready", progress: 1, bytes, sha256, logicalHash, failure: null };
  }

  #require(id: string): ReadyFile {
    const file = this.#files.list().find((each) => each.id === id);
    if (!file) throw new ControllerError("BACKUP_NOT_FOUND");
    return file;
  }
}
