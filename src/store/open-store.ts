/**
 * Opens the store: the directory, the state as it was left, the thread that writes. After this the main thread reads and
 * writes no database; what changes goes through the writer. Damage is recovered from here, before anyone sees the home.
 */

import type { Config } from "../config.ts";
import type { ServiceStore } from "../drivers/service.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { Fence, StoreStatus } from "../home/durability.ts";
import { type Clock, DAY_MS } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { readSecretFile } from "../util/secret-file.ts";
import { createAccountStore } from "./accounts.ts";
import { Backlog } from "./backlog.ts";
import { NightlyBackups } from "./backup/nightly-backups.ts";
import { type LastTest, StoredBackups } from "./backup/stored-backups.ts";
import type { StateRows } from "./database/read-tables.ts";
import { listSnapshots } from "./database/snapshot.ts";
import type { JournalLimits } from "./database/write-batch.ts";
import { type Directory, openDirectory, readBootId, reasonOf, refused } from "./directory.ts";
import { readOrigin, writeOrigin } from "./directory-origin.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { createDriverStore } from "./driver-store.ts";
import type { Engine } from "./engine.ts";
import { JournalReader } from "./journal-reader.ts";
import { type LoadedState, loadState } from "./load-state.ts";
import { machineName } from "./machine-name.ts";
import type { Claim } from "./postgres/claim.ts";
import { createReceivedDocumentStore } from "./received-documents.ts";
import { PastReader } from "./recording/past-reader.ts";
import { SampleHistory } from "./samples/sample-history.ts";
import { createSecrets, type Secrets } from "./secrets.ts";
import { SnapshotSchedule } from "./snapshot-schedule.ts";
import { SqliteEngine } from "./sqlite-engine.ts";
import type { Store } from "./store.ts";
import { StoredHome } from "./stored-home.ts";
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
  /** That this machine writes the home, where a standby has it already. Default: it is claimed. */
  readonly claim?: Claim;
  /** Another machine writes the home now. This process must end without another effect. */
  readonly onLost?: () => void;
};

/** @throws ControllerError STORE_UNAVAILABLE or BAD_VALUE with a sentence for the person who starts the service. */
export async function openStore(ports: StorePorts): Promise<Store> {
  const { dir, config } = ports;
  if (!["init", "keep"].includes(config.variablesAfterBoot)) {
    throw badValue("The setting variablesAfterBoot is init or keep.");
  }
  if (config.backupPassphraseFile !== "") readSecretFile("passphrase", config.backupPassphraseFile);
  const directory = openDirectory(dir);
  const limits = { ageMsMax: config.journalDaysMax * DAY_MS, bytesMax: config.journalBytesMax };
  const { database: path, snapshots, trace, note, samples } = directory;
  const sampleLimits = { ageMsMax: config.historyDaysMax * DAY_MS, bytesMax: config.historyBytesMax };
  const traceLimits = { recordsMax: config.traceRecordsMax, bytesMax: config.traceBytesMax };
  const lockFile = directory.lock ? null : directory.lockFile;
  const reserve = new DiskReserve({ ...ports, path: directory.reserve, bytes: config.diskReserveBytes });
  const settings = { path, snapshots, trace, note, lockFile, limits, traceLimits, samples, sampleLimits };
  const sqlite = new SqliteEngine(settings, () => loadState({ ...ports, reserve }, directory, limits));
  let engine: Engine = sqlite;
  try {
    engine.start();
    if (config.storeUrl === "") leaveDatabase(dir, ports.log);
    else engine = await openPostgres(ports, directory, sqlite, limits);
    const loaded = await engine.load();
    return assemble({ ...ports, reserve }, directory, engine, loaded);
  } catch (error) {
    await engine.stop();
    directory.release();
    if (error instanceof ControllerError) throw error;
    throw refused(dir, `cannot be opened (${reasonOf(error)})`, error);
  }
}

const PARTIAL =
  "holds a part of a home: its copy of the database was not complete when the machine ended. Start it once with storeUrl";

