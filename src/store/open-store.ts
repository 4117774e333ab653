/**
 * Opens the store: the directory, the state as it was left, the thread that writes. After this the main thread reads and
 * writes no database; what changes goes through the writer. Damage is recovered from here, before anyone sees the home.
 */

import { existsSync, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { createAccountStore } from "./accounts.ts";
import { Backlog } from "./backlog.ts";
import { KeptBackups } from "./backup/stored-backups.ts";
import { NightlyBackups } from "./backup/nightly-backups.ts";
import { readPassphraseFile } from "./backup/passphrase-file.ts";
import { DamageError, isDamageAtOpen } from "./database/damage.ts";
import { checkLength, openDatabase, PAGE_BYTES, repairHeader } from "./database/open-database.ts";
import { readLastJournalSeq, readState, type StateRows } from "./database/read-tables.ts";
import { settleRebuild } from "./database/rebuild.ts";
import { listSnapshots } from "./database/snapshot.ts";
import { inspectLog } from "./database/write-ahead-log.ts";
import type { JournalLimits } from "./database/write-batch.ts";
import { type Directory, openDirectory, readBootId, reasonOf, refused } from "./directory.ts";
import { createDriverStore } from "./driver-store.ts";
import { JournalThread } from "./journal-thread.ts";
import { KeptHome } from "./stored-home.ts";
import { recover } from "./recover.ts";
import { createSecrets } from "./secrets.ts";
import { SnapshotSchedule } from "./snapshot-schedule.ts";
import type { Store } from "./store.ts";
import { createReceivedDocumentStore } from "./received-documents.ts";
import { TraceLog } from "./trace-log.ts";
import { Writer } from "./writer.ts";

export type StorePorts = {
  /** Value of the setting `data`. */
  readonly dir: string;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Differs after every boot of the machine; null where that is not known. Default: the machine's. */
  readonly bootId?: string | null;
};

type Loaded = { readonly rows: StateRows; readonly lastSeq: number; readonly journalSeq: number };

const DAY_MS = 86_400_000;

/** @throws ControllerError STORE_UNAVAILABLE or BAD_VALUE with a sentence for the person who starts the service. */
export async function openStore(ports: StorePorts): Promise<Store> {
  const { dir, config } = ports;
  if (!["init", "keep"].includes(config.variablesAfterBoot)) {
    throw new ControllerError("BAD_VALUE", { sentence: "The setting variablesAfterBoot is init or keep." });
  }
  if (config.backupPassphraseFile !== "") readPassphraseFile(config.backupPassphraseFile);
  const directory = openDirectory(dir);
  const limits = { ageMsMax: config.journalDaysMax * DAY_MS, bytesMax: config.journalBytesMax };
  const { database: path, snapshots, trace } = directory;
  const traceLimits = { recordsMax: config.traceRecordsMax, bytesMax: config.traceBytesMax };
  const thread = new JournalThread({ path, snapshots, trace, limits, traceLimits });
  try {
    thread.start();
    return assemble(ports, directory, thread, load(ports, directory, limits));
  } catch (error) {
    await thread.stop();
    directory.release();
    if (error instanceof ControllerError) throw error;
    throw refused(dir, `cannot be opened (${reasonOf(error)})`, error);
  }
}

function load({ clock, log }: StorePorts, directory: Directory, limits: JournalLimits): Loaded {
  settleRebuild(directory.database);
  try {
    checkPresence(directory);
    return readDatabase(directory.database, log);
  } catch (error) {
    if (!isDamageAtOpen(error)) throw error;
    recover({ directory, limits, nowMs: clock.now(), log }, error);
    return readDatabase(directory.database, log);
  }
}

function readDatabase(path: string, log: Log): Loaded {
  const bytes = repairHeader(path);
  if (bytes > 0) log.warn("The header of the database was damaged and has been put right.", { bytes });
  const end = inspectLog(`${path}-wal`, PAGE_BYTES);
  if (end.commitsDropped > 0) log.error("The end of the database's log is damaged: the last writes are lost.", end);
  else if (end.pagesDropped > 0)
    log.info("A write that was cut off at the last stop was dropped. Nobody was told that it was done.", end);
  const loaded = readRows(path);
  checkLength(path);
  return loaded;
}

function readRows(path: string): Loaded {
  const db = openDatabase(path);
  try {
    const rows = readState(db);
    const journalSeq = readLastJournalSeq(db);
    return { rows, journalSeq, lastSeq: Math.max(journalSeq, Number(rows.meta.get("last_seq") ?? 0)) };
  } finally {
    db.close();
  }
}

/** Where there are snapshots there was a home. @throws DamageError when its database is gone. */
function checkPresence({ database, snapshots }: Directory): void {
  const isThere = existsSync(database) && statSync(database).size > 0;
  if (!isThere && listSnapshots(snapshots).length > 0) throw new DamageError("The database is gone.");
}

function assemble(ports: StorePorts, directory: Directory, thread: JournalThread, loaded: Loaded): Store {
  const { config, clock, log } = ports;
  const { rows, lastSeq, journalSeq } = loaded;
  const kept = new KeptHome(rows, lastSeq, clock);
  const backlog = new Backlog(kept.rowOf, lastSeq, journalSeq, config.storeBacklogMax);
  const touchAll = () => {
    backlog.forgetRows();
    for (const row of kept.keys()) backlog.touch(...row);
  };
  const writer = new Writer({ config, clock, log, backlog, thread, touchAll }, lastSeq);
  const isSameBoot = rememberBoot(rows, writer, ports.bootId === undefined ? readBootId() : ports.bootId);
  const receivedDocuments = createReceivedDocumentStore(rows.told_documents, (key) =>
    writer.touch("told_documents", key),
  );
  // A new twin goes on where the controller that it was made from was.
  const isNewTwin = receivedDocuments.names().some((name) => receivedDocuments.get(name)?.base === null);
  const isWarm = (isSameBoot && !config.coldStart) || isNewTwin;
  const schedule = scheduleSnapshots(ports, directory, thread, writer);
  const trace = new TraceLog({ config, clock, log, thread, exclusively: (work) => writer.exclusively(work) });
  const backups = keepBackups(ports, directory, writer);
  const nightly = new NightlyBackups({ config, clock, log, backups, timeZone: () => kept.timeZone });
  nightly.start();
  let closing: Promise<void> | null = null;
  return {
    loadHome: () => kept.load(writer.record, !isWarm && config.variablesAfterBoot === "init" ? "init" : "keep"),
    createHome: (controller) => kept.create(writer.record, controller),
    record: writer.record,
    beforeCommit: (act) => writer.beforeCommit(act),
    committed: (seq) => writer.committed(seq),
    accounts: createAccountStore({
      rows,
      touch: (table, key) => writer.touch(table, key),
      saved: () => writer.saved(),
      secrets: createSecrets(directory.secrets),
    }),
    driverStore: (driver) =>
      createDriverStore(
        driver,
        rows.driver_store,
        (key) => writer.touch("driver_store", key),
        () => writer.saved(),
      ),
    receivedDocuments,
    saved: () => writer.saved(),
    trace,
    backups,
    warmStart: isWarm,
    close() {
      nightly.stop();
      closing ??= close({ writer, thread, schedule, trace, backups, directory, log });
      return closing;
    },
  };
}

function keepBackups({ config, clock, log }: StorePorts, directory: Directory, writer: Writer): KeptBackups {
  const settled = () => writer.settled();
  const { database, secrets, trace } = directory;
  const place = config.backupDirectory === "" ? directory.backups : config.backupDirectory;
  return new KeptBackups({ config, clock, log, source: { database, secrets, trace }, directory: place, settled });
}

function scheduleSnapshots(
  { config, clock, log }: StorePorts,
  directory: Directory,
  thread: JournalThread,
  writer: Writer,
): SnapshotSchedule {
  const take = (nowMs: number) => writer.exclusively(() => thread.request({ kind: "snapshot", nowMs }));
  const newest = listSnapshots(directory.snapshots)[0]?.takenAtMs ?? null;
  const schedule = new SnapshotSchedule({ intervalMs: config.snapshotIntervalMs, clock, log, take }, newest);
  schedule.start();
  return schedule;
}

/** Notes the boot of this run. @returns whether the last run was in the same one. */
function rememberBoot(rows: StateRows, writer: Writer, bootId: string | null): boolean {
  const body = JSON.stringify(bootId);
  const before = rows.meta.get("boot_id");
  if (before === body) return true;
  rows.meta.set("boot_id", body);
  writer.touch("meta", "boot_id");
  return before !== undefined && bootId === null;
}

type Closing = {
  readonly writer: Writer;
  readonly thread: JournalThread;
  readonly schedule: SnapshotSchedule;
  readonly trace: TraceLog;
  readonly backups: KeptBackups;
  readonly directory: Directory;
  readonly log: Log;
};

async function close({ writer, thread, schedule, trace, backups, directory, log }: Closing): Promise<void> {
  await backups.close();
  await trace.close();
  const isSaved = await writer.close();
  if (!isSaved) log.error("The disk did not take the last changes. What nobody was told to be done is lost.");
  try {
    if (isSaved) await schedule.stop();
    await thread.request({ kind: "close" });
  } catch (error) {
    log.warn("The database was not closed in order; the next start will look after it.", { error });
  } finally {
    await thread.stop();
    directory.release();
  }
}
