/** Verification through the JSON surface: on request, and in the answer of every write. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import type { Program } from "../../src/home/programs.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Finding = {
  readonly code: string;
  readonly severity: string;
  readonly program: string | null;
  readonly path: string;
};

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const MOTION = { type: "control", andOr: "and", id: "DON", node: "2D 7F E1 1", op: "IS" };
const DARK = {
  type: "status",
  andOr: "and",
  id: "ST",
  node: "1A 2F A2 1",
  op: "IS",
  val: { value: 0, prec: 0, uom: 100 },
};
const ON = { type: "cmd", id: "DON", node: "1A 2F A2 1", p: [] };
const OFF = { type: "cmd", id: "DOF", node: "1A 2F A2 1", p: [] };
const WAIT = { type: "wait", minutes: 5 };
/** The lamp that it turns on makes its own condition false. */
const INTERRUPTED = { if: [MOTION, DARK], then: [ON, WAIT, OFF], else: [] };
const SOUND = { if: [MOTION], then: [ON, WAIT, OFF], else: [] };

const told = (answer: Answer) => {
  const { data, findings = (data as { findings?: readonly Finding[] }).findings } = answer.json<{
    data: object;
    findings?: readonly Finding[];
  }>();
  return (findings ?? []).map(({ code, program, path }) => [code, program, path]);
};
const verify = (body?: unknown) => controller.portal.post("/api/programs/verify", body);
const refusal = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];
const programs = async () => (await controller.portal.get("/api/programs")).text;

test("findings call properties and commands by their labels", async () => {
  const answer = await verify({
    text: "Program 'New'\nIf\nControl 'Hall Motion' is switched On\nThen\nSet 'Hall Ceiling' On 20%",
  });
  expect(answer.text).toContain(
    "At the same event this makes Status of Hall Ceiling 20% and the program Hall Motion Light makes it 60%.",
  );
  expect(answer.text).toContain("Hall Motion sends On.");
  expect(answer.text).not.toMatch(/"(ST of|[^"]* sends DON)/);
});

describe("a program that is too large to be saved is not verified either", () => {
  const moment = { type: "schedule", andOr: "or", at: { type: "time", time: 10_800 } };
  const text = (conditions: number) =>
    ["Program 'Large'", "If", "Time is 03:00:00", ...Array(conditions - 1).fill("Or Time is 03:00:00")].join("\n");

  test.each([
    ["a text", { text: text(2001) }],
    ["a tree", { if: Array(2001).fill(moment), then: [], else: [] }],
  ])("%s", async (_what, body) => {
    expect(refusal(await verify(body))).toEqual([400, "PROGRAM_TOO_LARGE"]);
  });

  test("one as large as allowed is verified", async () => {
    const answer = await verify({ text: text(2000) });
    expect([answer.status, told(answer)]).toEqual([200, expect.anything()]);
  });
});

test("a program that is requested several times is verified once", async () => {
  const answer = await verify({ ids: [2, "0002", 2] });
  expect(answer.json()).toMatchObject({ data: { verified: 1 } });
});

test("the answer has the program in both forms, and each form gives the other", async () => {
  type Both = {
    readonly text: string;
    readonly tree: { readonly id: number };
    readonly enabled: boolean;
    readonly runAtStartup: boolean;
  };
  const both = (answer: Answer) => answer.json<{ data: { program?: Both } }>().data.program;
  const text = "Program 'Both' [0008]\nEnabled no\nComment 'Why'\nIf\nThen\n  Wait 5 minutes\nElse";
  const fromText = both(await verify({ text }));
  expect(fromText).toMatchObject({ enabled: false, runAtStartup: false, tree: { id: 8, comment: "Why" } });
  const { tree, enabled, runAtStartup } = fromText as Both;
  const fromTree = both(await verify({ ...tree, enabled, runAtStartup }));
  expect(fromTree).toEqual(fromText);
  expect(both(await verify({ text: "Program 'New'\nIf\nThen\nElse" }))).toMatchObject({
    text: expect.stringMatching(/^Program 'New'\n/),
    tree: { id: 0 },
  });
  expect(both(await verify({ ids: ["0008"] }))).toBeUndefined();
});

