/** `domovoi why`, `domovoi trace`, `domovoi watch --why`: motion, lamp, and the sentences on it. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTime } from "../../src/cli/time-input.ts";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
  const { controller } = line;
  await controller.login();
  const text =
    "Program 'Stairs'\nIf\nControl 'Hall Motion' is switched 'On'\nThen\nSet 'Porch Light' 'On'\nWait 5 minutes\nWait 5 minutes";
  expect((await controller.portal.post("/api/programs/text", { text })).status).toBe(200);
});
afterAll(() => line[Symbol.asyncDispose]());

async function motion(): Promise<void> {
  await line.read("act", "Hall Motion", "DON");
  await line.controller.clock.advance(1000);
}

describe("why", { timeout: 60_000 }, () => {
  test("motion, lamp, why", async () => {
    await motion();
    expect(await line.read("why", "Porch Light")).toMatch(
      /^Porch Light is On since \d\d:\d\d:\d\d\.\nProgram "Stairs" set it \(line \d+\), because "Hall Motion" sent On at \d\d:\d\d:\d\d\.\n$/,
    );
    expect(await line.readJson("why", "porch light")).toMatchObject({
      kind: "node",
      name: "Porch Light",
      missing: null,
      steps: [{ kind: "program", line: 8 }],
    });
  });

  test("of a program shows the conditions and the runs, and the trace shows the actions, in times of the home", async () => {
    await motion();
    expect(await line.read("why", "Stairs")).toMatch(
      /^Program "Stairs" ran at .*, because "Hall Motion" sent On at .*\.\nIt is still running\.\n {2}true {3}Control 'Hall Motion' is switched 'On'\n/,
    );
    const trace = await line.read("trace", "Stairs", "--limit", "1");
    expect(trace).toMatch(/ {2}Ran, because "Hall Motion" sent On at [\d:]{8}; under way\.\n/);
    expect(trace).toMatch(/ {2}Set 'Porch Light' 'On'\n/);
    const abroad = await line.run(["trace", "Stairs", "--limit", "1"], { ...line.portal, TZ: "Pacific/Auckland" });
    expect(abroad.stdout).toBe(trace);
    expect(await line.readJson("trace", "Stairs", "--limit", "1")).toHaveLength(1);
  });

  test("of a level that changed in the last hour is charted in percent, as everywhere else", async () => {
    await line.read("send", "Hall Ceiling", "DON", "60%", "--wait");
    await line.controller.clock.advance(2000);
    // The store writes samples a moment later.
    const chart = () => line.read("chart", "Hall Ceiling", "ST", "--from", "-1h", "--points", "1");
    await expect
      .poll(chart, { timeout: 30_000 })
      .toMatch(/^FROM +CHANGES +LOWEST +MEAN +HIGHEST +LAST\n\S+ \S+ +\d+ +\d+% +[\d.]+% +60% +60%\n$/);
  });

  test("of a value that became unknown has rows that say so", async () => {
    const { services, clock } = line.controller;
    const cause = { kind: "report", id: "x", by: "x" } as const;
    const address = "1A 2B 3C 1";
    for (const value of [50, null]) {
      const property = { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: clock.now() };
      services.feed.commit({ type: "property-changed", address, property }, cause);
      await clock.advance(600_000);
    }
    const chart = () => line.read("chart", "Hall Ceiling", "ST", "--from", "-10m", "--points", "10");
    await expect.poll(chart, { timeout: 30_000 }).toMatch(/50%\n.*\n\S+ \S+ +0 +unknown +unknown +unknown +unknown\n/);
  });

  test("--at takes times as people write them", async () => {
    await motion();
    expect(await line.read("why", "Porch Light", "--at", "now")).toMatch(/^Porch Light is On since/);
    expect(await line.read("why", "Hall Ceiling", "--at", "-2h")).toMatch(
      /^The journal does not hold what Hall Ceiling/,
    );
    const wrong = await line.run(["why", "Hall Ceiling", "--at", "soon"]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--at is a time such as 14:00, "yesterday'),
    ]);
  });

  test("a near miss is named, of nodes and programs", async () => {
    expect(await line.run(["why", "Hal Motion Light"])).toEqual({
      code: 3,
      stdout: "",
      stderr: 'domovoi: There is no node or program "Hal Motion Light". Did you mean "Hall Motion Light"?\n',
    });
  });

  test("watch --why shows the causes behind each event", async () => {
    await using child = line.begin(["watch", "Hall Ceiling", "--why", "--kind", "property", "--count", "1"]);
    // In small steps: deadlines of requests are those of this clock, and the process needs time to begin.
    const act = async () => {
      for (const command of ["DON", "DOF"]) {
        await line.controller.local.get(`/rest/nodes/1A%202B%203C%201/cmd/${command}`);
        await line.controller.clock.advance(10);
      }
    };
    await line.whileUnseen(child, act, () => child.stdout.includes("set it"));
    await child.ended;
    expect(child.stdout).toMatch(/^.* Hall Ceiling +Status \w+%?\n +Account "admin" set it at \d\d:\d\d:\d\d\.\n$/);
  });
});

describe("times", () => {
  const NOW = Date.UTC(2026, 4, 2, 12, 30);
  test.each([
    ["now", "2026-05-02T12:30:00Z"],
    ["14:00", "2026-05-02T12:00:00Z"],
    ["15:00", "2026-05-01T13:00:00Z"],
    ["yesterday", "2026-04-30T22:00:00Z"],
    ["yesterday 14:00:30", "2026-05-01T12:00:30Z"],
    ["today", "2026-05-01T22:00:00Z"],
    ["-24h", "2026-05-01T12:30:00Z"],
    ["-90m", "2026-05-02T11:00:00Z"],
    ["2026-03-29", "2026-03-28T23:00:00Z"],
    ["2026-01-15 08:00", "2026-01-15T07:00:00Z"],
    ["2026-01-15T08:00", "2026-01-15T07:00:00Z"],
    ["2026-05-01T12:00:00Z", "2026-05-01T12:00:00Z"],
    ["2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00Z"],
  ])("%s in Berlin is %s", (written, iso) => {
    expect(readTime(written, "--at", "Europe/Berlin", NOW)).toBe(Date.parse(iso));
  });

  test.each(["", "soon", "25:00", "2026-13-01", "yesterday 99:00", "-5x", "12"])("%j is refused", (written) => {
    expect(() => readTime(written, "--at", "Europe/Berlin", NOW)).toThrow("--at is a time such as 14:00");
  });
});
