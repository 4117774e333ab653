/** The syntax tree in the interface's JSON, both ways. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { type ProgramTree, SYNTAX_LIMITS } from "../../src/home/program-syntax.ts";
import { LocatedValue } from "../../src/http/api/located-value.ts";
import { actionJson, conditionJson, parseTree } from "../../src/http/api/trigger-json.ts";
import { arbitraryTree } from "../support/arbitrary-trees.ts";

const encode = (tree: ProgramTree): unknown =>
  JSON.parse(
    JSON.stringify({
      if: tree.if.map(conditionJson),
      then: tree.then.map(actionJson),
      else: tree.else.map(actionJson),
    }),
  );
const parse = (json: unknown): ProgramTree => new LocatedValue(json, "").object(parseTree);

function refusal(json: unknown): string {
  try {
    parse(json);
    return "accepted";
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe("every tree", () => {
  test("is read back unchanged from its JSON", () => {
    fc.assert(
      fc.property(arbitraryTree(), (tree) => {
        expect(parse(encode(tree))).toEqual(tree);
      }),
      { numRuns: 500 },
    );
  });

  test("has JSON that is the same after reading and writing it", () => {
    fc.assert(
      fc.property(arbitraryTree(), (tree) => {
        const json = encode(tree);
        expect(encode(parse(json))).toEqual(json);
      }),
      { numRuns: 300 },
    );
  });
});

test("any input is a tree or is refused, never anything else", () => {
  const mutilated = fc
    .tuple(arbitraryTree(), fc.nat(), fc.jsonValue())
    .map(([tree, at, junk]) => mutilate(encode(tree), at, junk));
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), mutilated), (json) => {
      const answer = refusal(json);
      expect(answer === "accepted" || answer.startsWith("BAD_BODY: The body")).toBe(true);
      if (answer === "accepted") expect(parse(encode(parse(json)))).toEqual(parse(json));
    }),
    { numRuns: 1000 },
  );
});

/** Puts junk in the place of one value inside. */
function mutilate(json: unknown, at: number, junk: unknown): unknown {
  const paths: (readonly (string | number)[])[] = [];
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    paths.push(path);
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
  };
  walk(json, []);
  const path = paths[at % paths.length] ?? [];
  const copy = { root: structuredClone(json) };
  const parents = ["root", ...path.slice(0, -1)];
  const last = path.at(-1);
  if (last === undefined) return junk;
  const owner = parents.reduce<unknown>((value, key) => Reflect.get(value as object, key), copy);
  Reflect.set(owner as object, last, junk);
  return copy.root;
}

const TREE = { if: [] as unknown[], then: [] as unknown[], else: [] as unknown[] };
const onlyIf = (...conditions: unknown[]) => ({ ...TREE, if: conditions });
const onlyThen = (...actions: unknown[]) => ({ ...TREE, then: actions });
const NUMBER = { value: 1, prec: 0 };

