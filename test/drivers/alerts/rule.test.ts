/** Who gets an alert when: the rule on virtual time, as a table of what happened, and what holds for any sequence of inputs. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readOrder } from "../../../src/drivers/alerts/order.ts";
import {
  type AlertInput,
  type AlertRules,
  type AlertState,
  type Answer,
  CONFIRMED_MS,
  dueAtMs,
  RETURNS_MAX,
  SAME_MS,
  step,
} from "../../../src/drivers/alerts/rule.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_000_000_000;
const RULES: AlertRules = {
  order: readOrder("home, 1 Ada, 3 all"),
  againMs: 10 * MINUTE_MS,
  lastsMs: 30 * MINUTE_MS,
};
/** Of the last input of a sequence. */
const HOURS_MS = 48 * 3_600_000;

/** What happens to an alert: `reach` says how many each word of the order reaches. */
class Home {
  state: AlertState | null = null;
  nowMs = START_MS;
  readonly delivered: string[] = [];
  reach: (who: string) => number = () => 1;
  readonly #rules: AlertRules;

  constructor(rules: AlertRules = RULES) {
    this.#rules = rules;
  }

  /** Minutes since the start: what was delivered then. */
  get log(): readonly string[] {
    return this.delivered;
  }

  take(input: AlertInput): this {
    this.state = step(this.state, input, this.nowMs, this.#rules);
    for (let first = this.state?.deliveries[0]; first; first = this.state?.deliveries[0]) {
      const what = "who" in first ? (first.kind === "arrival" ? "arrival" : first.who) : first.kind;
      this.delivered.push(`${(this.nowMs - START_MS) / MINUTE_MS} ${what}`);
      const reached = "who" in first ? this.reach(first.who) : 1;
      this.state = step(this.state, { kind: "delivered", reached }, this.nowMs, this.#rules);
    }
    return this;
  }

  /** Lets time pass, with a turn whenever the rule wants one. */
  pass(minutes: number): this {
    const untilMs = this.nowMs + minutes * MINUTE_MS;
    for (;;) {
      const atMs = this.state && dueAtMs(this.state);
      if (atMs === null || atMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, atMs);
      this.take({ kind: "time" });
    }
    this.nowMs = untilMs;
    return this;
  }
}

const wet = (source = "leak"): AlertInput => ({ kind: "raised", source });
const dry = (source = "leak"): AlertInput => ({ kind: "cleared", source });
const on: AlertInput = { kind: "raised", source: null };
const off: AlertInput = { kind: "ended" };
const answerOf = (by: string, atMs = START_MS): Answer => ({ id: by, by, way: "page", channel: "", atMs, button: 0 });
const answer = (by: string): AlertInput => ({ kind: "answered", answer: answerOf(by) });
const arrived: AlertInput = { kind: "arrived" };

describe("the order", () => {
  test.each<[claim: string, happens: (home: Home) => Home, expected: readonly string[], status: string]>([
    [
      "without an answer every step is done, then the last one is repeated until its time is over, and the alert still rings",
      (home) => home.take(wet()).pass(600),
      ["0 home", "1 Ada", "3 all", "13 all", "23 all"],
      "ringing",
    ],
    [
      "an answer ends it at the first step",
      (home) => home.take(wet()).take(answer("ben")).pass(60),
      ["0 home", "0 confirmed"],
      "confirmed",
    ],
    [
      "an answer ends it at the second step",
      (home) => home.take(wet()).pass(2).take(answer("ben")).pass(60),
      ["0 home", "1 Ada", "2 confirmed"],
      "confirmed",
    ],
    [
      "an answer ends it while it is repeated",
      (home) => home.take(wet()).pass(14).take(answer("ben")).pass(60),
      ["0 home", "1 Ada", "3 all", "13 all", "14 confirmed"],
      "confirmed",
    ],
    [
      "it ends with its state, and those who got it learn so",
      (home) => home.take(wet()).pass(2).take(dry()).pass(9),
      ["0 home", "1 Ada", "2 over"],
      "off",
    ],
    [
      "it ends with the last of its sensors",
      (home) => home.take(wet()).take(wet("tub")).take(dry()).pass(2),
      ["0 home", "1 Ada"],
      "ringing",
    ],
    ["a second sensor does not repeat what rings", (home) => home.take(wet()).take(wet("tub")), ["0 home"], "ringing"],
    [
      "a second sensor rings anew after an answer",
      (home) => home.take(wet()).take(answer("ben")).pass(2).take(wet("tub")),
      ["0 home", "0 confirmed", "2 home"],
      "ringing",
    ],
    [
      "the same sensor does not ring anew after an answer",
      (home) => home.take(wet()).take(answer("ben")).take(wet()),
      ["0 home", "0 confirmed"],
      "confirmed",
    ],
    ["a program's ends by a command", (home) => home.take(on).pass(2).take(off), ["0 home", "1 Ada", "2 over"], "off"],
    ["a command does not end what a sensor says", (home) => home.take(wet()).take(off), ["0 home"], "ringing"],
    [
      "a program that raises it again after an answer is heard",
      (home) => home.take(on).take(answer("ben")).pass(60).take(on),
      ["0 home", "0 confirmed", "60 home"],
      "ringing",
    ],
    [
      "a program's is over a day after its answer",
      (home) =>
        home
          .take(on)
          .take(answer("ben"))
          .pass(CONFIRMED_MS / MINUTE_MS),
      ["0 home", "0 confirmed", "1440 over"],
      "off",
    ],
    [
      "who comes home while it rings gets it",
      (home) => home.take(wet()).pass(2).take(arrived).pass(1),
      ["0 home", "1 Ada", "2 arrival", "3 all"],
      "ringing",
    ],
    [
      "who comes home after an answer does not",
      (home) => home.take(wet()).take(answer("ben")).take(arrived),
      ["0 home", "0 confirmed"],
      "confirmed",
    ],
  ])("%s", (_claim, happens, expected, status) => {
    const home = happens(new Home());
    expect([home.log, home.state?.status ?? "off"]).toEqual([expected, status]);
  });

  test("the first of two answers counts", () => {
    const home = new Home().take(wet()).take(answer("ada")).take(answer("ben"));
    expect([home.state?.answer?.by, home.log]).toEqual(["ada", ["0 home", "0 confirmed"]]);
  });

  test("a step that no channel accepts is followed by the next at once; when no step reached anyone, the last one is tried each minute", () => {
    const home = new Home();
    home.reach = () => 0;
    home.take(wet()).pass(2);
    expect(home.log).toEqual(["0 home", "0 Ada", "0 all", "1 all", "2 all"]);
    home.reach = () => 1;
    home.pass(11);
    expect(home.log.slice(5)).toEqual(["3 all", "13 all"]);
  });

  test("an order without the home does not tell who comes home", () => {
    const home = new Home({ ...RULES, order: readOrder("Ada, 3 all") });
    expect(home.take(wet()).take(arrived).log).toEqual(["0 Ada"]);
  });

  test("with no repetition, it is silent after its last step", () => {
    const home = new Home({ ...RULES, againMs: 0 }).take(wet()).pass(600);
    expect(home.log).toEqual(["0 home", "1 Ada", "3 all"]);
  });
});

describe("a sensor that comes and goes", () => {
  test("an alert that changes each second for an hour sends at most sixteen deliveries, of which the last says that it is over", () => {
    const home = new Home();
    for (let second = 0; second < 3600; second += 1) {
      home.take(second % 2 === 0 ? wet() : dry()).pass(1 / 60);
    }
    home.pass(SAME_MS / MINUTE_MS + 1);
    expect(home.log.length).toBeLessThanOrEqual(2 * (RETURNS_MAX + 1) + 8);
    expect(home.log.at(-1)).toMatch(/ over$/);
    expect(home.state).toBeNull();
  });

  test("that returns later than ten minutes after its end is another alert", () => {
    const home = new Home().take(wet()).pass(0.5).take(dry()).pass(11);
    expect(home.state).toBeNull();
    expect(home.take(wet()).log).toEqual(["0 home", "0.5 over", "11.5 home"]);
  });
});

describe("over an end of the process", () => {
  test("a delivery that had begun is repeated, and nothing else", () => {
    const begun = step(null, wet(), START_MS, RULES);
    expect(begun?.deliveries).toEqual([{ kind: "step", who: "home" }]);
    const home = new Home();
    home.state = JSON.parse(JSON.stringify(begun));
    home.nowMs += 5 * MINUTE_MS;
    home.take({ kind: "time" }).pass(1);
    expect(home.log).toEqual(["5 home", "5 Ada", "5 all"]);
  });
});

const INPUTS = fc.oneof(
  fc.constantFrom(wet(), dry(), wet("tub"), dry("tub"), on, off, arrived, answer("ada"), answer("ben")),
  fc.integer({ min: 1, max: 90 }).map((minutes) => ({ kind: "pass", minutes }) as const),
);

describe("for any sequence of inputs", () => {
  const run = (inputs: readonly (AlertInput | { kind: "pass"; minutes: number })[], reaches: number) => {
    const home = new Home();
    home.reach = () => reaches;
    for (const input of inputs) {
      if (input.kind === "pass") home.pass(input.minutes);
      else home.take(input);
    }
    return home;
  };
  const sequences = fc.array(INPUTS, { maxLength: 60 });

  test("nothing is delivered once it was confirmed or is over, and it is gone in the end when nothing says it", () => {
    fc.assert(
      fc.property(sequences, fc.integer({ min: 0, max: 2 }), (inputs, reaches) => {
        const home = run(inputs, reaches);
        home.take(dry()).take(dry("tub")).take(off);
        const { length } = home.log;
        home.pass(HOURS_MS / MINUTE_MS);
        expect(home.log.slice(length).filter((each) => !each.endsWith(" over"))).toEqual([]);
        expect(home.state).toBeNull();
      }),
    );
  });

  test("an alert that reached no one is tried within a minute, and no delivery waits longer than the pause between repetitions", () => {
    fc.assert(
      fc.property(sequences, fc.integer({ min: 0, max: 2 }), (inputs, reaches) => {
        const { state, nowMs } = run(inputs, reaches);
        if (state?.status !== "ringing" || nowMs - state.beganAtMs >= RULES.lastsMs) return;
        const waitMs = (state.dueAtMs ?? Number.NaN) - nowMs;
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(state.reached === 0 ? MINUTE_MS : RULES.againMs);
      }),
    );
  });

  test("it rings exactly while something says so and nobody answered", () => {
    fc.assert(
      fc.property(sequences, (inputs) => {
        const { state } = run(inputs, 1);
        const isSaid = state !== null && (state.sources.length > 0 || state.isCommanded);
        expect(state?.status ?? "off").toBe(!isSaid ? "off" : state.answer ? "confirmed" : "ringing");
      }),
    );
  });

  test("a clock that is set back makes no pause longer", () => {
    fc.assert(
      fc.property(sequences, fc.integer({ min: 1, max: 10_000 }), (inputs, backMinutes) => {
        const home = run(inputs, 1);
        home.nowMs -= backMinutes * MINUTE_MS;
        home.take({ kind: "time" });
        const atMs = home.state && dueAtMs(home.state);
        if (atMs !== null) expect(atMs - home.nowMs).toBeLessThanOrEqual(CONFIRMED_MS);
        if (home.state?.status === "ringing" && home.state.dueAtMs !== null)
          expect(home.state.dueAtMs - home.nowMs).toBeLessThanOrEqual(Math.max(RULES.againMs, SAME_MS));
      }),
    );
  });
});

describe("an order as its owner writes it", () => {
  test.each([
    [
      "home, 3 all",
      [
        ["home", 0],
        ["all", 3],
      ],
    ],
    [
      "home, Ada, 3 'Ben Q', all",
      [
        ["home", 0],
        ["Ada", 0],
        ["Ben Q", 3],
        ["all", 3],
      ],
    ],
  ] as const)("%s", (text, expected) => {
    expect(readOrder(text).map(({ who, afterMs }) => [who, afterMs / MINUTE_MS])).toEqual(expected);
  });

  test.each(["", "home,,all", "5 home, 3 all", "999 all", Array(9).fill("all").join(",")])("%j is refused", (text) => {
    expect(() => readOrder(text)).toThrow(expect.objectContaining({ code: "BAD_VALUE" }));
  });
});
