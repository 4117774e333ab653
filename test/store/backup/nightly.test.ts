import fc from "fast-check";
import { expect, test } from "vitest";
import { NightlyBackups, nextHour } from "../../../src/store/backup/nightly-backups.ts";
import { createLog } from "../../../src/util/log.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { createZone } from "../../../src/util/zone.ts";

const HOUR_MS = 3_600_000;
const at = (time: string) => Date.parse(time);

test.each([
  ["in the night to come", "2026-05-02T12:00:00Z", 3, "2026-05-03T01:00:00Z"],
  ["later in this night", "2026-05-02T00:30:00Z", 3, "2026-05-02T01:00:00Z"],
  ["not at once when it is that hour", "2026-05-02T01:00:00Z", 3, "2026-05-03T01:00:00Z"],
  ["after the clock went back", "2026-10-24T12:00:00Z", 3, "2026-10-25T02:00:00Z"],
  ["after it went forward", "2026-03-28T12:00:00Z", 3, "2026-03-29T01:00:00Z"],
  ["an hour before one that is skipped", "2026-03-28T12:00:00Z", 2, "2026-03-29T00:00:00Z"],
])("the nightly backup is due %s", (_when, now, hour, due) => {
  expect(new Date(nextHour(at(now), hour, "Europe/Berlin"))).toEqual(new Date(at(due)));
});

test("it is due within a day and two hours, always later, at the full hour of the home", () => {
  const instant = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2028-01-01T00:00:00Z") });
  const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "UTC");
  fc.assert(
    fc.property(instant, fc.constantFrom(0, 4, 12, 23), zone, (nowMs, hour, id) => {
      const dueMs = nextHour(nowMs, hour, id);
      const { hour: localHour, minute, second } = createZone(id).parts(dueMs);
      expect([localHour, minute, second]).toEqual([hour, 0, 0]);
      expect(dueMs - nowMs).toBeGreaterThan(0);
      expect(dueMs - nowMs).toBeLessThanOrEqual(26 * HOUR_MS);
    }),
  );
});

test.each([
  ["stays", 0, "2026-05-03T01:00:00Z"],
  ["is set an hour forward", HOUR_MS, "2026-05-03T01:00:00Z"],
  ["is set an hour back", -HOUR_MS, "2026-05-03T01:00:00Z"],
  ["is set beyond the hour", 15 * HOUR_MS, "2026-05-03T03:20:00Z"],
  ["is set to 1970", -at("2026-05-02T12:00:00Z"), "1970-01-01T02:00:00Z"],
])("a backup is made at its hour of the clock when that %s", async (_what, byMs, due) => {
  const clock = new VirtualClock(at("2026-05-02T12:00:00Z"));
  const made: string[] = [];
  const begin = async () => {
    made.push(new Date(clock.now()).toISOString().replace(".000", ""));
    return { id: "" };
  };
  const nightly = new NightlyBackups({
    clock,
    config: { backupHour: 3, backupPassphraseFile: "", backupTestDays: 0 },
    log: createLog("silent"),
    // The events of a backup are not checked here.
    backups: { begin: begin as never, newestAtMs: () => null, settled: async () => {}, proveIfDue: async () => {} },
    timeZone: () => "Europe/Berlin",
  });
  nightly.start();
  await clock.advance(HOUR_MS / 3);
  clock.moveTo(clock.now() + byMs);
  await clock.advance(23 * HOUR_MS);
  nightly.stop();
  expect(made[0]?.slice(0, 15)).toBe(due.slice(0, 15));
});
