/** Conditions with "for": when their time comes, what breaks it, and how they go on after a restart. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../../src/home/program-syntax.ts";
import { add, BED, FLOOR, HALL, move, nodeIn, roles, roomHome, windows } from "./room-home.ts";
import { MINUTE, NOON, type Stage, stage } from "./stage.ts";
import { minutes, OFF, ON, seconds } from "./words.ts";

const lampScript = { then: [ON], else: [OFF] };
const [OPEN, CLOSED] = [0, 100];
const report = (home: Stage, node: string, value: number | null) => home.report(node, value, { uom: 79 });
const openFor = (span = minutes(10), how: "any" | "all" | "none" = "any"): Condition =>
  roles(windows(FLOOR), { how, is: "open", lasting: span });
const sensorFor = (value: number, span = minutes(5)): Condition => ({
  andOr: "and",
  kind: "held",
  node: "sensor",
  property: "ST",
  comparison: "GE",
  value: { value, prec: 0, uom: 0 },
  lasting: span,
});

/** A home with windows in the bedroom; they are closed. */
function homeWith(condition: Condition, ...names: readonly string[]): Stage {
  const home = roomHome({ 5: { if: [condition], ...lampScript } });
  for (const name of names) {
    add(home, nodeIn(BED, name, { use: "window" }));
    report(home, name, CLOSED);
  }
  home.taken();
  return home;
}

const began = (home: Stage) =>
  home.traced("run-began").map(({ atMs, clause }) => [(atMs - NOON) / MINUTE, clause] as const);

