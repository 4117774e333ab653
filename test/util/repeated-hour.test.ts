/** The offset beside clock times that come twice, in the service and on the page. */

import { expect, test } from "vitest";
import { readableTime } from "../../src/cli/show/time.ts";
import { repeatedOffset } from "../../src/util/repeated-hour.ts";
import { createZone } from "../../src/util/zone.ts";
import { fromLocalInput, localInput, offsetText, setHomeZone } from "../../web/src/text/home-zone.ts";

test.each([
  ["Europe/Berlin", "2026-10-25T00:30:00Z", " (UTC+2)"],
  ["Europe/Berlin", "2026-10-25T01:30:00Z", " (UTC+1)"],
  ["Europe/Berlin", "2026-10-24T23:59:59Z", ""],
  ["Europe/Berlin", "2026-10-25T02:00:00Z", ""],
  ["Europe/Berlin", "2026-03-29T01:30:00Z", ""],
  ["America/New_York", "2026-11-01T05:30:00Z", " (UTC-4)"],
  ["America/New_York", "2026-11-01T06:30:00Z", " (UTC-5)"],
  ["Australia/Lord_Howe", "2026-04-04T14:45:00Z", " (UTC+11)"],
  ["Australia/Lord_Howe", "2026-04-04T15:15:00Z", " (UTC+10:30)"],
  ["Asia/Kolkata", "2026-10-25T00:30:00Z", ""],
  ["UTC", "2026-10-25T00:30:00Z", ""],
])("%s %s: %j", (id, iso, offset) => {
  const [atMs, zone] = [Date.parse(iso), createZone(id)];
  expect(repeatedOffset(atMs, zone.offsetMinutes)).toBe(offset);
  expect(readableTime(iso, id).endsWith(`:${iso.slice(17, 19)}${offset}`)).toBe(true);
  setHomeZone(id);
  expect(offsetText(atMs)).toBe(offset.replace("-", "−"));
  expect(fromLocalInput(localInput(atMs))).toBeLessThanOrEqual(atMs);
  setHomeZone("UTC");
});

test("a field shows and reads times of the home", () => {
  setHomeZone("America/New_York");
  expect(localInput(Date.parse("2026-07-01T03:00:00Z"))).toBe("2026-06-30T23:00:00");
  expect(fromLocalInput("2026-06-30T23:00")).toBe(Date.parse("2026-07-01T03:00:00Z"));
  // Left out in spring: as the clock before the change had it.
  expect(fromLocalInput("2026-03-08T02:30")).toBe(Date.parse("2026-03-08T07:30:00Z"));
  expect(fromLocalInput("")).toBeNaN();
  setHomeZone("UTC");
});
