import fc from "fast-check";
import { expect, test } from "vitest";
import { nextHour } from "../../../src/store/backup/nightly-backups.ts";
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
