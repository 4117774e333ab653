/** The trace over the API: runs with their conditions and outcomes, non-runs with their reason. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Frame } from "../support/frame-stream.ts";

type Entry = {
  readonly id: number;
  readonly programId: string;
  readonly name: string;
  readonly sentence: string;
  readonly result: string;
  readonly reason?: string;
  readonly runId?: string;
  readonly trigger: { readonly kind: string };
  readonly cause: { readonly kind: string; readonly id: string; readonly by: string | null };
  readonly conditions: readonly { readonly path: readonly number[]; readonly isTrue: boolean }[];
  readonly statements: readonly {
    readonly action: { readonly type: string };
    readonly detail: string;
    readonly outcome?: { readonly outcome: string; readonly commandId: string | null };
  }[];
  readonly ended?: { readonly how: string };
};
type Page = { readonly entries: readonly Entry[]; readonly last: number };

const LAMP = "1A 2B 3C 1";
const MOTION = "2D 7F E1 1";
const DISABLED = { type: "control", andOr: "and", id: "DON", node: MOTION, op: "IS" };
const ON = { type: "cmd", id: "DON", node: LAMP, p: [] };

let controller: TestController;

beforeEach(async () => {
  controller = await startTestController();
  await controller.login();
});
afterEach(() => controller[Symbol.asyncDispose]());

async function trace(path = "/api/trace"): Promise<Page> {
  const answer = await controller.portal.request("GET", path, { headers: controller.bearer() });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json<{ data: Page }>().data;
}

async function make(body: object): Promise<string> {
  const answer = await controller.portal.put("/api/trigger", { name: "Mine", if: [], then: [], else: [], ...body });
  expect(answer.status).toBe(200);
  return answer.json<{ data: { id: number } }>().data.id.toString(16).toUpperCase().padStart(4, "0");
}

const order = (id: string, verb: string) =>
  controller.local.request("GET", `/rest/programs/${id}/${verb}`, { headers: controller.basic() });
const send = (control: string) =>
  controller.services.feed.commit(
    { type: "control-sent", address: MOTION, control, value: 0 },
    { kind: "report", id: "virtual", by: "virtual" },
  );
/** Of `until 14:05:00`. */
const minuteOf = (text: string) => {
  const [hour = 0, minute = 0] = text.replace("until ", "").split(":").map(Number);
  return 60 * hour + minute;
};
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the trace", () => {
  test("shows what was compared in words, and nothing for conditions that compare no value", async () => {
    const above = { type: "status", node: LAMP, id: "ST", op: "GT", val: { value: 50, prec: 0, uom: 51 } };
    const id = await make({ if: [above, { ...DISABLED, andOr: "or" }], then: [ON] });
    await order(id, "runIf");
    await turn();
    await controller.clock.advance(1000);
    const [run] = (await trace(`/api/programs/${id}/trace`)).entries;
    expect(run).toMatchObject({
      sentence: expect.stringMatching(/because account "\w+" asked for it \(Check and run\)/),
      conditions: [{ foundText: expect.stringMatching(/^(Off|On|\d+%)$/) }, { foundText: null }],
    });
  });

  test("shows a run with its trigger, its conditions, its statements and their outcomes", async () => {
    const id = await make({ if: [DISABLED], then: [ON, { type: "wait", minutes: 5 }, ON] });
    send("DON");
    await turn();
    await controller.clock.advance(1000);
    const [run] = (await trace(`/api/programs/${id}/trace`)).entries;
    expect(run).toMatchObject({
      programId: id,
      name: "Mine",
      result: "then",
      sentence: expect.stringMatching(/^Ran, because "Hall Motion" sent On at \d\d:\d\d:\d\d; under way\.$/),
      trigger: { kind: "control" },
      cause: { kind: "report", by: "virtual" },
      conditions: [{ path: [0], isTrue: true }],
      statements: [{ action: { type: "cmd" }, outcome: { outcome: "done" } }, { action: { type: "wait" } }],
    });
    // A wait names its end in the zone of the home, as the sentence does its start.
    const [begin = ""] = /\d\d:\d\d/.exec(run?.sentence ?? "") ?? [];
    expect(minuteOf(run?.statements[1]?.detail ?? "") - minuteOf(begin)).toBe(5);
    const { commandId } = run?.statements[0]?.outcome ?? {};
    const command = await controller.portal.request("GET", `/api/commands/${commandId}`, {
      headers: controller.bearer(),
    });
    expect(command.json<{ data: object }>().data).toMatchObject({
      address: LAMP,
      cause: { kind: "program", id: run?.runId },
    });
  });

  test("adds to the same entry when the run goes on and ends", async () => {
    const id = await make({ then: [{ type: "wait", minutes: 5 }, ON] });
    await order(id, "runThen");
    const before = await trace(`/api/programs/${id}/trace`);
    await controller.clock.advance(300_000);
    const after = await trace(`/api/programs/${id}/trace?after=${before.last}`);
    expect(after.entries.map(({ id: entry }) => entry)).toEqual(before.entries.map(({ id: entry }) => entry));
    expect(after.entries[0]).toMatchObject({ ended: { how: "finished" }, statements: [{}, {}] });
  });

  test.each([["disabled", "is disabled", async (id: string) => void (await order(id, "disable"))]])(
    "shows why a program did not run: %s",
    async (reason, words, prepare) => {
      const id = await make({ if: [DISABLED], then: [ON] });
      await prepare(id);
      send("DON");
      await turn();
      const [entry] = (await trace(`/api/programs/${id}/trace`)).entries;
      expect(entry).toMatchObject({ result: "not-run", reason, statements: [] });
      expect(entry?.sentence).toMatch(new RegExp(`^Did nothing, because the program ${words}`));
    },
  );

  test("is read page by page, of all programs, and outlives a restart", async () => {
    const ids = [await make({ name: "One" }), await make({ name: "Two" })];
    for (const id of [...ids, ...ids]) await order(id, "runThen");
    await controller.restart();
    await controller.login();
    const names: string[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    for (let pages = 0; pages < 50; pages += 1) {
      const { entries } = await trace(`/api/trace?limit=3&before=${before}`);
      names.push(...entries.map(({ name }) => name));
      before = entries.at(-1)?.id ?? 0;
      if (entries.length < 3) break;
    }
    expect(names.filter((name) => name === "One" || name === "Two")).toEqual(["Two", "One", "Two", "One"]);
  });

  test("has at least one entry on a page, and fifty unless more are requested", async () => {
    const id = await make({});
    for (let runs = 0; runs < 60; runs += 1) await order(id, "runThen");
    const counts = ["", "?limit=1", "?limit=60"].map(
      async (query) => (await trace(`/api/trace${query}`)).entries.length,
    );
    expect(await Promise.all(counts)).toEqual([50, 1, 60]);
  });

  test("is followed by waiting for more", async () => {
    const id = await make({});
    const { last } = await trace();
    const waiting = trace(`/api/trace?after=${last}&wait=15`);
    await order(id, "runThen");
    await controller.clock.advance(300);
    expect((await waiting).entries[0]?.name).toBe("Mine");
  });

  test("ends a wait in which nothing happens with an empty page", async () => {
    const { last } = await trace();
    expect((await trace(`/api/trace?after=${last}`)).entries).toEqual([]);
  });

  test("refuses what it cannot read", async () => {
    const queries = ["limit=0.5", "before=x", "after=-1", "until=yesterday", "wait=16"];
    const headers = controller.bearer();
    const ask = (query: string) => controller.portal.request("GET", `/api/trace?${query}`, { headers });
    const answers = await Promise.all(queries.map(ask));
    const codes = answers.map((answer) => [answer.status, answer.json<{ code: string }>().code]);
    expect(codes).toEqual(queries.map(() => [400, "BAD_VALUE"]));
  });
});

describe.each(["rest", "api"] as const)("the %s stream", (surface) => {
  test("shows runs, starts that led to none, and statements that failed, each with its reason", async () => {
    const id = await make({ if: [DISABLED], then: [ON], else: [] });
    await controller.local.get(`/rest/nodes/${encodeURIComponent(LAMP)}/disable`);
    const stream = await controller.subscribe(surface);
    const isOurs = ({ control, eventInfo }: Frame) => control === "_7" && eventInfo.includes("Mine");
    const line = async () => (await stream.next(isOurs)).eventInfo;
    send("DON");
    expect(await line()).toMatch(
      /^Program &quot;Mine&quot;: Runs, because &quot;Hall Motion&quot; sent On at [\d:]{8}\.$/,
    );
    expect(await line()).toMatch(/^Program &quot;Mine&quot;: A statement failed: .*disabled/);
    await order(id, "disable");
    send("DON");
    expect(await line()).toMatch(
      /^Program &quot;Mine&quot;: Did nothing, because the program is disabled. It was to run, because &quot;Hall Motion&quot; sent On at [\d:]{8}\.$/,
    );
    await stream.close();
  });
});
