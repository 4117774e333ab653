/** Which events wait for the answer to a request, and in which order they come out. */

import { describe, expect, test } from "vitest";
import type { Cause } from "../../src/home/cause.ts";
import type { Change, Entry } from "../../src/home/change.ts";
import { HeldEvents } from "../../src/stream/held-events.ts";

const request = (id: string): Cause => ({ kind: "request", id, by: "ann" });
const PROGRAM: Cause = { kind: "program", id: "1-1", by: "1" };
const entry = (cause: Cause, change: Change): Entry => ({ seq: 1, atMs: 0, cause, change });
const written = (cause: Cause, id: number) =>
  entry(cause, { type: "variable-written", variableType: 1, id, value: 1, writtenAtMs: 0, before: 0 });
const renamed = (cause: Cause) => entry(cause, { type: "node-renamed", address: "1 2 3 1", name: "A" });

function holding(...requests: readonly string[]): HeldEvents<string> {
  const events = new HeldEvents<string>(3);
  for (const id of requests) events.begin(id);
  return events;
}

describe("the events of an edit", () => {
  test("wait for the answer to their own request", () => {
    const events = holding("a");
    expect(events.offer(written(request("a"), 1), ["one"])).toEqual([]);
    expect(events.answered("b")).toEqual([]);
    expect(events.answered("a")).toEqual(["one"]);
    expect(events.offer(written(request("a"), 1), ["two"])).toEqual(["two"]);
  });

  test("are not held when no client waits for an answer", () => {
    expect(holding().offer(written(request("a"), 1), ["one"])).toEqual(["one"]);
    expect(holding("a").offer(written(PROGRAM, 1), ["one"])).toEqual(["one"]);
  });

  test("wait behind an earlier edit of the same thing", () => {
    const events = holding("a", "b");
    events.offer(written(request("a"), 1), ["a"]);
    expect(events.offer(written(PROGRAM, 1), ["program"])).toEqual([]);
    expect(events.offer(written(PROGRAM, 2), ["other"])).toEqual(["other"]);
    events.offer(written(request("b"), 1), ["b"]);
    expect(events.answered("b")).toEqual([]);
    expect(events.answered("a")).toEqual(["a", "program", "b"]);
  });

  test("all go when too many wait", () => {
    const events = holding("a");
    for (const id of [1, 2, 3]) expect(events.offer(written(request("a"), id), [`${id}`])).toEqual([]);
    expect(events.offer(written(request("a"), 4), ["4"])).toEqual(["1", "2", "3", "4"]);
  });
});

describe("changes that are no edit", () => {
  test("does not wait when a device reports it", () => {
    const events = holding("a");
    const property = { id: "ST", value: 1, uom: 51, prec: 0, text: null, changedAtMs: 0 };
    events.offer(renamed(request("a")), ["a"]);
    const report = entry(request("a"), { type: "property-changed", address: "1 2 3 1", property });
    expect(events.offer(report, ["now"])).toEqual(["now"]);
  });
});
