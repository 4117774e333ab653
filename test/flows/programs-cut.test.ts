/** Programs that never come to an end by themselves: cut within a second, and named where a person or a client looks. */

import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../src/home/change.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Frame } from "../support/frame-stream.ts";

const SECOND = 1000;
/** A relay of the demo home: it is on or off at once. */
const LAMP = "1A 44 C 1";

const open: TestController[] = [];

afterEach(async () => {
  for (const controller of open.splice(0)) await controller[Symbol.asyncDispose]();
});

async function start(): Promise<TestController> {
  // Enough to distinguish a loop from a chain, and quick; test/programs/limits.test.ts tests the defaults.
  const controller = await startTestController({ programChainStartsMax: 50, programCallsMax: 20 });
  open.push(controller);
  await controller.login();
  return controller;
}

/** @returns the id of the program. */
async function write({ portal }: TestController, text: string): Promise<string> {
  const answer = await portal.post("/api/programs/text", { text });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json<{ data: { id: string } }>().data.id;
}

const LOGGED = "Programs were stopped and disabled. ";
const ENDLESS = "Program 'Endless'\nThen\nRepeat while State variable [1] is 0\nInteger variable [1] += 1";
const EMPTY = "Program 'Empty'\nThen\nRepeat while State variable [1] is 0";
const SELF = "Program 'Self'\nIf\nState variable [2] > 0\nThen\nState variable [2] += 1";
const CALLER = "Program 'Caller'\nThen\nInteger variable [1] += 1";
const [ONE, OTHER] = [
  "Program 'One'\nIf\nState variable [1] is 1\nThen\nState variable [1] = 2",
  "Program 'Other'\nIf\nState variable [1] is 2\nThen\nState variable [1] = 1",
];
const [LIGHT, DARK] = [
  `Program 'Light'\nIf\nStatus [${LAMP}] ST is 0%\nThen\nSet [${LAMP}] DON`,
  `Program 'Dark'\nIf\nStatus [${LAMP}] ST > 0%\nThen\nSet [${LAMP}] DOF`,
];

describe("is cut within a second, and named in the log, on the stream, in the trace and on its page", () => {
  test.each<[string, string[], string, string]>([
    ["a repeat that does not end", [ENDLESS], "/rest/programs/{id}/run", "programStepsMax"],
    ["a repeat of nothing", [EMPTY], "/rest/programs/{id}/run", "programStepsMax"],
    ["a program that starts itself", [SELF], "/rest/vars/set/2/2/1", "programChainStartsMax"],
    [
      "a program that calls itself",
      [CALLER, `${CALLER}\nRun program 'Caller' (Then path)`],
      "/rest/programs/{id}/run",
      "programChainStartsMax",
    ],
    ["two that fight over a variable", [ONE, OTHER], "/rest/vars/set/2/1/1", "programChainStartsMax"],
    ["two that fight over a lamp", [LIGHT, DARK], `/rest/nodes/${LAMP}/cmd/DON`, "programChainStartsMax"],
  ])("%s", async (_claim, texts, path, limit) => {
    const controller = await start();
    const { local, clock, lines, portal } = controller;
    const ids: string[] = [];
    for (const text of texts) ids.push(await write(controller, text));
    const stream = await controller.subscribe("rest");
    const entries: Entry[] = [];
    controller.services.feed.listen((entry) => entries.push(entry));
    const fromMs = clock.now();
    await local.get(encodeURI(path.replace("{id}", ids[0] ?? "")));
    const isCut = (frame: Frame) => frame.eventInfo.startsWith(`<id>${wireId(ids[0])}</id><off />`);
    for (let spanMs = 0; spanMs < SECOND && !stream.frames.some(isCut); spanMs += 1) await clock.advance(1);
    await stream.next(isCut);
    expect(clock.now() - fromMs).toBeLessThanOrEqual(SECOND);

    const names = texts.map((text) => /'(.*?)'/.exec(text)?.[1]);
    const logged = lines.filter(({ message }) => message.startsWith(LOGGED));
    expect(logged.map(({ fields }) => fields)).toEqual([expect.objectContaining({ limit })]);
    expect(new Set(logged.flatMap(({ fields }) => fields.programs))).toEqual(new Set(names));
    const named = entries.filter(({ change }) => change.type === "programs-cut");
    expect(named.map(({ change }) => change)).toMatchObject([{ limit, ids: expect.arrayContaining(programIds(ids)) }]);
    for (const id of new Set(ids)) {
      const page = await portal.get(`/api/programs/${id}`);
      expect(page.json()).toMatchObject({ data: { enabled: false, running: "idle" } });
      const trace = await portal.get(`/api/programs/${id}/trace?limit=200`);
      const { entries } = trace.json<{ data: { entries: { result: string }[] } }>().data;
      expect(entries.map(({ result }) => result)).toContain("cut");
    }
    await stream.close();
  });
});

test("a thousand programs on one event all run, in the instant of the event, and none is cut", async () => {
  const controller = await start();
  const { services, local, clock, lines } = controller;
  const ids = Array.from({ length: 1000 }, (_, index) => 1000 + index);
  const count = { kind: "variable", type: 1, id: 1, operator: "ADD=" } as const;
  const text = await write(
    controller,
    "Program 'Pattern'\nIf\nState variable [2] is 1\nThen\nInteger variable [2] += 1",
  );
  const pattern = services.home.programs.get(Number.parseInt(text, 16));
  if (pattern?.kind !== "program") throw new Error("It was written.");
  const then = [{ ...count, operand: { kind: "value", value: 1, prec: 0 } as const }];
  for (const id of ids) {
    const program = { ...pattern, id, name: `Program ${id}`, tree: { ...pattern.tree, then } };
    services.feed.commit({ type: "program-added", program }, { kind: "request", id: "test", by: null });
  }
  await local.get("/rest/vars/set/1/1/0");
  const stream = await controller.subscribe("rest");
  const fromMs = clock.now();
  await local.get("/rest/vars/set/2/2/1");
  await stream.next(({ eventInfo }) => eventInfo.includes("<val>1000</val>"));
  expect(clock.now()).toBe(fromMs);
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  // Each of them left a whole run in the trace.
  const whole = new Set<string>();
  for (let before = ""; whole.size < 1000; ) {
    const page = await controller.portal.get(`/api/trace?limit=200${before}`);
    const { entries } = page.json<{ data: { entries: readonly TracedRun[] } }>().data;
    for (const { programId, ended, statements } of entries)
      if (ended && statements.length === 1 && programId !== text) whole.add(programId);
    if (entries.length === 0) break;
    before = `&before=${entries.at(-1)?.id}`;
  }
  expect(whole.size).toBe(1000);
  await stream.close();
});

type TracedRun = {
  readonly id: number;
  readonly programId: string;
  readonly ended?: object;
  readonly statements: readonly object[];
};

function programIds(ids: readonly string[]): number[] {
  return [...new Set(ids.map((id) => Number.parseInt(id, 16)))];
}

/** As frames spell it: without leading zeros. */
function wireId(id = ""): string {
  return Number.parseInt(id, 16).toString(16).toUpperCase();
}
