/** The bench's check for "none lost" (P6) must be able to find a loss. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { checkDisk, DATABASE, type Sent } from "../../bench/harness/disk-check.ts";
import { deviceNames, numberedReport } from "../../bench/harness/line-devices.ts";
import { addressOf } from "../../bench/servers/line-driver.ts";
import type { NodeRecord } from "../../src/home/nodes.ts";
import { openHome, START_MS, temporaryDirectory } from "../support/test-store.ts";

/** Several rows of the journal, of 512 reports each. */
const REPORTS = 1300;
const SENT: Sent = { home: { nodes: 20, programs: 5 }, reports: REPORTS, perSecond: 1000, startNs: 0 };
const ALL = Array.from({ length: REPORTS }, (_, index) => index);
const SEEN_AT_MS = 2000;
const WATCH = { commits: [{ atNs: SEEN_AT_MS * 1e6, lastSeq: Number.MAX_SAFE_INTEGER }] };

function nodeOf(name: string): NodeRecord {
  const address = addressOf(name);
  const rest = { nodeDefId: "D", family: 1, instance: 1, type: "1.0.0.0", devtype: null, driver: "line" };
  return { ...rest, address, name, primary: address, parent: null, enabled: true };
}

/** @param indexes of the reports that reach the disk, in their order. */
async function leave(indexes: readonly number[]): Promise<string> {
  const dir = temporaryDirectory();
  const { store, feed, close } = await openHome(dir);
  const cause = { kind: "report", id: "line", by: "line" } as const;
  for (const name of deviceNames(SENT.home)) feed.commit({ type: "node-added", node: nodeOf(name) }, cause);
  for (const index of indexes) {
    const { device, property: id, value } = numberedReport(SENT.home, index);
    const property = { id, value, uom: 56, prec: 0, text: null, changedAtMs: START_MS };
    feed.commit({ type: "property-changed", address: addressOf(device), property }, cause);
  }
  await store.committed(feed.lastSeq);
  await close();
  return dir;
}

describe("the bench's comparison with the disk", () => {
  test("is every report, and from when on it was there", async () => {
    const { committed, lost, wrongValues } = checkDisk(await leave(ALL), SENT, WATCH);
    expect({ n: committed.n, max: committed.max, lost, wrongValues }).toEqual({
      n: REPORTS,
      max: SEEN_AT_MS,
      lost: 0,
      wrongValues: 0,
    });
  });

  test("lacks a report in the middle, and those at the end", async () => {
    expect(checkDisk(await leave(ALL.filter((index) => index !== 700)), SENT, WATCH).lost).toBe(1);
    const withoutEnd = checkDisk(await leave(ALL.slice(0, -3)), SENT, WATCH);
    expect([withoutEnd.lost, withoutEnd.wrongValues]).toEqual([3, 3]);
  });

  test("holds a report twice, or a last value that is not the last", async () => {
    expect(checkDisk(await leave([...ALL.slice(0, 10), 9, ...ALL.slice(10)]), SENT, WATCH).lost).toBeGreaterThan(0);
    const dir = await leave(ALL);
    const db = new DatabaseSync(join(dir, DATABASE));
    db.prepare("DELETE FROM properties WHERE key = ?").run(addressOf("m3"));
    db.close();
    expect(checkDisk(dir, SENT, WATCH).wrongValues).toBe(1);
  });
});
