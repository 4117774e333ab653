/** THE MEMORY: what the rest of the controller sees of the store. `openStore` in open-store.ts builds it. */

import type { AccountStore } from "../auth/records.ts";
import type { ServiceStore } from "../drivers/service.ts";
import type { Recorder } from "../home/change-feed.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Backups, Durability, StoreStatus } from "../home/durability.ts";
import type { History } from "../home/history.ts";
import type { Home } from "../home/home.ts";
import type { PastHomes } from "../home/past.ts";
import type { JournalReader } from "./journal-reader.ts";
import type { ReceivedDocumentStore } from "./received-documents.ts";
import type { Secrets } from "./secrets.ts";
import type { TraceLog } from "./trace-log.ts";

export type Store = Durability & {
  /** The home as it was left, or null on a new data directory. */
  loadHome(): { readonly home: Home; readonly lastSeq: number } | null;
  /** Makes the first home. */
  createHome(controller: ControllerRecord): { readonly home: Home; readonly lastSeq: number };
  /** The journal, for `ChangeFeed.record`. Never throws; `committed` rejects on failures. */
  readonly record: Recorder;
  /** Has something done before entries go to the disk, so that what follows from them goes along. `act` must not throw. */
  beforeCommit(act: () => void): void;
  readonly accounts: AccountStore;
  /** Secrets as files of mode 0600 beside the database. */
  readonly secrets: Secrets;
  driverStore(driver: string): ServiceStore;
  /** For a twin: the documents of its original; without names otherwise. */
  readonly receivedDocuments: ReceivedDocumentStore;
  /** Settles when what was put beside the home is on disk. @throws ControllerError STORE_UNAVAILABLE */
  saved(): Promise<void>;
  /** The trace of the programs: a ring of records, written without waiting. */
  readonly trace: Pick<TraceLog, "append" | "read" | "onceGrown">;
  /** The past: entries of the journal. */
  readonly journal: Pick<JournalReader, "latest">;
  readonly backups: Backups;
  /** How the disk keeps up. */
  writing(): { readonly isFailing: boolean; readonly backlogEntries: number };
  /** Past values of properties. */
  readonly history: History;
  readonly past: PastHomes;
  /** Causes of the newest entries that clients named by keys of their own. */
  readonly writtenKeys: readonly string[];
  /** True when the machine has not booted since the last run of the service, and no cold start was requested. */
  readonly warmStart: boolean;
  /** Who writes the home: this machine, alone or with standbys. */
  status(): StoreStatus;
  /** How people name the machine from which this one took the home over since its start; null: from none. */
  readonly takenOverFrom: string | null;
  /** Tells standbys where clients reach this machine. Never throws. */
  reachableAt(url: string): Promise<void>;
  /** Writes what is buffered, closes the files. */
  close(): Promise<void>;
};
