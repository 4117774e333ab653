/** The small parts of the engine: agenda, map of ids, what may be repeated, and a home that moves. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, clockTime } from "../../src/demo/program-words.ts";
import type { SceneLink } from "../../src/home/groups.ts";
import type { SentAction } from "../../src/home/program-progress.ts";
import { Agenda } from "../../src/programs/agenda.ts";
import { draw } from "../../src/programs/engine/draw.ts";
import { IdMap } from "../../src/programs/engine/id-map.ts";
import { isRepeatable } from "../../src/programs/repeatable.ts";
import { createServices, REQUEST, spec } from "../commands/command-services.ts";
import { HOUR, MINUTE, NOON, stage } from "./stage.ts";
import { count, stateIs, tell } from "./words.ts";

test("an agenda returns due entries in order, whatever order they were set in", () => {
  const setting = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.option(fc.integer({ min: 0, max: 1000 })));
  fc.assert(
    fc.property(fc.array(setting, { maxLength: 400 }), fc.integer({ min: 0, max: 1000 }), (settings, nowMs) => {
      const agenda = new Agenda();
      const model = new Map<number, number>();
      for (const [id, atMs] of settings) {
        agenda.set(id, atMs);
        if (atMs === null) model.delete(id);
        else model.set(id, atMs);
      }
      const due = [...model].filter(([, atMs]) => atMs <= nowMs);
      const left = [...model.values()].filter((atMs) => atMs > nowMs);
      const taken = agenda.takeDue(nowMs);
      expect(taken.map((id) => model.get(id))).toEqual(due.map(([, atMs]) => atMs).sort((a, b) => a - b));
      expect(new Set(taken)).toEqual(new Set(due.map(([id]) => id)));
      expect(agenda.nextMs()).toBe(left.length === 0 ? null : Math.min(...left));
    }),
  );
});

test("a map of ids is a map, and what it was before stays", () => {
  const setting = fc.tuple(fc.integer({ min: 0, max: 65_535 }), fc.option(fc.integer()));
  fc.assert(
    fc.property(fc.array(setting, { maxLength: 100 }), (settings) => {
      const model = new Map<number, number>();
      let map: IdMap<number> = IdMap.empty();
      for (const [id, value] of settings) {
        const before = map;
        const was = before.get(id);
        map = map.with(id, value);
        if (value === null) model.delete(id);
        else model.set(id, value);
        expect([before.get(id), map.get(id), map.size]).toEqual([was, value, model.size]);
      }
      expect([...map.entries()]).toEqual([...model].sort(([a], [b]) => a - b));
    }),
  );
});

test("draws of a run are evenly spread, and the same when they are drawn again", () => {
  const counts = new Array<number>(10).fill(0);
  for (let run = 0; run < 1000; run += 1) {
    for (let turn = 0; turn < 10; turn += 1) {
      const drawn = draw(`5-${1_781_085_600_000 + run}-0`, turn, 10);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
  }
  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect(Math.max(...counts)).toBeLessThan(1100);
  expect(draw("5-1-0", 3, 1_000_000)).toBe(draw("5-1-0", 3, 1_000_000));
});

describe("statements that may be sent twice", () => {
  const scene = (...links: SceneLink[]) => ({
    address: "00001",
    name: "Scene",
    parent: null,
    deviceGroup: 1,
    members: [],
    blocks: [{ controller: "00001", links }],
  });
  const dims: SceneLink = { kind: "cmd", node: "ZW001_1", command: "DIM", parameters: [] };

  test.each<[string, SentAction, boolean]>([
    ["a level", tell("ZW001_1", "DON") as SentAction, true],
    ["a setter of a property", tell("ZW001_1", "LEVEL") as SentAction, true],
    ["a step of brightness", tell("ZW001_1", "BRT") as SentAction, false],
    ["what the device does not know", tell("ZW001_1", "PULSE") as SentAction, false],
    ["what goes to nobody", tell("nobody", "LEVEL") as SentAction, false],
    ["a notification", { kind: "notify", recipient: 1, content: null }, false],
    ["a scene that dims", tell("00001", "DON") as SentAction, false],
    ["a scene that switches", tell("00002", "DON") as SentAction, true],
    ["a step of a scene", tell("00002", "BRT") as SentAction, false],
  ])("%s", async (_claim, action, expected) => {
    const { home, feed, host, profile } = await createServices();
    host.node(spec("ZW001_1"));
    feed.commit({ type: "group-added", group: scene(dims) }, REQUEST);
    feed.commit({ type: "group-added", group: { ...scene({ ...dims, command: "DOF" }), address: "00002" } }, REQUEST);
    expect(isRepeatable(action, home, profile)).toBe(expected);
  });
});

describe("a home that moves", () => {
  test("has its schedules by the new zone from then on, and catches nothing up", () => {
    const home = stage({ 5: { if: [at(clockTime(12, 30))], then: [count(1)] } });
    home.commit({ type: "controller-changed", controller: { ...home.home.controller, timeZone: "America/New_York" } });
    expect(home.program(5).nextRunAtMs).toBe(NOON + 6 * HOUR + 30 * MINUTE);
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(0);
    home.advance(6 * HOUR);
    expect(home.variable(1, 1)).toBe(1);
  });

  test("another name moves nothing", () => {
    const home = stage({ 5: { if: [at(clockTime(12, 30))], then: [count(1)] } });
    const before = home.effects.length;
    home.commit({ type: "controller-changed", controller: { ...home.home.controller, name: "Other" } });
    expect(home.effects).toHaveLength(before);
  });
});

test("an index finds the programs that name a thing", () => {
  const home = stage({ 5: { if: [stateIs(1, 1)], then: [tell("lamp", "DON"), { kind: "resource", id: 1 }] } });
  home.commit({ type: "network-resource-removed", id: 1 });
  expect(home.program(5).invalid).toContain("network resource 1");
  const resource = { id: 1, name: "Bell", protocol: "http", host: "h", port: 80, method: "GET" } as const;
  home.commit({
    type: "network-resource-put",
    resource: { ...resource, path: "/", headers: [], body: "", timeoutMs: 0 },
  });
  expect(home.program(5).invalid).toBeNull();
});
