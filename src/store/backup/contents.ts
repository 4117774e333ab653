/**
 * The contents of a backup, and which of them are secret. A new table of the home needs its row here; the compiler
 * requires it. Every backup leaves out the progress of programs (a restored home must not repeat work that was under
 * way) and sessions (an ended session must not return).
 */

import type { StateTable } from "../database/tables.ts";

type Rule = {
  /** Part of the logical state, whose hash proves that a restored home is the same. */
  readonly isLogical: boolean;
  /** Stored in encrypted backups only. */
  readonly isSecret: boolean;
};

const OPEN: Rule = { isLogical: true, isSecret: false };

const TABLES = {
  meta: null,
  controller: OPEN,
  folders: OPEN,
  hidden_nodes: OPEN,
  // They hold what network resources send, before and after.
  edits: { isLogical: true, isSecret: true },
  groups: OPEN,
  nodes: OPEN,
  properties: OPEN,
  programs: OPEN,
  program_runs: OPEN,
  program_progress: null,
  program_holds: null,
  variables: OPEN,
  // Paths, headers and bodies hold keys and passwords of other machines.
  network_resources: { isLogical: true, isSecret: true },
  // Their secrets are files, see "secrets".
  integrations: OPEN,
  // Not of drivers that keep a secret there, see isOpenRow.
  driver_store: OPEN,
  // Not what holds network resources, see isOpenRow.
  told_documents: OPEN,
  accounts: { isLogical: false, isSecret: true },
  known_devices: { isLogical: false, isSecret: true },
  sessions: null,
} as const satisfies Readonly<Record<StateTable, Rule | null>>;

export type BackupTable = {
  [T in StateTable]: (typeof TABLES)[T] extends null ? never : T;
}[StateTable];

/** The past, on request: the journal and the trace of the programs. */
export type HistoryName = "journal" | "trace";

/** `secrets`: files of the directory of that name. */
export type ContentName = BackupTable | "secrets" | HistoryName;

/** In the order in which they stand in a file. */
export const BACKUP_TABLES = Object.entries(TABLES)
  .filter(([, rule]) => rule !== null)
  .map(([name]) => name as BackupTable);

export const CONTENT_NAMES: readonly ContentName[] = [...BACKUP_TABLES, "secrets", "journal", "trace"];

export function isBackupTable(name: ContentName): name is BackupTable {
  return name !== "secrets" && !isHistory(name);
}

export function isHistory(name: ContentName): name is HistoryName {
  return name === "journal" || name === "trace";
}

export function isLogical(name: ContentName): boolean {
  return isBackupTable(name) && TABLES[name].isLogical;
}

export function isSecret(name: ContentName): boolean {
  return name === "secrets" || (isBackupTable(name) && TABLES[name].isSecret);
}

/**
 * Drivers whose store is known to hold no secret. A radio's knowledge of its network can hold the codes of locks, so every
 * other driver's goes into encrypted backups only.
 */
const OPEN_DRIVERS = /^(virtual\d*|alerts|alerts-begun|floor-plan|turned-states)$/;

/** The driver of a row of `driver_store`. */
export function driverOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

export function isOpenDriver(driver: string): boolean {
  return OPEN_DRIVERS.test(driver);
}

/** Commands that wait for a device: a restored home must not send them again. */
const UNDER_WAY = /^[^/]*\/waiting( |$)/;

/** Whether a row is of the moment alone, and in no backup. */
export function isUnderWay(table: BackupTable, key: string): boolean {
  return table === "driver_store" && UNDER_WAY.test(key);
}

/** A twin's network resources as its original sent them. */
const TOLD_RESOURCES = "/rest/networking/resources";

/** Whether an open backup may hold this row of a table that is open. */
export function isOpenRow(table: BackupTable, key: string): boolean {
  if (table === "driver_store") return isOpenDriver(driverOf(key));
  return table !== "told_documents" || key !== TOLD_RESOURCES;
}

/** Whether an open backup holds only a part of the table's rows. */
export function isPartlySecret(table: StateTable): boolean {
  return table === "driver_store" || table === "told_documents";
}
