import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { NightlyBackups, nextHour } from "../../../src/store/backup/nightly-backups.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { createZone } from "../../../src/util/zone.ts";
import { recordingLog } from "../../support/test-store.ts";
import { newFile, PASSPHRASE } from "./backup-case.ts";

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

/** On a clock at 14:00 in Berlin, and what it asks for, in order. */
function nightlyOf({ newestAtMs = null as number | null, ...settings }) {
  const clock = new VirtualClock(at("2026-05-02T12:00:00Z"));
  const asked: string[] = [];
  const log = recordingLog();
  const begin = async (kind: string, passphrase: string | null, withHistory: boolean) => {
    asked.push(`${new Date(clock.now()).toISOString().replace(".000", "")} ${kind} ${passphrase} ${withHistory}`);
    return { id: "new" };
  };
  const nightly = new NightlyBackups({
    clock,
    config: { backupHour: 3, backupPassphraseFile: "", backupTestDays: 7, ...settings },
    log,
    backups: {
      // The events of a backup are not checked here.
      begin: begin as never,
      newestAtMs: (kind) => (kind === "nightly" ? newestAtMs : null),
      settled: async () => {},
      proveIfDue: async (periodMs, except) => void asked.push(`test after ${periodMs / HOUR_MS} h, not of ${except}`),
    },
    timeZone: () => "Europe/Berlin",
  });
  return { clock, asked, log, nightly };
}

test.each([
  ["stays", 0, "2026-05-03T01:00:00Z"],
  ["is set an hour forward", HOUR_MS, "2026-05-03T01:00:00Z"],
  ["is set an hour back", -HOUR_MS, "2026-05-03T01:00:00Z"],
  ["is set beyond the hour", 15 * HOUR_MS, "2026-05-03T03:20:00Z"],
  ["is set to 1970", -at("2026-05-02T12:00:00Z"), "1970-01-01T02:00:00Z"],
])("a backup is made at its hour of the clock when that %s", async (_what, byMs, due) => {
  const { clock, asked, nightly } = nightlyOf({});
  nightly.start();
  await clock.advance(HOUR_MS / 3);
  clock.moveTo(clock.now() + byMs);
  await clock.advance(23 * HOUR_MS);
  nightly.stop();
  expect(asked[0]?.slice(0, 15)).toBe(due.slice(0, 15));
});

const NEXT_NIGHT = ["2026-05-03T01:00:00Z nightly null false", "test after 168 h, not of new"];
const SOON = ["2026-05-02T12:02:00Z nightly null false", "test after 168 h, not of new"];
/** Between a start and the look at the night before. */
const REST_MS = 120_000;

test.each([
  ["a start without one makes none before its hour", null, NEXT_NIGHT],
  ["neither does a start that finds one of 25 hours ago", 25 * HOUR_MS - REST_MS, NEXT_NIGHT],
  ["a start that finds an older one makes one soon", 25 * HOUR_MS - REST_MS + 1, [...SOON, ...NEXT_NIGHT]],
])("%s", async (_what, ageMs, made) => {
  const newestAtMs = ageMs === null ? null : at("2026-05-02T12:00:00Z") - ageMs;
  const { clock, asked, nightly } = nightlyOf({ newestAtMs });
  nightly.start();
  await clock.advance(24 * HOUR_MS);
  nightly.stop();
  await clock.advance(48 * HOUR_MS);
  expect(asked).toEqual(made);
});

test("the hour 0 is midnight, not none", async () => {
  const { clock, asked, nightly } = nightlyOf({ backupHour: 0 });
  nightly.start();
  await clock.advance(12 * HOUR_MS);
  nightly.stop();
  expect(asked[0]).toBe("2026-05-02T22:00:00Z nightly null false");
});

test("without an hour none is made, and one that is stopped before it was looked at is not", async () => {
  const long = { newestAtMs: 0 };
  const off = nightlyOf({ ...long, backupHour: -1 });
  off.nightly.start();
  await off.clock.advance(48 * HOUR_MS);
  const stopped = nightlyOf(long);
  stopped.nightly.start();
  stopped.nightly.stop();
  await stopped.clock.advance(48 * HOUR_MS);
  expect([off.asked, stopped.asked]).toEqual([[], []]);
});

test("one whose passphrase cannot be read is logged, and the next night tries again", async () => {
  const file = newFile("passphrase");
  const { clock, asked, log, nightly } = nightlyOf({ backupPassphraseFile: file });
  nightly.start();
  await clock.advance(24 * HOUR_MS);
  expect(asked).toEqual([]);
  expect(log.lines).toMatchObject([{ level: "error", message: expect.stringContaining("could not start") }]);
  writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
  await clock.advance(24 * HOUR_MS);
  nightly.stop();
  expect(asked[0]).toBe(`2026-05-04T01:00:00Z nightly ${PASSPHRASE} false`);
});
