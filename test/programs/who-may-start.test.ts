/** The rules of docs/how-programs-run.md, one by one: which programs may start. */

import { describe, expect, test } from "vitest";
import { between, clockTime } from "../../src/demo/program-words.ts";
import type { Condition } from "../../src/home/program-syntax.ts";
import type { ProgramFolder } from "../../src/home/programs.ts";
import { HOUR, MINUTE, stage } from "./stage.ts";
import {
  control,
  count,
  minutes,
  OFF,
  ON,
  pressed,
  seconds,
  sensorIs,
  stateIs,
  statusOf,
  tell,
  wait,
} from "./words.ts";

const lampScript = { then: [ON], else: [OFF] };

describe("permission to start", () => {
  test("a disabled program is not started by its conditions, and that is traced", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript, enabled: false } });
    home.report("sensor", 1);
    expect(home.taken()).toEqual([]);
    expect(home.traced("not-run")).toMatchObject([{ programId: 5, reason: "disabled" }]);
  });

  test.each([
    ["run", "lamp DOF", false],
    ["runIf", "lamp DOF", false],
    ["runThen", "lamp DON", true],
    ["runElse", "lamp DOF", false],
  ] as const)("%s works on a disabled program", (verb, sent, status) => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript, enabled: false } });
    home.order(5, verb);
    expect(home.taken()).toEqual([sent]);
    expect(home.program(5).status).toBe(status);
  });

  test("a program in a folder whose if is false is not started by its conditions", () => {
    const home = stage(
      { 5: { if: [sensorIs(1)], ...lampScript, parentId: 3 } },
      { folders: { 3: { if: [stateIs(1, 1)] } } },
    );
    home.report("sensor", 1);
    expect(home.taken()).toEqual([]);
    expect(home.traced("not-run")).toMatchObject([{ programId: 5, reason: "folder-false" }]);
    home.write(2, 1, 1);
    home.report("sensor", 0);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("any folder above may close it", () => {
    const folders = { 3: { if: [stateIs(1, 1)] }, 4: { parentId: 3 } };
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript, parentId: 4 } }, { folders });
    home.report("sensor", 1);
    expect(home.taken()).toEqual([]);
  });

  test("the root folder's if closes all of them", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript } }, { folders: { 1: { if: [stateIs(1, 1)] } } });
    home.report("sensor", 1);
    expect(home.taken()).toEqual([]);
    home.write(2, 1, 1);
    home.report("sensor", 2);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("a folder's new if decides at once, and starts the programs that look at the folder", () => {
    const home = stage(
      { 5: { if: [sensorIs(1)], ...lampScript, parentId: 3 }, 6: { if: [statusOf(3, true)], then: [count(1)] } },
      { folders: { 3: { if: [stateIs(1, 1)] } } },
    );
    const revise = (conditions: readonly Condition[]) => {
      const folder = home.home.programs.get(3) as ProgramFolder;
      home.commit({ type: "program-changed", program: { ...folder, conditions } });
      return home.home.programs.get(3)?.status;
    };
    expect([revise([stateIs(1, 0)]), home.variable(1, 1)]).toEqual([true, 1]);
    home.report("sensor", 1);
    expect(revise([stateIs(1, 1)])).toBe(false);
    home.report("sensor", 2);
    expect([revise([]), home.variable(1, 1)]).toEqual([true, 2]);
    home.report("sensor", 3);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("a folder that opens starts nothing by itself", () => {
    const home = stage(
      { 5: { if: [sensorIs(1)], ...lampScript, parentId: 3 } },
      { folders: { 3: { if: [stateIs(1, 1)] } } },
    );
    home.report("sensor", 1);
    home.write(2, 1, 1);
    expect(home.taken()).toEqual([]);
  });

  test("an event that opens the folder and starts the program does both", () => {
    const home = stage(
      { 5: { if: [stateIs(1, 1)], ...lampScript, parentId: 3 } },
      { folders: { 3: { if: [stateIs(1, 1)] } } },
    );
    home.write(2, 1, 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test.each(["run", "runIf", "runThen", "runElse"] as const)("%s does not work in a closed folder", (verb) => {
    const folders = { 3: { if: [stateIs(1, 1)] }, 4: { parentId: 3 } };
    const home = stage({ 5: { ...lampScript, parentId: 4 } }, { folders });
    home.order(5, verb);
    expect(home.taken()).toEqual([]);
    expect(home.traced("not-run")).toMatchObject([{ programId: 5, reason: "folder-false", detail: "Folder 3" }]);
    home.write(2, 1, 1);
    home.order(5, verb);
    expect(home.taken()).toHaveLength(1);
  });

  test.each(["runif", "runthen", "runelse"] as const)(
    "%s of another program does not work in a closed folder",
    (call) => {
      const folders = { 3: { if: [stateIs(1, 1)] } };
      const home = stage({ 5: { ...lampScript, parentId: 3 }, 6: { then: [control(5, call)] } }, { folders });
      home.order(6, "run");
      expect(home.taken()).toEqual([]);
      expect(home.traced("not-run")).toMatchObject([{ programId: 5, reason: "folder-false", detail: "Folder 3" }]);
      expect(home.program(5).status).toBe(false);
    },
  );

  test("a run that is under way goes on when its folder closes", () => {
    const folders = { 3: { if: [stateIs(1, 0)] } };
    const home = stage({ 5: { then: [wait(minutes(1)), ON], parentId: 3 } }, { folders });
    home.order(5, "runThen");
    home.write(2, 1, 1);
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a folder's window gates by the clock", () => {
    const when = { kind: "from-to", from: clockTime(13), to: clockTime(14) } as const;
    const folders = { 3: { if: [{ andOr: "and", kind: "schedule", days: null, when } as const] } };
    const home = stage({ 5: { if: [pressed("DON")], then: [count(1)], parentId: 3 } }, { folders });
    for (const hours of [0.5, 1, 1]) {
      home.advance(hours * HOUR);
      home.press("switch", "DON");
    }
    expect(home.variable(1, 1)).toBe(1);
    expect(home.home.programs.get(3)?.status).toBe(false);
  });
});

test("a window that opens a folder and starts what is in it does both at its moment", () => {
  const opens = between(clockTime(13), clockTime(14));
  const home = stage({ 2: { if: [opens], ...lampScript, parentId: 3 } }, { folders: { 3: { if: [opens] } } });
  home.advance(HOUR);
  expect(home.taken()).toEqual(["lamp DON"]);
});

describe("programs that cannot be loaded", () => {
  const dangling = { if: [sensorIs(1)], then: [tell("nobody", "DON")] };

  test("one that names missing things is stored with its reason and never runs", () => {
    const home = stage({ 5: dangling });
    home.report("sensor", 1);
    home.order(5, "runThen");
    expect(home.taken()).toEqual([]);
    expect(home.program(5).invalid).toContain("nobody");
    const why = { reason: "not-loaded", detail: home.program(5).invalid };
    expect(home.traced("not-run")).toMatchObject([why, why]);
  });

  test("it is loaded when the thing comes, and no more when it goes", () => {
    const home = stage({ 5: dangling });
    const node = { ...(home.home.nodes.get("lamp") ?? expect.fail()), address: "nobody" };
    home.commit({ type: "node-added", node });
    expect(home.program(5).invalid).toBeNull();
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["nobody DON"]);
    home.commit({ type: "node-removed", address: "nobody" });
    expect(home.program(5).invalid).not.toBeNull();
  });

  test.each([
    ["a variable", { type: "variable-removed", variableType: 2, id: 3 }, stateIs(3, 1)],
    ["a program", { type: "program-removed", id: 6 }, statusOf(6, true)],
    ["a node", { type: "node-removed", address: "sensor" }, sensorIs(1)],
  ] as const)("%s that goes takes its programs along", (_claim, change, condition) => {
    const home = stage({ 5: { if: [condition], then: [wait(seconds(60)), ON] }, 6: {} });
    home.order(5, "runThen");
    home.commit(change);
    home.advance(HOUR);
    expect(home.program(5)).toMatchObject({ running: "idle", invalid: expect.any(String) });
    expect(home.taken()).toEqual([]);
  });

  test("a network resource that is named has to exist", () => {
    const home = stage({ 5: { then: [{ kind: "resource", id: 7 }] } });
    expect(home.program(5).invalid).toContain("network resource 7");
  });

  test("a statement that this controller does not carry out is kept, and the program never runs", () => {
    const home = stage({ 5: { then: [{ kind: "foreign", json: '{"type":"x10"}' }, ON] } });
    home.order(5, "runThen");
    expect(home.taken()).toEqual([]);
    expect(home.program(5).invalid).toContain("x10");
  });
});

describe("edits", () => {
  // An edit that is undone puts back a record from when other things existed.
  test.each([
    ["is not loaded when it names a missing thing", [tell("nobody", "DON")], null, "nobody", []],
    ["is loaded when it names no missing thing any more", [ON], "It names nobody.", null, ["lamp DON"]],
  ])("a new tree %s, whatever its record says", (_claim, then, recorded, missing, taken) => {
    const home = stage({ 5: {} });
    home.put(5, { then, invalid: recorded });
    home.order(5, "runThen");
    expect(home.program(5).invalid).toEqual(missing === null ? null : expect.stringContaining(missing));
    expect(home.taken()).toEqual(taken);
  });

  test("a new tree ends what runs of the old one", () => {
    const home = stage({ 5: { then: [wait(seconds(60)), ON] } });
    home.order(5, "run");
    home.put(5, { then: [wait(seconds(60)), OFF] });
    home.advance(HOUR);
    expect(home.taken()).toEqual([]);
    expect(home.program(5).running).toBe("idle");
  });

  test("a new name does not", () => {
    const home = stage({ 5: { then: [wait(seconds(60)), ON] } });
    home.order(5, "run");
    home.commit({ type: "program-changed", program: { ...home.program(5), name: "Other" } });
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a program that is added later is started by what it watches", () => {
    const home = stage({});
    home.report("sensor", 1);
    home.put(5, { if: [sensorIs(1)], ...lampScript });
    home.order(5, "run");
    home.report("sensor", 2);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("one that is removed is started by nothing, and its wait is over", () => {
    const home = stage({ 5: { if: [sensorIs(1)], then: [wait(seconds(60)), ON] } });
    home.report("sensor", 1);
    home.commit({ type: "program-removed", id: 5 });
    home.advance(HOUR);
    home.report("sensor", 0);
    expect(home.taken()).toEqual([]);
    expect(home.home.programProgress.size).toBe(0);
  });
});

describe("a person's commands to a folder", () => {
  const inFolder = (parentId: number) => ({ then: [ON], parentId });

  test("run: the enabled programs in it, at any depth, by their ids", () => {
    const home = stage({ 9: inFolder(3), 6: { then: [OFF] } }, { folders: { 3: {}, 4: { parentId: 3 } } });
    home.put(8, inFolder(3));
    home.put(7, inFolder(4));
    home.put(5, { ...inFolder(3), enabled: false });
    home.order(3, "run");
    expect(home.traced("run-began").map(({ programId }) => programId)).toEqual([7, 8, 9]);
  });

  test.each(["runIf", "runThen", "runElse", "enableRunAtStartup", "disableRunAtStartup"] as const)(
    "%s: nothing",
    (verb) => {
      const home = stage(
        { 5: { ...inFolder(3), runAtStartup: verb === "disableRunAtStartup" } },
        { folders: { 3: {} } },
      );
      home.order(3, verb);
      expect(home.traced("run-began")).toEqual([]);
      expect(home.program(5).runAtStartup).toBe(verb === "disableRunAtStartup");
    },
  );

  test("stop, disable and enable: the programs in it", () => {
    const home = stage(
      { 5: { then: [wait({ hours: 1, minutes: 0, seconds: 0 })], parentId: 3 } },
      { folders: { 3: {} } },
    );
    home.order(5, "run");
    home.order(3, "stop");
    expect(home.program(5).running).toBe("idle");
    home.order(3, "disable");
    expect(home.program(5).enabled).toBe(false);
    home.order(3, "enable");
    expect(home.program(5).enabled).toBe(true);
  });
});

describe("a person's commands to a program", () => {
  test("to run at startup, or not", () => {
    const home = stage({ 5: {} });
    home.order(5, "enableRunAtStartup");
    expect(home.program(5).runAtStartup).toBe(true);
    home.order(5, "disableRunAtStartup");
    expect(home.program(5).runAtStartup).toBe(false);
  });

  test("to disable and enable it, which stores nothing for a program without a schedule", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript } });
    home.order(5, "disable");
    home.order(5, "enable");
    expect(home.program(5).enabled).toBe(true);
    expect(home.home.programProgress.size).toBe(0);
  });

  test("twice in the same millisecond: two runs with ids of their own", () => {
    const home = stage({ 5: { then: [ON] } });
    home.order(5, "run");
    home.order(5, "run");
    const ids = home.traced("run-began").map(({ runId }) => runId);
    expect(new Set(ids).size).toBe(2);
  });
});