test("a lamp stays on when the window of a motion program ends during its wait, as the hint says, and not as it proposes", async () => {
  const write = (text: string) => controller.portal.post("/api/programs/text", { text });
  const lampAfterWindow = async () => {
    const { feed, home } = controller.services;
    const cause = { kind: "report", id: "virtual", by: "virtual" } as const;
    feed.commit({ type: "control-sent", address: "2D 7F E1 1", control: "DON", value: 0 }, cause);
    await controller.clock.advance(10 * 60_000);
    const value = home.nodes.get("1A 44 C 1")?.properties.get("ST")?.value;
    await controller.local.get("/rest/nodes/1A%2044%20C%201/cmd/DOF");
    await controller.clock.advance(24 * 3_600_000 - 10 * 60_000);
    await controller.login();
    return value;
  };
  const window = "If\nControl 'Hall Motion' is switched 'On'\nAnd From 13:00 to 14:02\nThen\n";
  const blink = "Set 'Closet Light' On\nWait 5 minutes\nSet 'Closet Light' Off";
  const wrong = await write(`Program 'Window'\n${window}${blink}`);
  expect(wrong.json()).toMatchObject({
    findings: [{ code: "WAIT_CUT_BY_WINDOW", severity: "hint", path: "then[1]", line: 7, column: 1 }],
  });
  expect(await lampAfterWindow()).toBe(255);
  await write(`Program 'Light'\nThen\n${blink}`);
  const right = await write(`Program 'Window'\n${window}Run program 'Light' (Then path)`);
  expect(told(right)).toEqual([]);
  expect(await lampAfterWindow()).toBe(0);
  for (const name of ["Window", "Light"]) {
    const { id = 0 } = [...controller.services.home.programs.values()].find((each) => each.name === name) ?? {};
    await controller.portal.request("DELETE", `/api/programs/${id.toString(16).padStart(4, "0")}`);
  }
});

describe("POST /api/programs/verify", () => {
  test("looks at all programs and folders without a body", async () => {
    const answer = await verify();
    expect(answer.json()).toEqual({ successful: true, data: { verified: 21, findings: [] } });
  });

  test("looks at a tree as if it were saved, and saves nothing", async () => {
    const before = await programs();
    const answer = await verify({ name: "x", ...INTERRUPTED });
    expect([answer.status, told(answer)]).toEqual([200, [["WAIT_INTERRUPTED", null, "then[1]"]]]);
    expect(told(await verify({ id: 8, ...INTERRUPTED }))).toEqual([["WAIT_INTERRUPTED", "0008", "then[1]"]]);
    expect(told(await verify({ id: "0008", ...SOUND }))).toEqual([]);
    expect(await programs()).toBe(before);
  });

  test("looks at a text as if it were applied", async () => {
    const text =
      "Program 'Hall Motion Light'\nFolder 'Lights'\nIf\n  Status 'Hall Ceiling' 'Status' > 150%\nThen\n  Wait 5s";
    expect(told(await verify({ text }))).toEqual([["VALUE_OUT_OF_REACH", "0008", "if[0]"]]);
    expect(told(await verify({ text: "Program 'New'\nIf\n  Time is 7:00 on 2026/02/01\nThen\n  Wait 5s" }))).toEqual([
      ["SCHEDULE_PAST", null, "if[0]"],
    ]);
  });

  test("looks at the programs that are named", async () => {
    expect((await verify({ ids: ["0008", 9] })).json()).toMatchObject({ data: { verified: 2, findings: [] } });
  });

  test("refuses what it does not know", async () => {
    expect(refusal(await verify({ ids: [4000] }))).toEqual([404, "PROGRAM_NOT_FOUND"]);
    expect(refusal(await verify({ id: 4000, ...SOUND }))).toEqual([404, "PROGRAM_NOT_FOUND"]);
    expect(refusal(await verify({ id: 3, ...SOUND }))).toEqual([404, "PROGRAM_NOT_FOUND"]);
    expect(refusal(await verify({ ...SOUND, then: [{ type: "wait", weeks: 1 }] }))).toEqual([400, "BAD_BODY"]);
    expect(refusal(await verify({ text: "Nonsense" }))).toEqual([400, "BAD_PROGRAM_TEXT"]);
    expect(refusal(await verify({ something: 1 }))).toEqual([400, "BAD_BODY"]);
    expect(refusal(await verify([]))).toEqual([400, "BAD_BODY"]);
  });
});