/** A copy of a database's home that is opened without the database is a home of its own from then on. */
function leaveDatabase(dir: string, log: Log): void {
  const { kind } = readOrigin(dir);
  if (kind === "partial") throw refused(dir, PARTIAL, null);
  if (kind === "copy")
    log.warn(
      "The home was kept in a database until now. From now on this directory keeps it, and the database is out of date.",
    );
  writeOrigin(dir, { kind: "own" });
}

async function openPostgres(
  ports: StorePorts,
  directory: Directory,
  copy: SqliteEngine,
  limits: JournalLimits,
): Promise<Engine> {
  const { config, clock, log, onLost = () => {} } = ports;
  const [{ claimHome }, { PostgresEngine }] = await Promise.all([
    import("./postgres/claim.ts"),
    import("./postgres/postgres-engine.ts"),
  ]);
  const { lease, epoch } = ports.claim ?? (await claimHome({ config, clock, log, onLost }));
  const { storeUrl: url, storeAnswerMs: answerMs } = config;
  return new PostgresEngine({ url, answerMs, clock, log, lease, copy, limits, directory }, epoch);
}

function assemble(
  ports: StorePorts & { readonly reserve: DiskReserve },
  directory: Directory,
  engine: Engine,
  loaded: LoadedState,
): Store {
  const { config, clock, log, reserve } = ports;
  const { rows, lastSeq, journalSeq } = loaded;
  const kept = new StoredHome(rows, lastSeq, clock);
  const backlog = new Backlog(kept.rowOf, lastSeq, journalSeq, config.storeBacklogMax);
  const touchAll = () => {
    backlog.forgetRows();
    for (const row of kept.keys()) backlog.touch(...row);
  };
  const writer = new Writer({ config, clock, log, backlog, engine, touchAll, reserve }, lastSeq);
  const isSameBoot = rememberBoot(rows, writer, ports.bootId === undefined ? readBootId() : ports.bootId);
  const receivedDocuments = createReceivedDocumentStore(rows.told_documents, (key) =>
    writer.touch("told_documents", key),
  );
  // A new twin goes on where the controller that it was made from was.
  const isNewTwin = receivedDocuments.names().some((name) => receivedDocuments.get(name)?.base === null);
  const isWarm = (isSameBoot && !config.coldStart) || isNewTwin || ports.claim?.isTakeover === true;
  const schedule = scheduleSnapshots(ports, directory, engine, writer);
  const exclusively: Writer["exclusively"] = (work, isPatient) => writer.exclusively(work, isPatient);
  const trace = new TraceLog({ config, clock, log, engine, exclusively });
  const backups = keepBackups(ports, directory, rows, writer);
  const nightly = new NightlyBackups({ config, clock, log, backups, timeZone: () => kept.timeZone });
  nightly.start();
  const secrets = keepSecrets(directory, engine, writer);
  reserve.start();
  const history = createHistory(ports, directory, { rows, writer, engine });
  const past = new PastReader({ config, dir: ports.dir, settled: () => writer.settled() });
  const { authority } = engine;
  let closing: Promise<void> | null = null;
  return {
    loadHome: () => kept.load(writer.record, !isWarm && config.variablesAfterBoot === "init" ? "init" : "keep"),
    createHome: (controller) => kept.create(writer.record, controller),
    record: writer.record,
    beforeCommit: (act) => writer.beforeCommit(act),
    committed: (seq) => writer.committed(seq),
    ...(authority && { mayAct: (fence: Fence) => authority.mayAct(fence) }),
    accounts: createAccountStore({
      rows,
      touch: (table, key) => writer.touch(table, key),
      saved: () => writer.saved(),
      secrets,
    }),
    secrets,
    driverStore: (driver) => driverStoreOf(driver, rows, writer),
    receivedDocuments,
    saved: () => writer.saved(),
    trace,
    journal: new JournalReader({ config, writer, engine }),
    backups,
    writing: () => ({ isFailing: writer.isFailing, backlogEntries: backlog.size }),
    history,
    past,
    writtenKeys: loaded.writtenKeys,
    warmStart: isWarm,
    status: statusOf(ports, engine),
    takenOverFrom: ports.claim?.isTakeover ? (ports.claim.before ?? "the machine that ran it before") : null,
    reachableAt: async (url) => authority?.reachableAt(url),
    close() {
      nightly.stop();
      reserve.stop();
      closing ??= close({ writer, engine, schedule, trace, backups, readers: [history, past], directory, log });
      return closing;
    },
  };
}

