/** Programs by room and role: what their selectors mean, when their conditions are true, and what starts them. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Comparison, Condition, RoleTest } from "../../src/home/program-syntax.ts";
import { valueOfWord } from "../../src/profile/status-words.ts";
import {
  add,
  all,
  any,
  BATH,
  BED,
  contacts,
  FLOOR,
  HALL,
  lamps,
  move,
  nodeIn,
  none,
  numberOf,
  roles,
  roomHome,
  setAll,
  windows,
} from "./room-home.ts";
import type { Stage } from "./stage.ts";
import { OFF, ON, tell } from "./words.ts";

const lampScript = { then: [ON], else: [OFF] };
const OPEN_CLOSED = 79;
const [OPEN, CLOSED, UNKNOWN] = [0, 100, 101];
const report = (home: Stage, node: string, value: number | null) => home.report(node, value, { uom: OPEN_CLOSED });
const window = (folder: string, address: string) => nodeIn(folder, address, { use: "window" });

/** The status of the program after it was run. */
function truth(home: Stage, id = 5): boolean {
  home.order(id, "run");
  return home.program(id).status;
}

describe("a selector", () => {
  test("means the nodes of the role, in a place and all below it, that are enabled and not excepted", () => {
    const script = { if: [any({ ...windows(FLOOR), except: ["w4"] })] };
    const home = roomHome({ 5: script });
    const values = [
      window(BED, "w1"),
      nodeIn(BED, "door", { use: "door" }),
      window(HALL, "w2"),
      nodeIn(BED, "w3", { use: "window", enabled: false }),
      window(BED, "w4"),
      nodeIn(BED, "part", { role: "opposite", use: "window" }),
    ];
    const isMeant = values.map((node) => {
      add(home, node);
      report(home, node.address, OPEN);
      const meant = truth(home);
      report(home, node.address, CLOSED);
      return meant;
    });
    expect(isMeant).toEqual([true, false, false, false, false, false]);
  });

  test("means further nodes of a device where its first node lies", () => {
    const home = roomHome({ 5: { if: [any(contacts(BED))], ...lampScript } });
    add(home, nodeIn(BED, "d 1", { role: "other" }));
    add(home, { ...nodeIn(null, "d 2"), primary: "d 1" });
    report(home, "d 2", OPEN);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("without places means the whole home; with several, each of them", () => {
    const home = roomHome({ 5: { if: [any(windows())] }, 6: { if: [any(windows(BATH, HALL))] } });
    add(home, window(HALL, "w1"));
    report(home, "w1", OPEN);
    expect([truth(home, 5), truth(home, 6)]).toEqual([true, true]);
    move(home, "w1", BED);
    expect([truth(home, 5), truth(home, 6)]).toEqual([true, false]);
  });

  test("follows what its owner says a node is used for", () => {
    const home = roomHome({ 5: { if: [any(windows())], ...lampScript } });
    const node = nodeIn(BED, "w1");
    add(home, node);
    report(home, "w1", OPEN);
    home.commit({ type: "node-revised", node: { ...node, use: "window" } });
    expect(home.taken()).toEqual([]);
    expect(truth(home)).toBe(true);
  });

  test("whose folder is gone makes the program not loaded", () => {
    const home = roomHome({ 5: { if: [any(windows(HALL))] } });
    home.commit({ type: "folder-removed", address: HALL });
    expect(home.program(5).invalid).toBe("There is no folder 103.");
    home.commit({ type: "folder-added", folder: { address: HALL, name: "Hall", parent: null } });
    expect(home.program(5).invalid).toBeNull();
  });
});

describe("a change of the set", () => {
  test("starts nothing and ends no run; the next evaluation finds it", () => {
    const home = roomHome({ 5: { if: [any(windows(FLOOR))], ...lampScript } });
    add(home, window(HALL, "w1"));
    report(home, "w1", OPEN);
    move(home, "w1", BED);
    expect(home.taken()).toEqual([]);
    expect(truth(home)).toBe(true);
    move(home, BED, null, "folder");
    expect(truth(home)).toBe(false);
    move(home, BED, FLOOR, "folder");
    home.commit({ type: "node-enabled", address: "w1", enabled: false });
    expect(truth(home)).toBe(false);
  });

  test("a member that joins has the value that the home shows, and starts with its next change", () => {
    const home = roomHome({ 5: { if: [any(windows(BED), "closed")], ...lampScript } });
    add(home, window(HALL, "w1"));
    report(home, "w1", OPEN);
    move(home, "w1", BED);
    report(home, "w1", CLOSED);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a node that is removed and added again begins without a value", () => {
    const home = roomHome({ 5: { if: [any(windows(BED))] } });
    add(home, window(BED, "w1"));
    report(home, "w1", OPEN);
    home.commit({ type: "node-removed", address: "w1" });
    add(home, window(BED, "w1"));
    expect(truth(home)).toBe(false);
  });
});

describe("the truth by room and role", () => {
  /** Three windows with these values; a missing one did not report. */
  const withValues = (condition: Condition, ...values: readonly (number | undefined)[]) => {
    const home = roomHome({ 5: { if: [condition] } });
    for (const [at, value] of values.entries()) {
      add(home, window(BED, `w${at}`));
      if (value !== undefined) report(home, `w${at}`, value);
    }
    return truth(home);
  };

  test("any: at least one is known to match", () => {
    expect(withValues(any(windows()), CLOSED, OPEN, undefined)).toBe(true);
    expect(withValues(any(windows()), CLOSED, UNKNOWN, undefined)).toBe(false);
  });

  test("all: every one is known and matches", () => {
    expect(withValues(all(windows()), OPEN, OPEN)).toBe(true);
    expect(withValues(all(windows()), OPEN, UNKNOWN)).toBe(false);
    expect(withValues(all(windows()), OPEN, undefined)).toBe(false);
  });

  test("no: every one is known and does not match", () => {
    expect(withValues(none(windows()), CLOSED, CLOSED)).toBe(true);
    expect(withValues(none(windows()), CLOSED, UNKNOWN)).toBe(false);
  });

  test.each([
    ["GE", 1, true],
    ["GE", 2, false],
    ["LE", 2, true],
    ["LE", 1, false],
    ["IS", 1, false],
    ["ISNOT", 3, true],
    ["ISNOT", 2, false],
    ["LT", 3, true],
    ["GT", 0, true],
  ] as const)("number %s %i holds for every count that is possible: %s", (comparison, number, expected) => {
    expect(withValues(numberOf(windows(), comparison, number), OPEN, CLOSED, undefined)).toBe(expected);
  });

  test("an empty set is unknown: every condition about it is false", () => {
    const tests: readonly RoleTest[] = [
      { how: "any", is: "open" },
      { how: "all", is: "open" },
      { how: "none", is: "open" },
      { how: "number", is: "open", comparison: "IS", number: 0 },
      { how: "sends", command: "DON", comparison: "ISNOT" },
    ];
    expect(tests.map((each) => withValues(roles(windows(), each)))).toEqual(tests.map(() => false));
  });

  test("states are compared by their words, whatever the unit", () => {
    const home = roomHome({ 5: { if: [all(contacts(), "open")] } });
    for (const uom of [2, 78, 79, 97, 100]) {
      add(home, nodeIn(BED, `c${uom}`));
      home.report(`c${uom}`, valueOfWord("open", uom, "contact"), { uom });
    }
    expect(truth(home)).toBe(true);
    home.report("c79", valueOfWord("closed", 79, "contact"), { uom: 79 });
    expect(truth(home)).toBe(false);
  });

  test.each([
    ["average", "LT", 200, true],
    ["average", "LT", 199, false],
    ["min", "IS", 180, true],
    ["max", "GT", 212, true],
    ["max", "GT", 213, false],
  ] as const)("the %s of measures in their units %s %i: %s", (how, comparison, tenths, expected) => {
    const value = { value: tenths, prec: 1, uom: 4 };
    const home = roomHome({
      5: { if: [roles({ role: "temperature", places: [], except: [] }, { how, comparison, value })] },
    });
    add(home, nodeIn(BED, "t1", { role: "temperature" }));
    add(home, nodeIn(BED, "t2", { role: "thermostat" }));
    add(home, nodeIn(BED, "t3", { role: "temperature" }));
    add(home, nodeIn(BED, "t4", { role: "temperature" }));
    home.report("t1", 180, { uom: 4, prec: 1 });
    home.report("t2", 41, { uom: 101 });
    home.report("t3", 703, { uom: 17, prec: 1 });
    home.report("t4", null, { uom: 4 });
    expect(truth(home)).toBe(expected);
  });

  test("an average of nothing that is known is false", () => {
    const value = { value: 50, prec: 0, uom: 4 };
    const test_: RoleTest = { how: "average", comparison: "LT", value };
    const home = roomHome({ 5: { if: [roles({ role: "temperature", places: [], except: [] }, test_)] } });
    add(home, nodeIn(BED, "t1", { role: "temperature" }));
    expect(truth(home)).toBe(false);
  });
});

describe("what starts a program by room and role", () => {
  test("a change of any member, once for an event, and the member is the cause", () => {
    const home = roomHome({ 5: { if: [any(windows()), numberOf(windows(), "GE", 1)], ...lampScript } });
    add(home, window(BED, "w1"));
    add(home, window(BED, "w2"));
    report(home, "w2", OPEN);
    report(home, "w1", OPEN);
    report(home, "w2", CLOSED);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON", "lamp DON"]);
    expect(home.traced("evaluated")[0]?.trigger).toMatchObject({ kind: "status", node: "w2" });
  });

  test("a command of any member, which is true in that evaluation only", () => {
    const motion = { role: "motion sensor", places: [BED], except: [] } as const;
    const home = roomHome({
      5: { if: [roles(motion, { how: "sends", command: "DON", comparison: "IS" })], ...lampScript },
    });
    add(home, nodeIn(BED, "m1", { role: "motion" }));
    add(home, nodeIn(HALL, "m2", { role: "motion" }));
    home.press("m1", "DON");
    home.press("m2", "DON");
    home.press("m1", "DOF");
    expect(home.taken()).toEqual(["lamp DON"]);
    expect(truth(home)).toBe(false);
  });

  test("the record of an evaluation has how many were meant, matched and were unknown, and who decided", () => {
    const home = roomHome({ 5: { if: [any(windows())] } });
    for (const address of ["w1", "w2", "w3"]) add(home, window(BED, address));
    report(home, "w2", OPEN);
    const [found] = home.traced("evaluated").at(-1)?.conditions ?? [];
    expect(found?.roles).toEqual({ members: 3, matches: 1, unknown: 2, decided: ["w2"] });
  });
});

describe("a command by room and role", () => {
  const lamp = (folder: string, address: string) => nodeIn(folder, address, { role: "dimmer" });

  test("is one statement with one outcome", () => {
    const home = roomHome({ 5: { then: [setAll(lamps(), "off"), tell("fan", "DON")] } });
    for (const address of ["l1", "l2", "l3"]) add(home, lamp(BED, address));
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["all lamp off", "fan DON"]);
    expect(home.traced("outcome")).toHaveLength(2);
  });

  test("is sent again after the process has ended in the middle of it", () => {
    const home = roomHome({ 5: { then: [setAll(lamps(), "off")] } }, { isSlow: true });
    home.order(5, "runThen");
    home.crash();
    expect(home.taken()).toEqual(["all lamp off", "all lamp off"]);
  });

  test.each([2, 100, 500])("of %i lamps whose reports start it is sent once, and the program is not cut", (count) => {
    const home = roomHome({ 5: { if: [any(lamps(), "on")], then: [setAll(lamps(), "on")] } });
    for (let at = 0; at < count; at += 1) add(home, lamp(BED, `l${at}`));
    home.report("l0", 100, { uom: 51 });
    const runId = home.lastSent?.runId ?? "";
    for (let at = 1; at < count; at += 1) home.report(`l${at}`, 100, { uom: 51, runId, among: count });
    expect(home.taken()).toEqual(["all lamp on"]);
    expect(home.program(5).enabled).toBe(true);
    home.report("l0", 0, { uom: 51 });
    expect(home.taken()).toEqual(count > 1 ? ["all lamp on"] : []);
  });

  test("two programs that fight over a room end after each has commanded once", () => {
    const home = roomHome({
      5: { if: [any(lamps(), "on")], then: [setAll(lamps(), "off")] },
      6: { if: [any(lamps(), "off")], then: [setAll(lamps(), "on")] },
    });
    add(home, lamp(BED, "l1"));
    home.report("l1", 100, { uom: 51 });
    for (const value of [0, 100, 0, 100, 0]) home.report("l1", value, { uom: 51, runId: home.lastSent?.runId ?? "" });
    expect(home.taken()).toEqual(["all lamp off", "all lamp on"]);
  });

  test("is carried out in each turn of a repeat", () => {
    const repeat = { kind: "repeat-times", times: 3, random: false } as const;
    const home = roomHome({ 5: { then: [repeat, setAll(lamps(), "on"), setAll(lamps(), "off")] } });
    home.order(5, "runThen");
    expect(home.taken()).toHaveLength(6);
  });

  test("of more devices than are allowed does nothing, and the trace says why", () => {
    const home = roomHome({ 5: { then: [setAll(lamps(), "on")] } }, { limits: { roleMembersMax: 2 } });
    for (const address of ["l1", "l2", "l3"]) add(home, lamp(BED, address));
    home.order(5, "runThen");
    expect(home.taken()).toEqual([]);
    expect(home.traced("statement")[0]?.detail).toBe("It means 3 devices; 2 are allowed (roleMembersMax).");
  });
});

/** A program by room and role does what the same conditions about each device do, for any life of the home. */
describe("the expansion", () => {
  const UNITS = [2, 78, 79, 97] as const;
  const NAMES = UNITS.map((uom) => `c${uom}`);
  const unitOf = (node: string) => Number(node.slice(1));
  const COMPARISONS: readonly Comparison[] = ["GT", "GE", "LT", "LE", "IS", "ISNOT"];

  const isIn = (node: string, is: "open" | "closed"): Condition => ({
    andOr: "and",
    kind: "status",
    node,
    property: "ST",
    comparison: "IS",
    value: { value: valueOfWord(is, unitOf(node), "contact") ?? -1, prec: 0, uom: unitOf(node) },
  });
  const NEVER: Condition = {
    andOr: "and",
    kind: "variable",
    type: 1,
    id: 1,
    comparison: "IS",
    operand: { kind: "value", value: 77, prec: 0 },
  };
  const list = (conditions: readonly Condition[], andOr: "and" | "or"): Condition => ({
    andOr: "and",
    kind: "paren",
    conditions: conditions.length === 0 ? [NEVER] : conditions.map((each) => ({ ...each, andOr })),
  });

  /** Every way in which a number of them can be open, as far as the comparison allows it. */
  function expanded(test_: RoleTest, members: readonly string[]): Condition {
    if (members.length === 0) return NEVER;
    if (test_.how === "any")
      return list(
        members.map((node) => isIn(node, "open")),
        "or",
      );
    if (test_.how === "all")
      return list(
        members.map((node) => isIn(node, "open")),
        "and",
      );
    if (test_.how === "none")
      return list(
        members.map((node) => isIn(node, "closed")),
        "and",
      );
    if (test_.how !== "number") return NEVER;
    const { comparison, number } = test_;
    const fits = (count: number) =>
      ({
        GT: count > number,
        GE: count >= number,
        LT: count < number,
        LE: count <= number,
        IS: count === number,
        ISNOT: count !== number,
      })[comparison];
    const ways: Condition[] = [];
    // Known open, known closed; the rest may be either.
    for (let open = 0; open < 2 ** members.length; open += 1) {
      for (let closed = 0; closed < 2 ** members.length; closed += 1) {
        if ((open & closed) !== 0) continue;
        const least = members.filter((_node, at) => open & (1 << at)).length;
        const most = members.filter((_node, at) => !(closed & (1 << at))).length;
        const counts = Array.from({ length: most - least + 1 }, (_each, at) => least + at);
        if (!counts.every(fits)) continue;
        const known = members.flatMap((node, at) =>
          open & (1 << at) ? [isIn(node, "open")] : closed & (1 << at) ? [isIn(node, "closed")] : [],
        );
        ways.push(known.length === 0 ? list([list([], "and"), ALWAYS], "or") : list(known, "and"));
      }
    }
    // Never true: it has the conditions that start the program.
    ways.push(list([NEVER, ...members.map((node) => isIn(node, "open"))], "and"));
    return list(ways, "or");
  }
  const ALWAYS: Condition = { ...NEVER, kind: "variable", comparison: "ISNOT" } as Condition;

  const happening = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        node: fc.nat(3),
        value: fc.constantFrom("open", "closed", "unknown", "none"),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("move" as const),
        node: fc.nat(3),
        to: fc.constantFrom(BED, HALL, null),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("folder" as const), to: fc.constantFrom(FLOOR, null) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("enable" as const), node: fc.nat(3), enabled: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), node: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const) }) },
  );
  const roleTest = fc.oneof(
    fc.record({
      how: fc.constantFrom("any" as const, "all" as const, "none" as const),
      is: fc.constant("open" as const),
    }),
    fc.record({
      how: fc.constant("number" as const),
      is: fc.constant("open" as const),
      comparison: fc.constantFrom(...COMPARISONS),
      number: fc.nat(4),
    }),
  );

  function expectSame(home: Stage): void {
    const sent = home.taken();
    const of = (node: string) => sent.filter((words) => words.startsWith(node)).map((words) => words.split(" ")[1]);
    expect(of("fan")).toEqual(of("lamp"));
  }

  test("of any condition, in random lives, decides the same at every step", () => {
    fc.assert(
      fc.property(roleTest, fc.array(happening, { maxLength: 30 }), (test_, life) => {
        const home = roomHome({
          5: { if: [roles(contacts(FLOOR), test_)], then: [tell("lamp", "DON")], else: [tell("lamp", "DOF")] },
        });
        const places = new Map<string, string | null>(NAMES.map((name) => [name, BED]));
        const enabled = new Set(NAMES);
        let floorHasBed = true;
        for (const name of NAMES) add(home, nodeIn(BED, name));
        const rewrite = () => {
          const members = NAMES.filter((name) => enabled.has(name) && floorHasBed && places.get(name) === BED).sort();
          home.put(6, { if: [expanded(test_, members)], then: [tell("fan", "DON")], else: [tell("fan", "DOF")] });
        };
        rewrite();
        for (const each of life) {
          const name = "node" in each ? (NAMES[each.node] ?? "") : "";
          if (each.kind === "report") {
            const word = each.value === "open" || each.value === "closed" ? each.value : null;
            const value = word ? valueOfWord(word, unitOf(name), "contact") : each.value === "unknown" ? 101 : null;
            const isUnknown = value === 101 && unitOf(name) === 2;
            if (enabled.has(name)) home.report(name, isUnknown ? null : value, { uom: unitOf(name) });
          } else if (each.kind === "crash") home.crash();
          else {
            if (each.kind === "move") {
              places.set(name, each.to);
              move(home, name, each.to);
            } else if (each.kind === "folder") {
              floorHasBed = each.to === FLOOR;
              move(home, BED, each.to, "folder");
            } else if (each.kind === "enable") {
              if (each.enabled) enabled.add(name);
              else enabled.delete(name);
              home.commit({ type: "node-enabled", address: name, enabled: each.enabled });
            } else {
              home.commit({ type: "node-removed", address: name });
              enabled.add(name);
              add(home, nodeIn(places.get(name) ?? null, name));
            }
            rewrite();
          }
          expectSame(home);
          for (const id of [5, 6]) home.order(id, "run");
          expectSame(home);
        }
      }),
    );
  });
});
