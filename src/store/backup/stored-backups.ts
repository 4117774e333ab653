/** The controller's own backups: made one at a time by a thread of their own, kept only when they were proven. */

import { extname } from "node:path";
import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import type { Backup, BackupFile, BackupKind, Backups, BackupTest } from "../../home/durability.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { readSecretFile } from "../../util/secret-file.ts";
import { runInThread } from "../../util/thread-task.ts";
import { productVersion } from "../../version.ts";
import { BackupFiles, backupId, type ReadyFile } from "./backup-files.ts";
import type { BackupSource } from "./backup-lines.ts";
import type { BackupProgress, BackupTask, MadeBackup } from "./backup-worker.ts";
import { checkNewPassphrase } from "./encryption.ts";

type StoredBackupsPorts = {
  readonly config: Pick<Config, "backupsKept" | "backupPassphraseFile">;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: BackupSource;
  readonly directory: string;
  /** Settles when everything until now is on disk. @throws ControllerError STORE_UNAVAILABLE */
  readonly settled: () => Promise<void>;
  /** The last self-test, over restarts. */
  readonly tests: { read(): LastTest | null; write(test: LastTest): void };
};

export type LastTest = BackupTest & { readonly backup: string };

/** Number of requested backups that are kept: they are downloaded, and then stored somewhere else. */
const ASKED_KEPT = 1;

export class StoredBackups implements Backups {
  readonly #ports: StoredBackupsPorts;
  readonly #files: BackupFiles;
  readonly #abort = new AbortController();
  /** Facts beyond the files, for backups of this run. */
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
    const latest = this.#latest;
    if (!latest) return ready;
    return [latest, ...ready.filter(({ id }) => id !== latest.id)].sort((a, b) => b.takenAtMs - a.takenAtMs);
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
        test: null,
      };
      this.#latest = begun;
      this.#making = this.#run(begun, passphrase, withHistory);
      return begun;
    } catch (error) {
      this.#isBusy = false;
      throw error;
    }
  }

  prove(id: string): Backup {
    const file = this.#require(id);
    if (this.#isBusy) throw new ControllerError("BACKUP_UNDER_WAY");
    const known = file.isEncrypted ? this.#nightlyPassphrase() : null;
    if (file.isEncrypted && known === null) {
      const sentence =
        "The backup is encrypted and its passphrase is not stored here. Prove it with: domovoi backup verify FILE";
      throw new ControllerError("BACKUP_REFUSED", sentence);
    }
    this.#isBusy = true;
    const begun: Backup = { ...this.#ready(file), state: "proving", progress: 0 };
    this.#latest = begun;
    this.#making = this.#prove(begun, { making: null, path: this.#files.pathOf(file), passphrase: known });
    return begun;
  }

  /**
   * Proves the newest one that can be opened, when no self-test was made for so long. Settles when it is over.
   * @param except one that is not proven again
   */
  async proveIfDue(periodMs: number, except: string): Promise<void> {
    const last = this.#ports.tests.read();
    if (periodMs <= 0 || this.#isBusy || (last && this.#ports.clock.now() - last.atMs < periodMs)) return;
    const canOpenNightly = this.#nightlyPassphrase() !== null;
    const newest = this.#files
      .list()
      .find(({ id, isEncrypted, kind }) => id !== except && (!isEncrypted || (kind === "nightly" && canOpenNightly)));
    if (!newest) return;
    this.prove(newest.id);
    await this.#making;
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

  /** The newest completed one of a kind; null = none. */
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
      const task = { making: { source, order }, path: this.#files.begin(), passphrase };
      const made = await this.#work(begun, task);
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

  #work(begun: Backup, task: BackupTask): Promise<MadeBackup> {
    const onProgress = (news: Pick<Backup, "state" | "progress">) => {
      this.#latest = { ...begun, ...news };
    };
    return makeBackup(task, onProgress, this.#abort.signal);
  }

  /** Never rejects. */
  async #prove(begun: Backup, task: BackupTask): Promise<void> {
    const { clock, log, tests } = this.#ports;
    const { id: backup } = begun;
    try {
      const made = await this.#work(begun, task);
      this.#made.set(backup, made);
      tests.write({ backup, atMs: clock.now(), failure: null });
      log.info("A stored backup was proven once more by restoring it.", { backup });
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const failure = error instanceof ControllerError ? error.message : "The backup cannot be read from the disk.";
      tests.write({ backup, atMs: clock.now(), failure });
      log.error("A stored backup does not restore. Make another one, and look at its disk.", { backup, error });
    } finally {
      this.#latest = null;
      this.#isBusy = false;
    }
  }

  #nightlyPassphrase(): string | null {
    const { backupPassphraseFile: file } = this.#ports.config;
    return file === "" ? null : readSecretFile("passphrase", file);
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
    const last = this.#ports.tests.read();
    const test = last?.backup === file.id ? { atMs: last.atMs, failure: last.failure } : null;
    return { ...about, state: "ready", progress: 1, bytes, sha256, logicalHash, failure: null, test };
  }

  #require(id: string): ReadyFile {
    const file = this.#files.list().find((each) => each.id === id);
    if (!file) throw new ControllerError("BACKUP_NOT_FOUND");
    return file;
  }
}

/** For the home of the largest size, restored in memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 };

/** @throws ControllerError as the thread met it; Error with the reason of the disk, or when it was ended by the signal. */
function makeBackup(
  task: BackupTask,
  onProgress: (progress: BackupProgress) => void,
  signal: AbortSignal,
): Promise<MadeBackup> {
  const entry = new URL(`./backup-worker${extname(import.meta.url)}`, import.meta.url);
  return runInThread({ entry, task, resourceLimits: RESOURCE_LIMITS, onProgress, signal });
}
