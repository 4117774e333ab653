/**
 * Opens the store: the directory, the state as it was left, the thread that writes. After this the main thread reads and
 * writes no database; what changes goes through the writer. Damage is recovered from here, before anyone sees the home.
 */

import { existsSync, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { createAccountStore } from "./accounts.ts";
import { Backlog } from "./backlog.ts";
import { DamageError, isDamageAtOpen } from "./database/damage.ts";
import { checkLength, openDatabase, PAGE_BYTES, repairHeader } from "./database/open-database.ts";
import { readLastJournalSeq, readState, type StateRows } from "./database/read-tables.ts";
import { settleRebuild } from "./database/rebuild.ts";
import { listSnapshots } from "./database/snapshot.ts";
import { STATE_TABLES, type StateTable } from "./database/tables.ts";
import { inspectLog } from "./database/write-ahead-log.ts";
import type { JournalLimits } from "./database/write-batch.ts";
import { type Directory, openDirectory, readBootId, reasonOf, refused } from "./directory.ts";
import { createDriverStore } from "./driver-store.ts";
import { HOME_TABLE_NAMES, HOME_TABLES, homeOf, homeRow, isHomeTable } from "./home-tables.ts";
import { JournalThread } from "./journal-thread.ts";
import { recover } from "./recover.ts";
import { createSecrets } from "./secrets.ts";
import { SnapshotSchedule } from "./snapshot-schedule.ts";
import type { Store } from "./store.ts";
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
  const directory = openDirectory(dir);
  const limits = { ageMsMax: config.journalDaysMax * DAY_MS, bytesMax: config.journalBytesMax };
  const thread = new JournalThread({ path: directory.database, snapshots: directory.snapshots, limits });
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
  let home: Home | null = null;
  const source = (table: StateTable, key: string): string | null => {
    if (!isHomeTable(table)) return rows[table].get(key) ?? null;
    return home && homeRow(home, table, key);
  };
  const backlog = new Backlog(source, lastSeq, journalSeq, config.storeBacklogMax);
  const touchAll = () => touchEverything(backlog, home, rows);
  const writer = new Writer({ config, clock, log, backlog, thread, touchAll }, lastSeq);
  const take = (nowMs: number) => writer.exclusively(() => thread.request({ kind: "snapshot", nowMs }));
  const snapshotPorts = { intervalMs: config.snapshotIntervalMs, clock, log, take };
  const schedule = new SnapshotSchedule(snapshotPorts, listSnapshots(directory.snapshots)[0]?.takenAtMs ?? null);
  schedule.start();
  const isWarm = rememberBoot(rows, writer, ports.bootId === undefined ? readBootId() : ports.bootId);
  const adopt = (adopted: Home) => {
    home = adopted;
    for (const table of HOME_TABLE_NAMES) rows[table].clear();
    return new ChangeFeed(adopted, clock, lastSeq);
  };
  let closing: Promise<void> | null = null;
  return {
    loadHome() {
      const known = homeOf(rows);
      if (!known) return null;
      const feed = adopt(known);
      feed.listen(writer.record);
      if (!isWarm && config.variablesAfterBoot === "init") initVariables(known, feed, clock);
      return { home: known, lastSeq: feed.lastSeq };
    },
    createHome(controller) {
      // After damage there may be rows of a home whose controller is lost: they find a new one.
      const made = homeOf({ ...rows, controller: new Map([["controller", JSON.stringify(controller)]]) });
      if (!made) throw new Error("A home with a controller can be made.");
      const feed = adopt(made);
      feed.listen(writer.record);
      feed.commit({ type: "controller-changed", controller }, SYSTEM_CAUSE);
      return { home: made, lastSeq: feed.lastSeq };
    },
    record: writer.record,
    committed: (seq) => writer.committed(seq),
    accounts: createAccountStore({
      rows,
      touch: (table, key) => writer.touch(table, key),
      saved: () => writer.saved(),
      secrets: createSecrets(directory.secrets),
    }),
    driverStore: (driver) => createDriverStore(driver, rows.driver_store, (key) => writer.touch("driver_store", key)),
    warmStart: isWarm,
    close() {
      closing ??= close({ writer, thread, schedule, directory, log });
      return closing;
    },
  };
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

/** After a boot every variable begins with its initial value. */
function initVariables(home: Home, feed: ChangeFeed, clock: Clock): void {
  for (const variables of Object.values(home.variables)) {
    for (const { type, id, value, init } of variables.values()) {
      if (value === init) continue;
      const written = { variableType: type, id, value: init, before: value, writtenAtMs: clock.now() };
      feed.commit({ type: "variable-written", ...written }, SYSTEM_CAUSE);
    }
  }
}

function touchEverything(backlog: Backlog, home: Home | null, rows: StateRows): void {
  backlog.forgetRows();
  for (const table of STATE_TABLES) {
    const keys = isHomeTable(table) ? home && HOME_TABLES[table].keys(home) : rows[table].keys();
    for (const key of keys ?? []) backlog.touch(table, String(key));
  }
}

type Closing = {
  readonly writer: Writer;
  readonly thread: JournalThread;
  readonly schedule: SnapshotSchedule;
  readonly directory: Directory;
  readonly log: Log;
};

async function close({ writer, thread, schedule, directory, log }: Closing): Promise<void> {
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
