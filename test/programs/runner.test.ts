/** The runner: turns of its own, order on the way out, the disk before what must not be repeated, the one timer. */

import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { ControllerError } from "../../src/errors.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { Change, Entry } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import { Profile } from "../../src/profile/profile.ts";
import { ProgramRunner, type Sent } from "../../src/programs/runner.ts";
import type { TraceRecord } from "../../src/programs/trace-record.ts";
import type { Clock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { MINUTE, NOON, stage } from "./stage.ts";
import { control, count, minutes, OFF, ON, pressed, seconds, sensorIs, stateIs, tell, wait } from "./words.ts";

const CAUSE: Cause = { kind: "report", id: "test", by: null };
const DONE: Sent = { outcome: "done", commandId: "c", detail: "" };
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

type Given = { readonly if?: readonly Condition[]; readonly then: readonly Action[] };

/** A runner over the home of a stage, with program 5, others, and a disk that the test holds. */
function running(
  script: Given,
  {
    clock = new VirtualClock(0) as Clock,
    settings = {},
    others = {} as Readonly<Record<number, Given>>,
    beforeStart = (_runner: ProgramRunner, _commit: (change: Change) => void) => {},
  } = {},
) {
  const { home } = stage({ 5: script, ...others });
  const feed = new ChangeFeed(home, clock, 0);
  const entries: Entry[] = [];
  feed.listen((entry) => entries.push(entry));
  const sent: string[] = [];
  const disk = { isHeld: false, isLost: false, release: () => {} };
  const durability = {
    committed: () => {
      if (disk.isLost) return Promise.reject(new ControllerError("STORE_UNAVAILABLE"));
      if (!disk.isHeld) return Promise.resolve();
      return new Promise<void>((resolve) => {
        disk.release = resolve;
      });
    },
  };
  const outcome = { of: async (_words: string): Promise<Sent> => DONE };
  const runner = new ProgramRunner({
    config: parseConfig(settings),
    home,
    feed,
    profile: new Profile(),
    durability,
    clock,
    log: createLog("silent"),
    send: (action) => {
      const words = action.kind === "command" ? `${action.node} ${action.command}` : action.kind;
      sent.push(words);
      return outcome.of(words);
    },
  });
  const commit = (change: Change) => feed.commit(change, CAUSE);
  beforeStart(runner, commit);
  runner.start(false);
  const press = (control: string) => commit({ type: "control-sent", address: "switch", control, value: 0 });
  return { home, feed, runner, entries, sent, disk, outcome, commit, press };
}

test("a time that began with the last report on disk comes due, also when devices report while the drivers start", async () => {
  const clock = new VirtualClock(NOON);
  const held = { ...sensorIs(1), kind: "held", lasting: minutes(5) } as Condition;
  const reportOf = (address: string, changedAtMs: number): Change => {
    const property = { id: "ST", value: 1, uom: 0, prec: 0, text: null, changedAtMs };
    return { type: "property-changed", address, property };
  };
  const services = running(
    { if: [held], then: [ON] },
    {
      clock,
      beforeStart: (runner, commit) => {
        commit(reportOf("sensor", NOON - 10 * MINUTE));
        runner.watch();
        commit(reportOf("fan", NOON));
      },
    },
  );
  await settle();
  expect(services.sent).toEqual(["lamp DON"]);
});

describe("turns", () => {
  test("it does nothing while an event is being published", async () => {
    const services = running({ if: [pressed("DON")], then: [ON] });
    services.press("DON");
    expect(services.sent).toEqual([]);
    await settle();
    expect(services.sent).toEqual(["lamp DON"]);
  });

  test("an order is done when it returns, after what waits before it", () => {
    const services = running({ if: [stateIs(1, 1)], then: [ON, count(1)] });
    services.commit({ type: "variable-written", variableType: 2, id: 1, value: 1, before: 0, writtenAtMs: 0 });
    const seq = services.runner.order(5, "stop", CAUSE);
    expect(services.home.variables[1].get(1)?.value).toBe(1);
    expect(seq).toBe(services.feed.lastSeq);
  });

  test("a flood of events leaves room for others", async () => {
    const services = running({ if: [pressed("DON")], then: [count(1)] });
    for (let presses = 0; presses < 1000; presses += 1) services.press("DON");
    await Promise.resolve();
    // A start and a statement each, as many as a turn carries out.
    expect(services.home.variables[1].get(1)?.value).toBeLessThanOrEqual(64);
    for (let turns = 0; turns < 50; turns += 1) await settle();
    expect(services.home.variables[1].get(1)?.value).toBe(1000);
  });

  test("a condition sees the report that started it, also when newer ones came while the start waited", async () => {
    const services = running({ if: [sensorIs(1)], then: [count(1)] });
    for (let reports = 0; reports < 400; reports += 1) {
      const property = { id: "ST", value: reports % 2, uom: 0, prec: 0, text: null, changedAtMs: 0 };
      services.commit({ type: "property-changed", address: "sensor", property });
    }
    services.runner.settle();
    for (let turns = 0; turns < 50; turns += 1) await settle();
    expect(services.home.variables[1].get(1)?.value).toBe(200);
  });

  test("a program that something outside starts does not wait for the disk behind programs that start themselves", async () => {
    const callers = Array.from({ length: 100 }, (_, index): [number, Given] => {
      const id = 100 + index;
      return [id, { if: [pressed("DOF")], then: [count(1), control(id, "runthen")] }];
    });
    const services = running({ if: [pressed("DON")], then: [count(2)] }, { others: Object.fromEntries(callers) });
    services.disk.isHeld = true;
    services.press("DOF");
    for (let turns = 0; turns < 10; turns += 1) await settle();
    const calls = services.home.variables[1].get(1)?.value;
    services.press("DON");
    for (let turns = 0; turns < 10; turns += 1) await settle();
    expect(services.home.variables[1].get(2)?.value).toBe(1);
    expect(services.home.variables[1].get(1)?.value).toBe(calls);
  });

  test("work that is left at the next commit is stored in the home, on disk together with what started it", () => {
    const services = running({ if: [pressed("DON")], then: [count(1)] });
    for (let presses = 0; presses < 1000; presses += 1) services.press("DON");
    services.runner.settle();
    const done = services.home.variables[1].get(1)?.value ?? 0;
    expect(done).toBeLessThanOrEqual(64);
    expect(services.home.programProgress.get(5)?.waiting).toHaveLength(1000 - done);
  });

  test("a single thing is done by the next commit", () => {
    const services = running({ if: [pressed("DON")], then: [count(1)] });
    services.press("DON");
    services.runner.settle();
    expect(services.home.variables[1].get(1)?.value).toBe(1);
  });

  test("a program that its device starts again without end is cut", async () => {
    const settings = { programChainStartsMax: 200 };
    const services = running({ if: [sensorIs(0, "GE")], then: [tell("sensor", "DON")] }, { settings });
    const runs = () => services.entries.filter(({ change }) => change.type === "program-ran").length;
    let answers = 0;
    services.outcome.of = async () => {
      const commandId = `command ${answers}`;
      const runId = services.home.programProgress.get(5)?.inFlight[0]?.runId ?? "";
      const life = { address: "sensor", command: "DON", state: "accepted", detail: "", acceptedAtMs: 0 } as const;
      services.feed.commit({ type: "command-moved", commandId, ...life }, { kind: "program", id: runId, by: "5" });
      const property = { id: "ST", value: answers % 2, uom: 0, prec: 0, text: null, changedAtMs: 0 };
      answers += 1;
      const cause = { kind: "report", id: commandId, by: "test" } as const;
      services.feed.commit({ type: "property-changed", address: "sensor", property }, cause);
      return DONE;
    };
    const property = { id: "ST", value: 5, uom: 0, prec: 0, text: null, changedAtMs: 0 };
    services.commit({ type: "property-changed", address: "sensor", property });
    for (let turns = 0; turns < 200; turns += 1) await settle();
    expect(runs()).toBeGreaterThan(20);
    expect(answers).toBeLessThan(100);
    expect(services.home.programs.get(5)).toMatchObject({ enabled: false });
  });

  test("the engine ignores its own entries", async () => {
    const services = running({ if: [stateIs(1, 0, "GT")], then: [count(1)] });
    services.commit({ type: "variable-written", variableType: 2, id: 1, value: 1, before: 0, writtenAtMs: 0 });
    await settle();
    expect(services.home.variables[1].get(1)?.value).toBe(1);
  });
});

describe("the way out", () => {
  test("the record of where a program stands is in the same instant as what it writes", async () => {
    const services = running({ if: [pressed("DON")], then: [count(1), wait(seconds(5)), count(1)] });
    services.entries.length = 0;
    services.press("DON");
    await settle();
    expect(services.entries.map(({ change }) => change.type)).toEqual([
      "control-sent",
      "program-ran",
      "variable-written",
      "program-progressed",
    ]);
  });

  test("the first commands of a run that would be lost with the process wait for the disk, a little", async () => {
    const clock = new VirtualClock(0);
    const services = running({ if: [pressed("DON")], then: [ON, OFF] }, { clock, settings: { programStartWaitMs: 5 } });
    services.disk.isHeld = true;
    services.press("DON");
    await settle();
    await clock.advance(4);
    expect(services.sent).toEqual([]);
    await clock.advance(1);
    expect(services.sent).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("and not at all where nothing is to wait", async () => {
    const clock = new VirtualClock(0);
    const services = running({ if: [pressed("DON")], then: [ON] }, { clock, settings: { programStartWaitMs: 0 } });
    services.disk.isHeld = true;
    services.press("DON");
    await settle();
    expect(services.sent).toEqual(["lamp DON"]);
  });

  test("and go out as soon as it has them", async () => {
    const services = running({ if: [pressed("DON")], then: [ON] });
    services.disk.isHeld = true;
    services.press("DON");
    await settle();
    services.disk.release();
    await settle();
    expect(services.sent).toEqual(["lamp DON"]);
  });

  test("a command that may be repeated, of a run that goes on in any case, goes out at once", async () => {
    const clock = new VirtualClock(0);
    const services = running({ then: [wait(seconds(5)), ON] }, { clock });
    services.runner.order(5, "run", CAUSE);
    services.disk.isHeld = true;
    await clock.advance(5000);
    expect(services.sent).toEqual(["lamp DON"]);
  });

  test("one that may not be waits for the disk, and those after it wait behind it", async () => {
    const services = running({ then: [tell("lamp", "BRT"), ON] });
    services.disk.isHeld = true;
    services.runner.order(5, "run", CAUSE);
    await settle();
    expect(services.sent).toEqual([]);
    services.disk.release();
    await settle();
    expect(services.sent).toEqual(["lamp BRT", "lamp DON"]);
  });

  test("but not for ever: the home goes on while the disk does not", async () => {
    const clock = new VirtualClock(0);
    const services = running({ then: [tell("lamp", "BRT")] }, { clock, settings: { programIntentWaitMs: 500 } });
    services.disk.isHeld = true;
    services.runner.order(5, "run", CAUSE);
    await settle();
    await clock.advance(499);
    expect(services.sent).toEqual([]);
    await clock.advance(1);
    expect(services.sent).toEqual(["lamp BRT"]);
  });

  test("nor for a disk that refuses", async () => {
    const services = running({ then: [tell("lamp", "BRT")] });
    services.disk.isLost = true;
    services.runner.order(5, "run", CAUSE);
    await settle();
    expect(services.sent).toEqual(["lamp BRT"]);
  });

  test("when the outcome is known, nothing is left in flight", async () => {
    const services = running({ then: [ON] });
    services.runner.order(5, "run", CAUSE);
    expect(services.home.programProgress.get(5)?.inFlight).toHaveLength(1);
    await settle();
    expect(services.home.programProgress.has(5)).toBe(false);
  });

  test("an outcome that comes after the stop is not noted: the next start takes care of it", async () => {
    const services = running({ then: [ON] });
    services.runner.order(5, "run", CAUSE);
    services.runner.stop();
    await settle();
    expect(services.home.programProgress.get(5)?.inFlight).toHaveLength(1);
  });
});

describe("time", () => {
  test("a timer that rings early is set again: nothing runs before its time", async () => {
    let nowMs = 0;
    const rings: (() => void)[] = [];
    const clock: Clock = {
      elapsed: () => 0,
      now: () => nowMs,
      setTimer(callback) {
        rings.push(callback);
        return { cancel: () => void rings.splice(rings.indexOf(callback), 1) };
      },
    };
    const services = running({ then: [wait(seconds(5)), ON] }, { clock });
    services.runner.order(5, "run", CAUSE);
    for (const at of [4_999, 4_999.6, 5_000]) {
      nowMs = at;
      rings.splice(0).at(-1)?.();
      await settle();
      expect([at, services.sent]).toEqual([at, at < 5_000 ? [] : ["lamp DON"]]);
    }
  });

  test("with nothing due there is no timer", () => {
    let timers = 0;
    const clock: Clock = {
      elapsed: () => 0,
      now: () => 0,
      setTimer: () => {
        timers += 1;
        return { cancel: () => {} };
      },
    };
    running({ if: [pressed("DON")], then: [ON] }, { clock }).press("DON");
    expect(timers).toBe(0);
  });
});

describe("the trace", () => {
  test("is recorded only while it has a listener", async () => {
    const services = running({ then: [ON] });
    const records: TraceRecord[] = [];
    services.runner.order(5, "run", CAUSE);
    const end = services.runner.listenToTrace((record) => records.push(record));
    services.runner.order(5, "run", CAUSE);
    await settle();
    const heard = records.map(({ kind }) => kind);
    expect(heard).toEqual(["evaluated", "run-began", "statement", "run-ended", "outcome", "outcome"]);
    end();
    services.runner.order(5, "run", CAUSE);
    await settle();
    expect(records).toHaveLength(heard.length);
  });
});