describe("a write is answered with what is found", () => {
  test("of a tree that is created or replaced", async () => {
    const made = await controller.portal.put("/api/trigger", { name: "made", ...INTERRUPTED });
    const { id } = made.json<{ data: { id: number } }>().data;
    const hex = id.toString(16).toUpperCase().padStart(4, "0");
    expect(told(made)).toEqual([["WAIT_INTERRUPTED", hex, "then[1]"]]);
    const replaced = await controller.portal.post("/api/trigger", { id, ...SOUND, then: [{ ...ON, id: "ARM" }] });
    expect(told(replaced)).toEqual([["COMMAND_NOT_ACCEPTED", hex, "then[0]"]]);
    expect(told(await controller.portal.post("/api/trigger", { id, ...SOUND }))).toEqual([]);
    const renamed = await controller.portal.post(`/api/programs/${hex}`, { if: [] });
    expect(told(renamed)).toEqual([["NEVER_STARTS", hex, "if"]]);
    await controller.portal.delete(`/api/trigger/${id}`);
  });

  test("of a text, on trial too", async () => {
    const text = "Program 'Hall Motion Light'\nFolder 'Lights'\nThen\n  Stop program 'Hall Motion Light'\n  Wait 5s";
    const expected = [["STATEMENT_UNREACHABLE", "0008", "then[1]"]];
    expect(told(await controller.portal.post("/api/programs/text?dryRun=true", { text }))).toEqual(expected);
    expect(told(await controller.portal.put("/api/programs/0008/text", { text }))).toEqual(expected);
    expect(told(await controller.portal.post("/api/programs/text", { text }))).toEqual(expected);
  });

  test("of a folder", async () => {
    const conditions = [{ type: "triggerref", andOr: "and", refid: 4000, is: true }];
    const answer = await controller.portal.post("/api/programs", { name: "f", folder: true, if: conditions });
    expect(told(answer)).toEqual([["PROGRAM_UNKNOWN", expect.any(String), "if[0]"]]);
  });

  test("while other requests are answered", async () => {
    const { programs } = controller.services.home;
    for (let id = FIRST_TIED_ID; id < FIRST_TIED_ID + TIED; id += 1) programs.set(id, tied(id));
    let isAnswered = false;
    const variable = (id: number) => ({ type: "var", varType: "2", id, val: { value: 1, prec: 0 } });
    const writes = { if: [{ ...variable(1), andOr: "and", op: "IS" }], then: [{ ...variable(2), op: "EQ" }], else: [] };
    const written = controller.portal.post("/api/trigger", { id: 8, ...writes });
    const answered = written.finally(() => {
      isAnswered = true;
    });
    let others = 0;
    for (; !isAnswered; others += 1) await controller.local.get("/rest/time");
    for (let id = FIRST_TIED_ID; id < FIRST_TIED_ID + TIED; id += 1) programs.delete(id);
    expect(await answered).toMatchObject({ status: 200 });
    // A verification that holds the event loop leaves room for one or two.
    expect(others).toBeGreaterThan(3);
  });
});

const TIED = 600;
const FIRST_TIED_ID = 1000;

/** Starts others of its kind by the variables that it writes. */
function tied(id: number): Program {
  const variable = (offset: number) => ((id + offset) % 5) + 1;
  const is = (offset: number, value: number): Condition => ({
    andOr: "and",
    kind: "variable",
    type: 2,
    id: variable(offset),
    comparison: "GE",
    operand: { kind: "value", value, prec: 0 },
  });
  const set = (value: number): Action => ({
    kind: "variable",
    type: 2,
    id: variable(1),
    operator: "EQ",
    operand: { kind: "value", value, prec: 0 },
  });
  const tree = { if: [is(0, id % 4), is(3, (id + 1) % 3)], then: [set(id % 5)], else: [set((id + 2) % 5)] };
  return { ...(controller.services.home.programs.get(8) as Program), id, name: `Tied ${id}`, tree };
}