describe("refusals name the position", () => {
  test.each<readonly [unknown, string]>([
    [null, "The body has to be an object"],
    [{ if: [], then: [] }, 'The body needs the member "else"'],
    [{ ...TREE, fi: [] }, 'The body has the unknown member "fi"'],
    [onlyIf(7), "The body at if[0] has to be an object"],
    [onlyIf({ andOr: "and" }), 'The body at if[0] needs the member "type"'],
    [onlyIf({ type: "moon", andOr: "and" }), "The body at if[0].type has to be one of paren, status, held, control"],
    [onlyIf({ type: "toString" }), "The body at if[0].type has to be one of"],
    [onlyIf({ type: "triggerref", refid: 2, is: "yes" }), "The body at if[0].is has to be true or false"],
    [onlyIf({ type: "triggerref", refid: 0, is: true }), "if[0].refid has to be a whole number from 1 to 65535"],
    [onlyIf({ type: "triggerref", refid: 2, is: true, andOr: "xor" }), "if[0].andOr has to be one of and, or"],
    [
      onlyIf({ type: "paren", conditions: [{ type: "status", id: "ST", node: "1 2 3 1", op: "EQ", val: NUMBER }] }),
      "The body at if[0].conditions[0].op has to be one of GT, GE, LT, LE, IS, ISNOT",
    ],
    [
      onlyIf({ type: "status", id: "ST", node: "", op: "IS", val: NUMBER }),
      "if[0].node has to be a text of 1 to 100 characters",
    ],
    [
      onlyIf({ type: "status", id: "ST", node: "a\u0000b", op: "IS", val: NUMBER }),
      "if[0].node has to be a text of 1 to 100 characters without control characters",
    ],
    [
      onlyIf({ type: "status", id: "ST", node: "a", op: "IS", val: { value: 1.5 } }),
      "if[0].val.value has to be a whole number",
    ],
    [onlyIf({ type: "var", id: 1, varType: 1, op: "IS", val: NUMBER }), "if[0].varType has to be one of 1, 2"],
    [
      onlyIf({ type: "var", id: 1, varType: "1", op: "IS", val: NUMBER, var: { id: 1, type: "1" } }),
      'if[0] has the unknown member "val"',
    ],
    [onlyIf({ type: "schedule" }), 'if[0] needs the member "from"'],
    [onlyIf({ type: "schedule", at: { type: "time", time: 86_400 } }), "if[0].at.time has to be a whole number"],
    [
      onlyIf({ type: "schedule", at: { type: "time", time: 1 }, to: { type: "time", time: 2 } }),
      'if[0].at cannot stand beside "to"',
    ],
    [
      onlyIf({ type: "schedule", at: { type: "time", time: 1, date: "2026/13/01" } }),
      'if[0].at.date has to be a day "YYYY/MM/DD"',
    ],
    [
      onlyIf({ type: "schedule", at: { type: "time", time: 1 }, daysofweek: { monday: true } }),
      "if[0].daysofweek has to have members of mon",
    ],
    [onlyThen({ type: "cmd", id: "DON", node: "a", p: [{ id: "n/a" }] }), 'then[0].p[0] needs the member "val"'],
    [onlyThen({ type: "wait", seconds: -1 }), "then[0].seconds has to be a whole number from 0"],
    [onlyThen({ type: "repeat" }), 'then[0] needs the member "while"'],
    [onlyThen({ type: "repeat", for: { times: 1 }, every: { hours: 1 } }), 'then[0] has the unknown member "every"'],
    [onlyThen({ type: "var", varType: "1", id: 1, op: "POW=", val: NUMBER }), "then[0].op has to be one of EQ"],
    [onlyThen({ type: "runif", id: "x" }), "then[0].id has to be a whole number"],
    [
      onlyThen({ type: "lp", group: "1", ctlId: "1", rsp: { type: "cmd", node: "a", cmd: "DON" } }),
      "then[0].rsp.cmd has to be an object",
    ],
  ])("%j", (json, sentence) => {
    expect(refusal(json)).toContain(sentence);
  });
});

test("statements of the interface that this controller does not support are stored as received", () => {
  const given = onlyIf({ type: "x10", hc: "B", cc: 3, op: "IS", andOr: "or" });
  expect(parse(given).if).toEqual([{ kind: "foreign", andOr: "or", json: '{"type":"x10","hc":"B","cc":3,"op":"IS"}' }]);
  expect(encode(parse(given))).toEqual(given);
});

test("omitted members have their defaults", () => {
  const { if: conditions, then } = parse({
    if: [{ type: "schedule", from: { type: "sunset" }, for: { hours: 2 } }],
    then: [{ type: "cmd", id: "DON", node: "a" }, { type: "wait" }],
    else: [],
  });
  expect(conditions[0]).toMatchObject({ andOr: "and", days: null, when: { from: { offsetS: 0, offsetDays: 0 } } });
  expect(then).toEqual([
    { kind: "command", node: "a", command: "DON", parameters: [] },
    { kind: "wait", span: { hours: 0, minutes: 0, seconds: 0 }, random: false },
  ]);
});

test("omitted numbers of values, times and links are 0, and omitted lists are empty", () => {
  const { if: conditions, then } = parse({
    if: [
      { type: "status", id: "ST", node: "a", op: "IS", val: { value: 7 } },
      { type: "schedule", at: { type: "lastruntime", refid: 2 } },
      { type: "schedule", from: { type: "time", time: 60 }, to: { type: "sunrise" } },
    ],
    then: [
      { type: "notify", recipient: 0 },
      { type: "lp", group: "1", ctlId: "b", rsp: { type: "cmd", node: "a", cmd: { cmdId: "DON" } } },
      { type: "lp", group: "1", ctlId: "b", rsp: { type: "native", node: "a", linkdef: "I_RELAY" } },
      { type: "repeat", every: { seconds: 5 } },
    ],
    else: [],
  });
  expect(conditions).toEqual([
    {
      andOr: "and",
      kind: "status",
      property: "ST",
      node: "a",
      comparison: "IS",
      value: { value: 7, prec: 0, uom: 0 },
    },
    {
      andOr: "and",
      kind: "schedule",
      days: null,
      when: {
        kind: "at",
        at: { kind: "last-run", program: 2, offsetS: 0, isDaily: false, date: null, offsetDays: 0 },
      },
    },
    {
      andOr: "and",
      kind: "schedule",
      days: null,
      when: {
        kind: "from-to",
        from: { kind: "time", secondOfDay: 60, date: null, offsetDays: 0 },
        to: { kind: "sunrise", offsetS: 0, date: null, offsetDays: 0 },
      },
    },
  ]);
  expect(then).toEqual([
    { kind: "notify", recipient: 0, content: null },
    { kind: "link", group: "1", controller: "b", link: { kind: "cmd", node: "a", command: "DON", parameters: [] } },
    {
      kind: "link",
      group: "1",
      controller: "b",
      link: { kind: "native", node: "a", linkdef: "I_RELAY", parameters: [] },
    },
    { kind: "repeat-every", span: { hours: 0, minutes: 0, seconds: 5 }, random: false },
  ]);
});

