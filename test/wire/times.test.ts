/** Spellings of instants on the wire, east and west of Greenwich, around noon and midnight. */

import { expect, test } from "vitest";
import { createZone } from "../../src/util/zone.ts";
import {
  compactTime,
  eventTimestamp,
  isoTime,
  isoTimeOrNull,
  legacyProgramTime,
  programFrameTime,
} from "../../src/wire/times.ts";

const JUNE_MS = Date.UTC(2031, 5, 3, 4, 5, 6, 7);

test.each([
  ["UTC", "2031-06-03T04:05:06.007000+00:00"],
  ["Asia/Kolkata", "2031-06-03T09:35:06.007000+05:30"],
  ["America/St_Johns", "2031-06-03T01:35:06.007000-02:30"],
  ["America/Denver", "2031-06-02T22:05:06.007000-06:00"],
])("the timestamp of an event in %s", (zone, written) => {
  expect(eventTimestamp(JUNE_MS, createZone(zone))).toBe(written);
});

test.each([
  ["midnight", Date.UTC(2031, 0, 9, 0, 0, 1), "2031/01/09 12:00:01 AM"],
  ["before noon", Date.UTC(2031, 0, 9, 11, 59, 59), "2031/01/09 11:59:59 AM"],
  ["noon", Date.UTC(2031, 0, 9, 12, 0, 0), "2031/01/09 12:00:00 PM"],
  ["the evening", Date.UTC(2031, 10, 29, 23, 9, 8), "2031/11/29 11:09:08 PM"],
  ["no time", null, ""],
])("the time of a program at %s", (_name, atMs, written) => {
  expect(legacyProgramTime(atMs, createZone("UTC"))).toBe(written);
});

test("times without a zone of their own are those of the home", () => {
  const denver = createZone("America/Denver");
  expect(compactTime(JUNE_MS, denver)).toBe("20310602 22:05:06");
  expect(programFrameTime(JUNE_MS, denver)).toBe("310602 22:05:06 ");
  const june = "2031-06-03T04:05:06.007Z";
  expect([isoTime(JUNE_MS), isoTime(null)]).toEqual([june, ""]);
  expect([isoTimeOrNull(JUNE_MS), isoTimeOrNull(null)]).toEqual([june, null]);
});