/** Also in the database, where there is one, with the next commit. */
function keepSecrets(directory: Directory, engine: Engine, writer: Writer): Secrets {
  return createSecrets(directory.secrets, (name, value) => {
    if (!engine.keepSecret) return;
    engine.keepSecret(name, value);
    writer.touch("meta", SECRETS_CHANGED);
  });
}

function statusOf({ config, clock }: StorePorts, { authority }: Engine): () => StoreStatus {
  const sinceMs = clock.now();
  return () => ({
    role: authority ? "writer" : "alone",
    epoch: authority?.epoch ?? 0,
    writer: machineName(config),
    sinceMs,
    isConfirmed: authority?.mayAct("none") ?? true,
  });
}

function driverStoreOf(driver: string, rows: StateRows, writer: Writer): ServiceStore {
  const touch = (key: string) => writer.touch("driver_store", key);
  return createDriverStore(driver, rows.driver_store, touch, () => writer.saved());
}

function keepBackups(
  { config, clock, log }: StorePorts,
  directory: Directory,
  { meta }: Pick<StateRows, "meta">,
  writer: Writer,
): StoredBackups {
  const { database, secrets, trace } = directory;
  return new StoredBackups({
    config,
    clock,
    log,
    source: { database, secrets, trace },
    directory: config.backupDirectory === "" ? directory.backups : config.backupDirectory,
    settled: () => writer.settled(),
    tests: {
      read: () => JSON.parse(meta.get(LAST_TEST) ?? "null") as LastTest | null,
      write(test) {
        meta.set(LAST_TEST, JSON.stringify(test));
        writer.touch("meta", LAST_TEST);
      },
    },
  });
}

const LAST_TEST = "backup_test";
/** A row that is never there: a commit that takes changed secrets along. */
const SECRETS_CHANGED = "secrets_changed";

type HistoryParts = { readonly rows: StateRows; readonly writer: Writer; readonly engine: Engine };

function createHistory(
  { config, clock }: StorePorts,
  directory: Directory,
  { rows, writer, engine }: HistoryParts,
): SampleHistory {
  return new SampleHistory({
    config,
    now: () => clock.now(),
    path: directory.samples,
    project: () => projectNewest(writer, engine),
    meta: rows.meta,
    saveMeta(key) {
      writer.touch("meta", key);
      return writer.saved();
    },
  });
}

/** A request for the newest samples writes so many slices at most; the others follow without it. */
const PROJECT_SLICES_MAX = 160;

/** Commits that are due go in between. */
async function projectNewest(writer: Writer, engine: Engine): Promise<void> {
  let isMore = true;
  const slice = async () => {
    isMore = await engine.project();
  };
  for (let count = 0; isMore && count < PROJECT_SLICES_MAX; count += 1)
    await writer.exclusively(slice, () => count > 0);
}

function scheduleSnapshots(
  { config, clock, log }: StorePorts,
  directory: Directory,
  engine: Engine,
  writer: Writer,
): SnapshotSchedule {
  const take = (nowMs: number) => writer.exclusively(() => engine.request({ kind: "snapshot", nowMs }));
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
  readonly engine: Engine;
  readonly schedule: SnapshotSchedule;
  readonly trace: TraceLog;
  readonly backups: StoredBackups;
  readonly readers: readonly { close(): Promise<void> }[];
  readonly directory: Directory;
  readonly log: Log;
};

async function close({ writer, engine, schedule, trace, backups, readers, directory, log }: Closing): Promise<void> {
  await backups.close();
  for (const reader of readers) await reader.close();
  await trace.close();
  const isSaved = await writer.close();
  if (!isSaved) log.error("The disk refused the last changes. Changes that were not acknowledged are lost.");
  try {
    if (isSaved) await schedule.stop();
    await engine.request({ kind: "close" });
  } catch (error) {
    log.warn("The database was not closed in order; the next start will look after it.", { error });
  } finally {
    await engine.stop();
    directory.release();
  }
}
