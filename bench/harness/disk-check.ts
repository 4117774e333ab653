/**
 * Compares what a killed service left on disk with the reports that were sent: none missing, none twice, the last
 * values correct.
 */

import { join } from "node:path";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { readState } from "../../src/store/database/read-tables.ts";
import { homeOf } from "../../src/store/home-tables.ts";
import { readJournal } from "../../src/store/recording/read-journal.ts";
import { addressOf } from "../servers/line-driver.ts";
import type { CommitWatch } from "./commit-watch.ts";
import { type LineHome, numberedReport, PROPERTY } from "./line-devices.ts";
import { Buckets, type Spread } from "./statistics.ts";

export type Sent = {
  readonly home: LineHome;
  readonly reports: number;
  readonly perSecond: number;
  /** When the first was due, on the machine's monotonic clock. */
  readonly startNs: number;
};
type OnDisk = {
  /** Milliseconds from when a report was due until it was seen on disk. */
  readonly committed: Spread;
  /** Reports that the journal does not hold, or not in their order. */
  readonly lost: number;
  /** Devices whose last value in the table of states is not the last that was sent. */
  readonly wrongValues: number;
};

export const DATABASE = "domovoi.sqlite";
const NUMBERED: ReadonlySet<string> = new Set([PROPERTY.watched, PROPERTY.metered]);

export function checkDisk(dir: string, sent: Sent, { commits }: Pick<CommitWatch, "commits">): OnDisk {
  const db = openDatabase(join(dir, DATABASE));
  try {
    const committed = new Buckets();
    let next = 0;
    let lost = 0;
    let commit = 0;
    for (const entry of readJournal(db, 1, Number.MAX_SAFE_INTEGER)) {
      if (!("change" in entry) || entry.change.type !== "property-changed") continue;
      const { property } = entry.change;
      if (!NUMBERED.has(property.id)) continue;
      const index = Math.abs(property.value ?? 0) - 1;
      if (index !== next) lost += Math.abs(index - next);
      next = index + 1;
      while ((commits[commit]?.lastSeq ?? Number.POSITIVE_INFINITY) < entry.seq) commit += 1;
      const dueNs = sent.startNs + (index * 1e9) / sent.perSecond;
      committed.add(((commits[commit]?.atNs ?? Number.POSITIVE_INFINITY) - dueNs) / 1e6);
    }
    lost += sent.reports - next;
    return { committed: committed.spread(), lost, wrongValues: countWrong(homeOf(readState(db)), sent) };
  } finally {
    db.close();
  }
}

function countWrong(home: ReturnType<typeof homeOf>, { home: lineHome, reports }: Sent): number {
  const last = new Map<string, number>();
  for (let index = 0; index < reports; index += 1) {
    const { device, property, value } = numberedReport(lineHome, index);
    last.set(`${device} ${property}`, value);
  }
  let wrong = 0;
  for (const [key, value] of last) {
    const [device = "", property = ""] = key.split(" ");
    if (home?.nodes.get(addressOf(device))?.properties.get(property)?.value !== value) wrong += 1;
  }
  return home === null ? lineHome.nodes : wrong;
}
