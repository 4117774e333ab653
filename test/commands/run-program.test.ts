/** What a person tells a program: the nine verbs, on programs and folders, and the truth of an `if`. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/commands/run-program.ts";
import type { Condition, Schedule, TimeOfDay } from "../../src/home/program-syntax.ts";
import type { Program, ProgramFolder } from "../../src/home/programs.ts";
import { evaluateConditions } from "../../src/programs/evaluate.ts";
import { type CommandHouse, codeOf, createHouse, REQUEST, report, START_MS, spec, told } from "./command-house.ts";

const FALSE: Condition = { andOr: "and", kind: "control", node: "a", command: "DON", comparison: "IS" };
const TRUE: Condition = { ...FALSE, comparison: "ISNOT" };

const program = (id: number, patch: Partial<Program> = {}): Program => ({
  kind: "program",
  id,
  version: 1,
  name: `Program ${id}`,
  parentId: 1,
  status: null,
  lastRunAtMs: null,
  lastFinishAtMs: null,
  nextRunAtMs: null,
  comment: "",
  enabled: true,
  runAtStartup: false,
  running: "idle",
  invalid: null,
  tree: { if: [], then: [], else: [] },
  ...patch,
});

const folder = (id: number, parentId: number | null): ProgramFolder => ({
  kind: "folder",
  id,
  version: 1,
  name: `Folder ${id}`,
  parentId,
  status: true,
  lastRunAtMs: null,
  lastFinishAtMs: null,
  nextRunAtMs: null,
  conditions: [],
});

async function programHouse(...programs: Program[]) {
  const house = await createHouse();
  for (const entry of [folder(1, null), folder(2, 1), ...programs]) {
    house.feed.commit({ type: "program-added", program: entry }, REQUEST);
  }
  return house;
}

const runs = (house: CommandHouse) => told(house, "program-ran").map(({ id, run }) => [id, run.status, run.running]);

describe("a program", () => {
  test.each([
    ["runThen", [FALSE], true, "then"],
    ["runElse", [TRUE], false, "else"],
    ["run", [TRUE], true, "then"],
    ["run", [FALSE], false, "else"],
    ["runIf", [FALSE], false, "else"],
    ["RUNIF", [], true, "then"],
  ] as const)("%s with %o ends %s after running %s, and is on disk", async (verb, conditions, status, clause) => {
    const house = await programHouse(program(3, { enabled: false, tree: { if: conditions, then: [], else: [] } }));
    await runProgram(house, 3, verb, REQUEST);
    expect(runs(house)).toEqual([
      [3, status, clause],
      [3, undefined, "idle"],
    ]);
    const times = { lastRunAtMs: START_MS, lastFinishAtMs: START_MS };
    expect(house.home.programs.get(3)).toMatchObject({ status, running: "idle", ...times });
    expect(house.durable).toEqual([house.feed.lastSeq]);
  });

  test("stop ends what runs, leaves the status, and is told also when nothing runs", async () => {
    const house = await programHouse(program(3, { status: true, running: "then" }));
    await runProgram(house, 3, "stop", REQUEST);
    await house.clock.advance(1000);
    await runProgram(house, 3, "stop", REQUEST);
    expect(runs(house)).toHaveLength(2);
    expect(house.home.programs.get(3)).toMatchObject({ status: true, running: "idle", lastFinishAtMs: START_MS });
  });

  test.each([
    ["enable", { enabled: true }],
    ["disable", { enabled: false }],
    ["enableRunAtStartup", { runAtStartup: true }],
    ["disableRunAtStartup", { runAtStartup: false }],
  ] as const)("%s makes it %o, told also when it is so already", async (verb, expected) => {
    const house = await programHouse(program(3));
    await runProgram(house, 3, verb, REQUEST);
    await runProgram(house, 3, verb, REQUEST);
    expect(told(house, "program-changed")).toMatchObject([{ program: expected }, { program: expected }]);
  });

  test.each([
    [3, "explode", "PROGRAM_COMMAND_UNKNOWN"],
    [3, "constructor", "PROGRAM_COMMAND_UNKNOWN"],
    [9, "run", "PROGRAM_NOT_FOUND"],
    [3, "runThen", "CONFLICT"],
  ])("%i %s is %s", async (id, verb, code) => {
    const house = await programHouse(program(3, { invalid: "A node is missing." }));
    expect(await codeOf(runProgram(house, id, verb, REQUEST))).toBe(code);
    expect(runs(house)).toEqual([]);
  });
});

describe("a folder", () => {
  const inside = () => [
    program(3),
    program(4, { parentId: 2, enabled: false }),
    program(5, { parentId: 2, invalid: "A node is missing." }),
    program(6, { parentId: 2, running: "else" }),
  ];

  test("runs every enabled program in it, at any depth", async () => {
    const house = await programHouse(...inside());
    await runProgram(house, 1, "run", REQUEST);
    expect(runs(house).map(([id]) => id)).toEqual([6, 6, 3, 3]);
  });

  test("stops the enabled ones", async () => {
    const house = await programHouse(...inside());
    await runProgram(house, 2, "stop", REQUEST);
    expect(runs(house).map(([id]) => id)).toEqual([5, 6]);
  });

  test("enables and disables what is in it", async () => {
    const house = await programHouse(...inside());
    await runProgram(house, 1, "disable", REQUEST);
    await runProgram(house, 2, "enable", REQUEST);
    const enabled = [3, 4, 5, 6].map((id) => (house.home.programs.get(id) as Program).enabled);
    expect(enabled).toEqual([false, true, true, true]);
    expect(told(house, "program-changed")).toHaveLength(6);
  });

  test.each(["runThen", "runElse", "runIf", "enableRunAtStartup", "disableRunAtStartup"])(
    "knows no %s",
    async (verb) => {
      const house = await programHouse(...inside());
      expect(await codeOf(runProgram(house, 1, verb, REQUEST))).toBe("COMMAND_NOT_FOR_FOLDERS");
    },
  );

  test("that is empty takes every verb of folders", async () => {
    const house = await programHouse();
    await runProgram(house, 2, "run", REQUEST);
    expect(house.durable).toEqual([]);
  });
});

describe("the truth of an if", () => {
  const at = { nowMs: START_MS, timeZone: "Europe/Berlin" };
  const truth = (house: CommandHouse, ...conditions: Condition[]) => evaluateConditions(conditions, house.home, at);

  test("AND binds before OR, as in any boolean algebra", async () => {
    const { home } = await createHouse();
    const terms = fc.array(fc.tuple(fc.boolean(), fc.constantFrom("and", "or")), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(terms, (list) => {
        const conditions = list.map(([value, andOr]): Condition => ({ ...(value ? TRUE : FALSE), andOr }));
        const text = list
          .map(([value, andOr], index) => (index ? (andOr === "and" ? "&&" : "||") : "") + value)
          .join(" ");
        const expected = new Function(`return ${text}`)();
        expect(evaluateConditions(conditions, home, at)).toBe(expected);
        const paren: Condition = { andOr: "and", kind: "paren", conditions };
        expect(evaluateConditions([paren], home, at)).toBe(expected);
      }),
    );
  });

  const LAMP = "ZW002_1";
  const status = (
    comparison: "GT" | "GE" | "LT" | "LE" | "IS" | "ISNOT",
    value: number,
    prec = 0,
    uom = 51,
  ): Condition => ({
    andOr: "and",
    kind: "status",
    node: LAMP,
    property: "ST",
    comparison,
    value: { value, prec, uom },
  });

  test.each([
    [status("IS", 50), { value: 50 }, true],
    [status("IS", 500, 1), { value: 50 }, true],
    [status("GT", 499, 1), { value: 50 }, true],
    [status("GE", 501, 1), { value: 50 }, false],
    [status("LT", 50), { value: 499, prec: 1 }, true],
    [status("LE", 50), { value: 501, prec: 1 }, false],
    [status("ISNOT", 50), { value: 501, prec: 1 }, true],
    [status("IS", 40), { value: 102, uom: 100 }, true],
    [status("IS", 102, 0, 100), { value: 40, uom: 51 }, true],
    [status("IS", 255, 0, 100), { value: 255, uom: 100 }, true],
    [status("IS", 21, 0, 17), { value: 21, uom: 4 }, true],
    [status("ISNOT", 1), { value: null }, false],
    [status("IS", 1), { value: null }, false],
  ])("%o with %o is %s", async (condition, reported, expected) => {
    const house = await createHouse();
    house.host.node(spec(LAMP));
    house.host.report([report(LAMP, reported.value, reported)]);
    expect(truth(house, condition)).toBe(expected);
  });

  test("what is missing is false", async () => {
    const house = await createHouse();
    house.host.node(spec(LAMP));
    expect(truth(house, status("ISNOT", 1))).toBe(false);
    expect(truth(house, { ...status("ISNOT", 1), node: "nowhere" } as Condition)).toBe(false);
    expect(truth(house, { andOr: "and", kind: "program", id: 77, is: false })).toBe(false);
    const operand = { kind: "value", value: 0, prec: 0 } as const;
    expect(truth(house, { andOr: "and", kind: "variable", type: 1, id: 9, comparison: "ISNOT", operand })).toBe(false);
  });

  test("variables are compared as displayed, with a number or with each other", async () => {
    const house = await createHouse();
    const put = (id: number, value: number, prec: number) =>
      house.feed.commit(
        { type: "variable-added", variable: { type: 2, id, name: "v", value, init: 0, prec, writtenAtMs: 0 } },
        REQUEST,
      );
    put(1, 51, 1);
    put(2, 5100, 3);
    const is = (operand: Extract<Condition, { kind: "variable" }>["operand"]) =>
      truth(house, { andOr: "and", kind: "variable", type: 2, id: 1, comparison: "IS", operand });
    expect(is({ kind: "variable", type: 2, id: 2 })).toBe(true);
    expect(is({ kind: "value", value: 510, prec: 2 })).toBe(true);
    expect(is({ kind: "value", value: 51, prec: 0 })).toBe(false);
    expect(is({ kind: "variable", type: 2, id: 3 })).toBe(false);
  });

  test("another program's status is as asked, unknown is neither", async () => {
    const house = await programHouse(program(3, { status: true }), program(4));
    const is = (id: number, is: boolean) => truth(house, { andOr: "and", kind: "program", id, is });
    expect([is(3, true), is(3, false), is(4, true), is(4, false)]).toEqual([true, false, false, false]);
  });
});

describe("windows of schedules", () => {
  const hour = 3600;
  const clock = (secondOfDay: number, patch = {}): TimeOfDay => ({
    kind: "time",
    secondOfDay,
    date: null,
    offsetDays: 0,
    ...patch,
  });
  const sun = (kind: "sunrise" | "sunset", offsetS = 0): TimeOfDay => ({ kind, offsetS, date: null, offsetDays: 0 });
  const fromTo = (from: TimeOfDay, to: TimeOfDay): Schedule => ({ kind: "from-to", from, to });
  const lasting = (from: TimeOfDay, hours: number, minutes = 0): Schedule => ({
    kind: "from-for",
    from,
    lasting: { hours, minutes, seconds: 0 },
  });
  const night = fromTo(clock(22 * hour), clock(6 * hour));

  test.each<[string, Schedule, string, boolean]>([
    ["at has no window", { kind: "at", at: clock(12 * hour) }, "2026-06-10T12:00:00+02:00", false],
    ["the start is inside", night, "2026-06-10T22:00:00+02:00", true],
    ["past midnight is inside", night, "2026-06-11T05:59:59+02:00", true],
    ["the end is not", night, "2026-06-11T06:00:00+02:00", false],
    ["noon is not", night, "2026-06-10T12:00:00+02:00", false],
    ["two days of offset", fromTo(clock(hour), clock(hour, { offsetDays: 2 })), "2026-06-12T00:59:00+02:00", true],
    ["a span of hours", lasting(clock(23 * hour), 2, 30), "2026-06-11T01:29:59+02:00", true],
    ["and its end", lasting(clock(23 * hour), 2, 30), "2026-06-11T01:30:00+02:00", false],
    ["a span of days", lasting(clock(hour), 100), "2026-06-12T00:30:00+02:00", true],
    ["a span of real hours over the clock change", lasting(clock(hour), 2), "2026-03-29T03:59:59+02:00", true],
    ["which ends on time", lasting(clock(hour), 2), "2026-03-29T04:00:00+02:00", false],
    [
      "a skipped time is the end of the gap",
      fromTo(clock(2.5 * hour), clock(4 * hour)),
      "2026-03-29T03:00:00+02:00",
      true,
    ],
    ["and nothing before", fromTo(clock(2.5 * hour), clock(4 * hour)), "2026-03-29T01:59:59+01:00", false],
    ["a doubled time is the first one", fromTo(clock(2.5 * hour), clock(4 * hour)), "2026-10-25T02:30:00+02:00", true],
    ["by day is light", fromTo(sun("sunrise"), sun("sunset")), "2026-06-10T12:00:00+02:00", true],
    ["by night is not", fromTo(sun("sunrise"), sun("sunset")), "2026-06-10T23:30:00+02:00", false],
    ["dusk until after midnight", fromTo(sun("sunset", -1800), clock(hour / 2)), "2026-06-11T00:15:00+02:00", true],
    ["a date comes once", lasting(clock(8 * hour, { date: "2026/06/10" }), 1), "2026-06-10T08:30:00+02:00", true],
    ["and not the day after", lasting(clock(8 * hour, { date: "2026/06/10" }), 1), "2026-06-11T08:30:00+02:00", false],
    [
      "from date to date",
      fromTo(clock(0, { date: "2026/06/01" }), clock(0, { date: "2026/07/01" })),
      "2026-06-20T00:00:00+02:00",
      true,
    ],
    ["no such date never comes", lasting(clock(0, { date: "2026/02/31" }), 24), "2026-03-03T12:00:00+01:00", false],
    ["nor ends", fromTo(clock(0), clock(0, { date: "tomorrow" })), "2026-03-03T12:00:00+01:00", false],
  ])("%s", async (_claim, when, now, expected) => {
    const { home } = await createHouse();
    const condition: Condition = { andOr: "and", kind: "schedule", days: null, when };
    const at = { nowMs: Date.parse(now), timeZone: "Europe/Berlin" };
    expect(evaluateConditions([condition], home, at)).toBe(expected);
  });

  test.each([
    ["2026-06-13T05:00:00+02:00", true],
    ["2026-06-13T23:00:00+02:00", false],
  ])("days belong to the start of a window: %s is %s on Fridays", async (now, expected) => {
    const { home } = await createHouse();
    const condition: Condition = { andOr: "and", kind: "schedule", days: ["fri"], when: night };
    expect(evaluateConditions([condition], home, { nowMs: Date.parse(now), timeZone: "Europe/Berlin" })).toBe(expected);
  });

  test.each([
    ["2026-06-20T21:00:00Z", "polar day"],
    ["2026-12-20T12:00:00Z", "polar night"],
  ])("where the sun neither rises nor sets there is no window (%s, %s)", async (now) => {
    const { home } = await createHouse();
    home.controller = { ...home.controller, latitude: 78.2, longitude: 15.6 };
    const condition: Condition = {
      andOr: "and",
      kind: "schedule",
      days: null,
      when: fromTo(sun("sunrise"), sun("sunset")),
    };
    const at = { nowMs: Date.parse(now), timeZone: "Arctic/Longyearbyen" };
    expect(evaluateConditions([condition], home, at)).toBe(false);
  });

  test("an open window is open in every zone for exactly its span", async () => {
    const { home } = await createHouse();
    const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu");
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: 0, max: 86_399 }),
        fc.integer({ min: 0, max: 365 }),
        (timeZone, second, day) => {
          const nowMs = Date.UTC(2026, 0, 1) + day * 86_400_000 + second * 1000;
          const when = lasting(clock(0), 48);
          const inside = evaluateConditions([{ andOr: "and", kind: "schedule", days: null, when }], home, {
            nowMs,
            timeZone,
          });
          expect(inside).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});
