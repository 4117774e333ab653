/** A span of the journal of a data directory, for a replay: opened read-only, also while the service runs. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { ServiceStore } from "../../drivers/service.ts";
import { badValue } from "../../errors.ts";
import { entriesOf } from "../../home/apply-change.ts";
import type { Entry, JournalEntry } from "../../home/change.ts";
import { Home } from "../../home/home.ts";
import type { PastHome } from "../../home/past.ts";
import { openForSalvage } from "../database/open-database.ts";
import type { StateRows } from "../database/read-tables.ts";
import { listSnapshots } from "../database/snapshot.ts";
import { readSnapshot, readUpgraded } from "../database/upgraded-rows.ts";
import { createDriverStore } from "../driver-store.ts";
import { copyHome, homeOf } from "../home-tables.ts";
import type { Gap } from "../journal.ts";
import { createReceivedDocumentStore, type ReceivedDocumentStore } from "../received-documents.ts";
import { lastSeqOf } from "../recovery-copies.ts";
import { homeByReplaying, homeByUndoing } from "./past-home.ts";
import { firstSeqSince, type JournalSpan, journalSpan, readJournal } from "./read-journal.ts";

type StoredRecording = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly endsAtMs: number;
  home(): Home;
  readonly unknown: PastHome["unknown"];
  present(): Home;
  /** The present storage of an integration. */
  driverStore(id: string): ServiceStore;
  /** The documents of a twin's original. */
  readonly receivedDocuments: Pick<ReceivedDocumentStore, "get" | "names">;
  entries(): Iterable<Entry | Gap>;
  commands(): Iterable<Entry>;
  [Symbol.dispose](): void;
};

/** Commands that were begun before the end are looked for this much longer. */
const COMMANDS_AFTER_MS = 60_000;

/**
 * @param dir a data directory.
 * @throws ControllerError BAD_VALUE when there is no home or no journal of that time, or the end comes before the beginning.
 */
export function openRecording(dir: string, fromMs: number, toMs: number): StoredRecording {
  if (fromMs >= toMs) throw badValue("The end of a span must be after its start.");
  const db = openHome(dir);
  try {
    // One transaction, so that everything is of the same instant while the service goes on writing.
    db.exec("BEGIN");
    const span = journalSpan(db);
    if (!span) throw badValue("The journal is empty.");
    const firstSeq = firstSeqSince(db, fromMs);
    if (firstSeq === null)
      throw badValue(`The journal holds nothing of that time; its last entry is of ${time(span.lastAtMs)}.`);
    const rows = readUpgraded(db);
    const { home, unknown } = homeAt(db, join(dir, "snapshots"), span, firstSeq, fromMs);
    const within = function* (type: string | null, untilMs: number): Iterable<Entry | Gap> {
      for (const item of readJournal(db, firstSeq, span.lastSeq, type)) {
        if (item.atMs > untilMs) return;
        if (item.atMs < fromMs) continue;
        if ("dropped" in item) yield item;
        else yield* entriesOf(item);
      }
    };
    return {
      fromMs,
      toMs,
      endsAtMs: span.lastAtMs,
      home: () => copyHome(home),
      unknown,
      present: () => presentHome(rows),
      driverStore: (id) => createDriverStore(id, rows.driver_store, ignore, async () => {}),
      receivedDocuments: createReceivedDocumentStore(rows.told_documents, ignore),
      entries: () => within(null, toMs),
      commands: () => withoutGaps(within("command-moved", toMs + COMMANDS_AFTER_MS)),
      [Symbol.dispose]: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * The home at an instant, with the changes of the instant itself.
 * @param dir a data directory.
 * @returns null before the journal begins.
 */
export function readHomeAt(dir: string, atMs: number): PastHome | null {
  using db = openForSalvage(join(dir, "domovoi.sqlite"));
  db.exec("BEGIN");
  const span = journalSpan(db);
  if (!span || atMs < span.firstAtMs) return null;
  const firstSeq = firstSeqSince(db, atMs + 1);
  if (firstSeq === null) return { home: presentHome(readUpgraded(db)), unknown: { properties: 0, others: 0 } };
  return homeAt(db, join(dir, "snapshots"), span, firstSeq, atMs + 1);
}

/** IANA zone of the home in a data directory. @throws ControllerError BAD_VALUE when there is no home. */
export function recordedZone(dir: string): string {
  using db = openHome(dir);
  return presentHome(readUpgraded(db)).controller.timeZone;
}

function openHome(dir: string): DatabaseSync {
  const path = join(dir, "domovoi.sqlite");
  if (!existsSync(path)) throw badValue(`There is no home in the directory "${dir}".`);
  return openForSalvage(path);
}

/** Nothing is written to a recording. */
function ignore(): void {}

function homeAt(db: DatabaseSync, snapshots: string, span: JournalSpan, firstSeq: number, fromMs: number): PastHome {
  const upTo = function* (fromSeq: number): Iterable<JournalEntry> {
    // Reports of one row may lie on both sides of the instant.
    for (const item of withoutGaps(readJournal(db, fromSeq, span.lastSeq))) {
      if (item.seq >= firstSeq && item.atMs >= fromMs) return;
      yield item;
    }
  };
  const known = { properties: 0, others: 0 };
  for (const snapshot of listSnapshots(snapshots)) {
    const rows = snapshot.takenAtMs < fromMs ? readSnapshot(snapshot.path) : null;
    const home = rows && homeOf(rows);
    const nextSeq = lastSeqOf(rows) + 1;
    if (home && nextSeq >= span.firstSeq) return { home: homeByReplaying(home, upTo(nextSeq)) ?? home, unknown: known };
  }
  const whole = span.firstSeq === 1 ? (homeByReplaying(null, upTo(1)) ?? newHome(db, span)) : null;
  if (whole) return { home: whole, unknown: known };
  const after = function* (): Iterable<JournalEntry> {
    for (const item of withoutGaps(readJournal(db, firstSeq, span.lastSeq))) if (item.atMs >= fromMs) yield item;
  };
  return homeByUndoing(presentHome(readUpgraded(db)), upTo(span.firstSeq), after());
}

function presentHome(rows: StateRows): Home {
  const present = homeOf(rows);
  if (!present) throw badValue("There is no home in the database.");
  return present;
}

/** Before its first entry a home has nothing but its controller. */
function newHome(db: DatabaseSync, { lastSeq }: JournalSpan): Home | null {
  for (const item of withoutGaps(readJournal(db, 1, lastSeq)))
    for (const { change } of entriesOf(item))
      if (change.type === "controller-changed") return new Home(change.controller);
  return null;
}

function* withoutGaps<E extends JournalEntry>(items: Iterable<E | Gap>): Iterable<E> {
  for (const item of items) if (!("dropped" in item)) yield item;
}

function time(atMs: number): string {
  return new Date(atMs).toISOString();
}
