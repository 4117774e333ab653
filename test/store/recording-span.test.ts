/** A span of the journal, as a replay reads it: which entries are in it, and the home at its begin. */

import { describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { openRecording, readHomeAt } from "../../src/store/recording/open-recording.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, nodeAdded, openHome, START_MS, stateReported, temporaryDirectory } from "../support/test-store.ts";

const NOTHING = { properties: 0, others: 0 };
const node = nodeAdded("n");
const report = (value: number) => stateReported("n", value);
const moved = (commandId: string): Change => ({
  type: "command-moved",
  commandId,
  address: "n",
  command: "DON",
  state: "confirmed",
  detail: "",
  acceptedAtMs: 0,
});

/** A home of these changes, each at its milliseconds after the start. Reports share a row of the journal. */
async function recordingOf(changes: readonly (readonly [afterMs: number, change: Change])[]): Promise<string> {
  const dir = temporaryDirectory();
  const clock = new VirtualClock(START_MS);
  const { feed, close } = await openHome(dir, { clock });
  for (const [afterMs, change] of changes) {
    clock.moveTo(START_MS + afterMs);
    feed.commit(change, CAUSE);
  }
  await close();
  return dir;
}

const FIVE = [
  [1000, node],
  ...[2000, 2999, 3000, 4000, 4001].map((afterMs, at) => [afterMs, report(at)] as const),
] as const;

describe("a span", () => {
  test("has the entries from its begin to its end, both included, though others share their row", async () => {
    using recording = openRecording(await recordingOf(FIVE), START_MS + 3000, START_MS + 4000);
    const times = [...recording.entries()].map(({ atMs }) => atMs - START_MS);
    expect(times).toEqual([3000, 4000]);
    expect(recording.endsAtMs).toBe(START_MS + 4001);
  });

  test("begins with the home before its first entry, and ends with the present one", async () => {
    using recording = openRecording(await recordingOf(FIVE), START_MS + 3000, START_MS + 4000);
    const level = (home: ReturnType<typeof recording.home>) => home.nodes.get("n")?.properties.get("ST")?.value;
    expect([level(recording.home()), level(recording.present()), recording.unknown]).toEqual([1, 4, NOTHING]);
  });

  test("has the ends of commands up to a minute after it", async () => {
    const ends = [3000, 4000, 64_000, 64_001].map((afterMs) => [afterMs, moved(String(afterMs))] as const);
    using recording = openRecording(await recordingOf([[1000, node], ...ends]), START_MS + 3500, START_MS + 4000);
    const ids = [...recording.commands()].map(({ change }) =>
      change.type === "command-moved" ? change.commandId : "",
    );
    expect(ids).toEqual(["4000", "64000"]);
  });
});

describe("the home at an instant", () => {
  test("has the changes of that instant, and none before the journal began", async () => {
    const dir = await recordingOf(FIVE);
    const valueAt = (afterMs: number) =>
      readHomeAt(dir, START_MS + afterMs)
        ?.home.nodes.get("n")
        ?.properties.get("ST")?.value;
    expect([1999, 2000, 2998, 2999, 3999, 4000, 9000].map(valueAt)).toEqual([undefined, 0, 0, 1, 2, 3, 4]);
    expect(readHomeAt(dir, START_MS - 1)).toBeNull();
    expect(readHomeAt(dir, START_MS + 9000)?.unknown).toEqual(NOTHING);
  });
});