describe("a status for a time", () => {
  test("starts the program when its time has come, and when it ends after that", () => {
    const home = stage({ 5: { if: [sensorFor(1)], ...lampScript } });
    home.report("sensor", 1);
    home.advance(5 * MINUTE - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.report("sensor", 2);
    expect(home.taken()).toEqual([]);
    home.report("sensor", 0);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("that ends before its time starts nothing, and begins anew", () => {
    const home = stage({ 5: { if: [sensorFor(1)], ...lampScript } });
    home.report("sensor", 1);
    home.advance(4 * MINUTE);
    home.report("sensor", 0);
    home.report("sensor", 1);
    home.advance(4 * MINUTE);
    expect(home.taken()).toEqual([]);
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("that is not known has not lasted", () => {
    const home = stage({ 5: { if: [sensorFor(1)], ...lampScript } });
    home.report("sensor", 1);
    home.report("sensor", null);
    home.advance(10 * MINUTE);
    expect(home.taken()).toEqual([]);
  });

  test("counts from the report that made it true; a later value that keeps it true moves nothing", () => {
    const home = stage({ 5: { if: [sensorFor(1)], ...lampScript } });
    home.report("sensor", 1);
    home.advance(3 * MINUTE);
    home.report("sensor", 5);
    home.advance(2 * MINUTE);
    expect(began(home)).toEqual([[5, "then"]]);
    expect(home.traced("evaluated")[0]?.trigger).toMatchObject({ kind: "held", node: "sensor", isOver: false });
  });

  test("of a program that is written later counts as past, without a start", () => {
    const home = stage({});
    home.report("sensor", 1);
    home.advance(10 * MINUTE);
    home.put(5, { if: [sensorFor(1)], ...lampScript });
    home.advance(10 * MINUTE);
    expect(home.taken()).toEqual([]);
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("of a node that is removed and added again begins without a value", () => {
    const home = stage({ 5: { if: [sensorFor(1)], ...lampScript } });
    home.report("sensor", 1);
    home.commit({ type: "node-removed", address: "sensor" });
    home.commit({ type: "node-added", node: nodeIn(null, "sensor") });
    home.advance(10 * MINUTE);
    expect(home.taken()).toEqual([]);
    expect(home.home.programHolds.size).toBe(0);
  });

  test("gates a folder", () => {
    const home = stage({ 8: { then: [ON], parentId: 7 } }, { folders: { 7: { if: [sensorFor(1)] } } });
    home.report("sensor", 1);
    home.advance(4 * MINUTE);
    home.order(8, "run");
    home.advance(MINUTE);
    home.order(8, "run");
    expect(home.taken()).toEqual(["lamp DON"]);
  });
});

describe("a state of devices for a time", () => {
  test("is that of one device: a hand-over between two does not count", () => {
    const home = homeWith(openFor(), "w1", "w2");
    report(home, "w1", OPEN);
    home.advance(6 * MINUTE);
    report(home, "w2", OPEN);
    report(home, "w1", CLOSED);
    home.advance(9 * MINUTE);
    expect(home.taken()).toEqual([]);
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("starts once for all devices of the same instant, and the first of them is the cause", () => {
    const home = homeWith(openFor(), "w2", "w1");
    report(home, "w2", OPEN);
    report(home, "w1", OPEN);
    home.advance(20 * MINUTE);
    expect(began(home)).toEqual([[10, "then"]]);
    expect(home.traced("evaluated").at(-1)?.trigger).toMatchObject({ kind: "held", node: "w1" });
  });

  test("all: when the last one has been so; no: while none has been", () => {
    const all = homeWith(openFor(minutes(10), "all"), "w1", "w2");
    report(all, "w1", OPEN);
    all.advance(5 * MINUTE);
    report(all, "w2", OPEN);
    all.advance(20 * MINUTE);
    expect(began(all)).toEqual([
      [10, "else"],
      [15, "then"],
    ]);
    const none = homeWith(openFor(minutes(10), "none"), "w1");
    report(none, "w1", OPEN);
    none.advance(20 * MINUTE);
    expect(began(none)).toEqual([[10, "else"]]);
  });

  test("of a device that joins counts since its report; a time that is past starts nothing", () => {
    const home = homeWith(openFor(), "w1", "w2");
    for (const name of ["w1", "w2"]) move(home, name, HALL);
    report(home, "w1", OPEN);
    home.advance(4 * MINUTE);
    report(home, "w2", OPEN);
    home.advance(8 * MINUTE);
    for (const name of ["w1", "w2"]) move(home, name, BED);
    expect(home.taken()).toEqual([]);
    home.order(5, "run");
    home.advance(2 * MINUTE);
    expect(began(home)).toEqual([
      [12, "then"],
      [14, "then"],
    ]);
  });

  test("of a device that leaves is forgotten, and starts nothing", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.advance(11 * MINUTE);
    home.taken();
    move(home, "w1", HALL);
    expect(home.home.programHolds.size).toBe(0);
    expect(home.taken()).toEqual([]);
  });

  test("goes with its program", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.commit({ type: "program-removed", id: 5 });
    expect(home.home.programHolds.size).toBe(0);
  });
});

describe("a time that is under way at the end of the process", () => {
  test.each([0, 3, 30])("goes on after %i minutes", (downMinutes) => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.advance(4 * MINUTE);
    home.crash({ downMs: downMinutes * MINUTE });
    home.advance(60 * MINUTE);
    expect(began(home)).toEqual([[Math.max(10, 4 + downMinutes), "then"]]);
  });

  test("is not started twice, and its end after a restart starts Else", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.advance(10 * MINUTE);
    home.crash({ downMs: MINUTE });
    expect(home.taken()).toEqual(["lamp DON"]);
    report(home, "w1", CLOSED);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("whose record did not reach the disk with its report is not lost", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.home.programHolds.clear();
    home.crash({ downMs: 30 * MINUTE });
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("ends when its device says something else afterwards", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.crash({ downMs: 5 * MINUTE });
    report(home, "w1", CLOSED);
    home.advance(30 * MINUTE);
    expect(home.taken()).toEqual([]);
  });

  test("happens in order with waits and schedules that came meanwhile", () => {
    const wait = { kind: "wait", span: minutes(7), random: false } as const;
    const home = homeWith(openFor(), "w1");
    home.put(6, { then: [wait, OFF] });
    report(home, "w1", OPEN);
    home.advance(4 * MINUTE);
    home.order(6, "runThen");
    home.crash({ downMs: 30 * MINUTE });
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });
});

describe("a clock that is set", () => {
  test("back: what remains stays as long as it was", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.advance(4 * MINUTE);
    home.setClock(home.nowMs - 60 * MINUTE);
    home.advance(6 * MINUTE - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("forward: it counts by the clock", () => {
    const home = homeWith(openFor(), "w1");
    report(home, "w1", OPEN);
    home.setClock(home.nowMs + 60 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
  });
});

/** A model that looks at every minute, against the engine, in random lives. */
describe("the naive model", () => {
  const NAMES = ["w0", "w1", "w2"] as const;
  const LASTING = 10;
  const happening = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        node: fc.nat(2),
        value: fc.constantFrom(OPEN, OPEN, CLOSED, 101),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("move" as const), node: fc.nat(2), isIn: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("enable" as const), node: fc.nat(2), isIn: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("floor" as const), isIn: fc.boolean() }) },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.constantFrom(1, 4, 6, 11) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("crash" as const), minutes: fc.constantFrom(0, 3, 25) }) },
  );
  type Node = {
    value: number;
    changedAt: number;
    isThere: boolean;
    isEnabled: boolean;
    since: number | null;
    isHandled: boolean;
  };

  class Model {
    readonly starts: (readonly [number, string])[] = [];
    readonly nodes: Node[] = NAMES.map(() => ({
      value: CLOSED,
      changedAt: 0,
      isThere: true,
      isEnabled: true,
      since: null,
      isHandled: false,
    }));
    now = 0;
    isFloorIn = true;
    readonly #how: "any" | "all" | "none";

    constructor(how: "any" | "all" | "none") {
      this.#how = how;
    }

    isMember({ isThere, isEnabled }: Node): boolean {
      return isThere && isEnabled && this.isFloorIn;
    }

    start(): void {
      const members = this.nodes.filter((node) => this.isMember(node));
      const long = members.filter(({ since }) => since !== null && since + LASTING <= this.now).length;
      const unknown = members.filter(({ value }) => value === 101).length;
      const truth = { any: long > 0, all: long === members.length, none: long + unknown === 0 }[this.#how];
      this.starts.push([this.now, truth && members.length > 0 ? "then" : "else"]);
    }

    ring(): void {
      const due = this.nodes.filter(
        ({ since, isHandled }) => since !== null && !isHandled && since + LASTING <= this.now,
      );
      const instants = new Set(due.map(({ since }) => since));
      for (const node of due) node.isHandled = true;
      for (const _instant of instants) this.start();
    }

    wait(minutes_: number): void {
      for (let minute = 0; minute < minutes_; minute += 1) {
        this.now += 1;
        this.ring();
      }
    }

    report(node: Node, value: number): void {
      if (!node.isEnabled || node.value === value) return;
      node.value = value;
      node.changedAt = this.now;
      if (!this.isMember(node)) return;
      const wasHandled = node.since !== null && node.isHandled;
      if (value === OPEN) Object.assign(node, { since: this.now, isHandled: false });
      else node.since = null;
      if (value !== OPEN && wasHandled) this.start();
    }

    settle(): void {
      for (const node of this.nodes) {
        if (!this.isMember(node) || node.value !== OPEN) node.since = null;
        else if (node.since === null) {
          node.since = node.changedAt;
          node.isHandled = node.changedAt + LASTING <= this.now;
        }
      }
    }
  }

  test("starts at the same minutes with the same clause", () => {
    const hows = fc.constantFrom("any" as const, "all" as const, "none" as const);
    fc.assert(
      fc.property(hows, fc.array(happening, { minLength: 20, maxLength: 60 }), (how, life) => {
        const home = homeWith(openFor(minutes(LASTING), how), ...NAMES);
        const model = new Model(how);
        for (const each of life) {
          const node = "node" in each ? model.nodes[each.node] : undefined;
          const name = "node" in each ? (NAMES[each.node] ?? "") : "";
          if (each.kind === "report" && node?.isEnabled && node.value !== each.value) report(home, name, each.value);
          if (each.kind === "report" && node) model.report(node, each.value);
          if (each.kind === "move" && node) {
            node.isThere = each.isIn;
            move(home, name, each.isIn ? BED : HALL);
          }
          if (each.kind === "enable" && node) {
            node.isEnabled = each.isIn;
            home.commit({ type: "node-enabled", address: name, enabled: each.isIn });
          }
          if (each.kind === "floor") {
            model.isFloorIn = each.isIn;
            move(home, BED, each.isIn ? FLOOR : null, "folder");
          }
          model.settle();
          if (each.kind === "wait") {
            home.advance(each.minutes * MINUTE);
            model.wait(each.minutes);
          }
          if (each.kind === "crash") {
            home.crash({ downMs: each.minutes * MINUTE });
            model.now += each.minutes;
            model.ring();
          }
          expect(began(home)).toEqual(model.starts);
        }
      }),
    );
  });
});

test("a test of seconds is as exact", () => {
  const home = homeWith(openFor(seconds(1)), "w1");
  report(home, "w1", OPEN);
  home.advance(999);
  expect(home.taken()).toEqual([]);
  home.advance(1);
  expect(home.taken()).toEqual(["lamp DON"]);
});