test("the smallest and the largest numbers are read, and none beyond them", () => {
  const at = (more: object) => onlyIf({ type: "schedule", at: { type: "sunset", ...more } });
  const lastRun = (more: object) => onlyIf({ type: "schedule", at: { type: "lastruntime", refid: 1, ...more } });
  const { offsetS, lastRunOffsetS, offsetDays, id: idMax, times, spanPart } = SYNTAX_LIMITS;
  const ranges: readonly (readonly [(value: number) => unknown, min: number, max: number])[] = [
    [(value) => at({ offsetSec: value }), -offsetS, offsetS],
    [(value) => at({ offsetDays: value }), 0, offsetDays],
    [(value) => lastRun({ offsetSec: value }), -lastRunOffsetS, lastRunOffsetS],
    [(value) => lastRun({ offsetDays: value }), 0, offsetDays],
    [(value) => onlyIf({ type: "schedule", at: { type: "time", time: value } }), 0, 86_399],
    [(value) => onlyIf({ type: "triggerref", refid: value, is: true }), 1, idMax],
    [(value) => onlyThen({ type: "notify", recipient: value }), 0, idMax],
    [(value) => onlyThen({ type: "notify", recipient: 1, content: value }), 0, idMax],
    [(value) => onlyThen({ type: "repeat", for: { times: value } }), 0, times],
    [(value) => onlyThen({ type: "wait", minutes: value }), 0, spanPart],
  ];
  for (const [json, min, max] of ranges) {
    expect([min, max].map((value) => refusal(json(value)))).toEqual(["accepted", "accepted"]);
    for (const value of [min - 1, max + 1]) expect(refusal(json(value))).toContain("whole number from");
  }
});

describe("statements that clients of the interface write", () => {
  const NOTHING = { if: [], else: [] };
  const then = (action: object) => parse({ ...NOTHING, then: [action] }).then[0];
  const again = (action: object) => Reflect.get(encode(parse({ ...NOTHING, then: [action] })) as object, "then")[0];
  const assignment = { type: "var", varType: "2", id: 3, op: "EQ" };

  test.each([
    [1, "secondOfDay"],
    [5, "weekday"],
    [8, "hour"],
    [12, "sunsetToday"],
    [15, "unixTime"],
  ])("a system value by its number %i is %s, and comes back so", (number, value) => {
    const written = { ...assignment, sysval: { id: number } };
    expect(then(written)).toMatchObject({ operand: { kind: "system", value } });
    expect(again(written)).toEqual(written);
    expect(then({ ...assignment, sysval: value })).toEqual(then(written));
  });

  test.each([{ id: 16 }, { id: 0 }, "moonphase", 3])("the system value %j is kept and not carried out", (sysval) => {
    expect(then({ ...assignment, sysval })).toMatchObject({ kind: "foreign" });
    expect(again({ ...assignment, sysval })).toEqual({ ...assignment, sysval });
  });

  test("a status with its unit, an INIT without a source and the query of a group are returned unchanged", () => {
    const status = { ...assignment, status: { node: "1 2 3 1", id: "ST", uom: 17 } };
    const init = { type: "var", varType: "1", id: 4, op: "INIT" };
    const query = { type: "device", group: "31700", control: "ST" };
    expect(then(status)).toMatchObject({ operand: { kind: "status", uom: 17 } });
    expect(then(init)).toMatchObject({ operator: "INIT", operand: { kind: "variable", type: 1, id: 4 } });
    expect(then(query)).toMatchObject({ kind: "command", node: "31700", command: "QUERY", parameters: [] });
    for (const action of [status, init, query]) expect(again(action)).toEqual(action);
  });

  test.each([0, SYNTAX_LIMITS.uom])("the unit %i of a status is read", (uom) => {
    expect(then({ ...assignment, status: { node: "1 2 3 1", id: "ST", uom } })).toMatchObject({ operand: { uom } });
  });

  test.each([-1, SYNTAX_LIMITS.uom + 1])("the unit %i of a status is refused", (uom) => {
    const action = { ...assignment, status: { node: "1 2 3 1", id: "ST", uom } };
    expect(refusal({ ...NOTHING, then: [action] })).toContain("then[0].status.uom has to be a whole number from 0 to");
  });

  test("another assignment needs its source", () => {
    expect(refusal({ ...NOTHING, then: [assignment] })).toBe('BAD_BODY: The body at then[0] needs the member "val".');
  });
});
