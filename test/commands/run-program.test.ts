/** A person's commands to programs and folders: the nine verbs. */

import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/commands/run-program.ts";
import type { Condition } from "../../src/home/program-syntax.ts";
import type { Program } from "../../src/home/programs.ts";
import { program, programFolder } from "../support/programs.ts";
import {
  type CommandServices,
  codeOf,
  createServices,
  REQUEST,
  START_MS,
  settle,
  spec,
  told,
} from "./command-services.ts";

const FALSE: Condition = { andOr: "and", kind: "control", node: "ZW001_1", command: "DON", comparison: "IS" };
const TRUE: Condition = { ...FALSE, comparison: "ISNOT" };

/** It names a network resource that does not exist. */
const NOT_LOADED = { tree: { if: [], then: [{ kind: "resource", id: 9 }], else: [] } } as const;

async function programServices(...programs: Program[]) {
  const services = await createServices();
  services.host.node(spec("ZW001_1"));
  for (const entry of [programFolder(1, null), programFolder(2, 1), ...programs]) {
    services.feed.commit({ type: "program-added", program: entry }, REQUEST);
  }
  await settle();
  services.entries.length = 0;
  return services;
}

const runs = (services: CommandServices) =>
  told(services, "program-ran").map(({ id, run }) => [id, run.status, run.running]);

describe("a program", () => {
  test.each([
    ["runThen", [FALSE], true, "then"],
    ["runElse", [TRUE], false, "else"],
    ["run", [TRUE], true, "then"],
    ["run", [FALSE], false, "else"],
    ["runIf", [FALSE], false, "else"],
    ["RUNIF", [], true, "then"],
  ] as const)("%s with %o ends %s after running %s, and is on disk", async (verb, conditions, status, clause) => {
    const services = await programServices(
      program(3, { enabled: false, tree: { if: conditions, then: [], else: [] } }),
    );
    await runProgram(services, 3, verb, REQUEST);
    expect(runs(services)).toEqual([
      [3, status, clause],
      [3, undefined, "idle"],
    ]);
    const times = { lastRunAtMs: START_MS, lastFinishAtMs: START_MS };
    expect(services.home.programs.get(3)).toMatchObject({ status, running: "idle", ...times });
    expect(services.durable).toEqual([services.feed.lastSeq]);
  });

  test("stop ends running actions, leaves the status, and is published also when nothing runs", async () => {
    const services = await programServices(program(3, { status: true, running: "then" }));
    await runProgram(services, 3, "stop", REQUEST);
    await services.clock.advance(1000);
    await runProgram(services, 3, "stop", REQUEST);
    expect(runs(services)).toHaveLength(2);
    expect(services.home.programs.get(3)).toMatchObject({ status: true, running: "idle", lastFinishAtMs: START_MS });
  });

  test.each([
    ["enable", { enabled: true }],
    ["disable", { enabled: false }],
    ["enableRunAtStartup", { runAtStartup: true }],
    ["disableRunAtStartup", { runAtStartup: false }],
  ] as const)("%s makes it %o, told also when it is so already", async (verb, expected) => {
    const services = await programServices(program(3));
    await runProgram(services, 3, verb, REQUEST);
    await runProgram(services, 3, verb, REQUEST);
    expect(told(services, "program-changed")).toMatchObject([{ program: expected }, { program: expected }]);
  });

  test.each(["stop", "enable", "disable", "enableRunAtStartup", "disableRunAtStartup"])(
    "%s is accepted for a program that is not loaded",
    async (verb) => {
      const services = await programServices(program(3, NOT_LOADED));
      expect(await codeOf(runProgram(services, 3, verb, REQUEST))).toBe("none");
    },
  );

  test.each([
    [3, "explode", "PROGRAM_COMMAND_UNKNOWN"],
    [3, "constructor", "PROGRAM_COMMAND_UNKNOWN"],
    [9, "run", "PROGRAM_NOT_FOUND"],
    [3, "runThen", "CONFLICT"],
  ])("%i %s is %s", async (id, verb, code) => {
    const services = await programServices(program(3, NOT_LOADED));
    expect(await codeOf(runProgram(services, id, verb, REQUEST))).toBe(code);
    expect(runs(services)).toEqual([]);
  });
});

describe("a folder", () => {
  const inside = () => [
    program(3),
    program(4, { parentId: 2, enabled: false }),
    program(5, { parentId: 2, ...NOT_LOADED }),
    program(6, { parentId: 2, running: "else" }),
  ];

  test("runs every enabled program in it, at any depth", async () => {
    const services = await programServices(...inside());
    await runProgram(services, 1, "run", REQUEST);
    expect(runs(services).map(([id]) => id)).toEqual([6, 6, 3, 3]);
  });

  test("stops the enabled ones", async () => {
    const services = await programServices(...inside());
    await runProgram(services, 2, "stop", REQUEST);
    expect(runs(services).map(([id]) => id)).toEqual([5, 6]);
  });

  test("enables and disables what is in it", async () => {
    const services = await programServices(...inside());
    await runProgram(services, 1, "disable", REQUEST);
    await runProgram(services, 2, "enable", REQUEST);
    const enabled = [3, 4, 5, 6].map((id) => (services.home.programs.get(id) as Program).enabled);
    expect(enabled).toEqual([false, true, true, true]);
    expect(told(services, "program-changed")).toHaveLength(6);
  });

  test.each(["runThen", "runElse", "runIf", "enableRunAtStartup", "disableRunAtStartup"])(
    "knows no %s",
    async (verb) => {
      const services = await programServices(...inside());
      expect(await codeOf(runProgram(services, 1, verb, REQUEST))).toBe("COMMAND_NOT_FOR_FOLDERS");
    },
  );

  test("that is empty accepts every verb of folders", async () => {
    const services = await programServices();
    await runProgram(services, 2, "run", REQUEST);
    expect(runs(services)).toEqual([]);
  });
});
