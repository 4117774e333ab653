/** Random programs and random lives of a home, from a seed. */

import type { Action, Condition } from "../../src/home/program-syntax.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import type { Script, Stage, StageOptions } from "./stage.ts";
import {
  assign,
  control,
  count,
  every,
  notPressed,
  pressed,
  seconds,
  sensorIs,
  stateIs,
  statusOf,
  tell,
  times,
  wait,
  whileState,
} from "./words.ts";

/** Something that happens; every life is a list of them. */
type Happening = (home: Stage) => void;

type RandomHome = { readonly options: StageOptions; readonly life: readonly Happening[] };

const FIRST_ID = 5;
export const FOLDER_ID = 3;

/** @param length number of happenings. */
export function randomHome(seed: number, length: number): RandomHome {
  const pick = picker(seed);
  const programs = 2 + pick.below(5);
  const ids = Array.from({ length: programs }, (_, index) => FIRST_ID + index);
  const scripts = Object.fromEntries(ids.map((id) => [id, randomScript(pick, ids)]));
  const options: StageOptions = {
    programs: scripts,
    folders: { [FOLDER_ID]: { if: [stateIs(3, 2, "LT")] } },
    limits: { programStepsMax: 500, programChainStartsMax: 50 },
  };
  return { options, life: Array.from({ length }, () => randomHappening(pick, ids)) };
}

type Picker = { below(count: number): number; one<T>(...choices: readonly (() => T)[]): T };

function picker(seed: number): Picker {
  const randomness = seededRandomness(seed);
  const below = (limit: number) => Math.floor(randomness.next() * limit);
  return {
    below,
    one(...choices) {
      const choice = choices[below(choices.length)];
      if (!choice) throw new Error("There is nothing to choose from.");
      return choice();
    },
  };
}

function randomScript(pick: Picker, ids: readonly number[]): Script {
  return {
    if: list(pick, 3, () => randomCondition(pick, ids)),
    then: list(pick, 7, () => randomAction(pick, ids)),
    else: list(pick, 4, () => randomAction(pick, ids)),
    enabled: pick.below(8) > 0,
    parentId: pick.below(4) === 0 ? FOLDER_ID : 1,
  };
}

function list<T>(pick: Picker, most: number, make: () => T): readonly T[] {
  return Array.from({ length: pick.below(most + 1) }, make);
}

function randomCondition(pick: Picker, ids: readonly number[]): Condition {
  const andOr = pick.below(3) === 0 ? "or" : "and";
  const minute = 720 + pick.below(20);
  const at = { kind: "time", secondOfDay: minute * 60, date: null, offsetDays: 0 } as const;
  const plain = pick.one<Condition>(
    () =>
      sensorIs(
        pick.below(3),
        pick.one<"IS" | "GT" | "ISNOT">(
          () => "IS",
          () => "GT",
          () => "ISNOT",
        ),
      ),
    () =>
      pressed(
        pick.one(
          () => "DON",
          () => "DOF",
        ),
      ),
    () => notPressed("DOF"),
    () => stateIs(1 + pick.below(3), pick.below(3)),
    () => statusOf(anyOf(pick, ids), pick.below(2) === 0),
    () => ({ andOr: "and", kind: "schedule", days: null, when: { kind: "at", at } }),
    () => ({ andOr: "and", kind: "schedule", days: null, when: { kind: "from-for", from: at, lasting: seconds(90) } }),
  );
  return { ...plain, andOr };
}

function randomAction(pick: Picker, ids: readonly number[]): Action {
  const send = () =>
    tell(
      "lamp",
      pick.one(
        () => "DON",
        () => "BRT",
      ),
      pick.below(1000),
    );
  return pick.one<Action>(
    send,
    send,
    send,
    () => wait(seconds(pick.below(40)), pick.below(3) === 0),
    () => wait(seconds(1 + pick.below(40))),
    () => times(pick.below(4), pick.below(3) === 0),
    () => every(seconds(10 + pick.below(60))),
    () => whileState(1 + pick.below(3), "LT", 2),
    () => count(1 + pick.below(3)),
    () =>
      assign(
        2,
        1 + pick.below(3),
        pick.one<"EQ" | "ADD=" | "RDM=">(
          () => "EQ",
          () => "ADD=",
          () => "RDM=",
        ),
        1 + pick.below(3),
      ),
    () =>
      control(
        anyOf(pick, ids),
        pick.one(
          () => "runif",
          () => "runthen",
          () => "stop",
          () => "disable",
          () => "enable",
        ),
      ),
  );
}

function randomHappening(pick: Picker, ids: readonly number[]): Happening {
  const value = pick.below(3);
  const variable = 1 + pick.below(3);
  const id = anyOf(pick, ids);
  const spanMs = 1 + pick.below(30_000);
  return pick.one<Happening>(
    () => (home) => home.report("sensor", value),
    () => (home) => home.press("switch", value === 0 ? "DOF" : "DON"),
    () => (home) => home.write(2, variable, value),
    () => (home) => home.order(id, value === 0 ? "runThen" : value === 1 ? "run" : "stop"),
    () => (home) => home.order(id, "enable"),
    () => (home) => home.advance(spanMs),
    () => (home) => home.advance(spanMs),
  );
}

function anyOf(pick: Picker, ids: readonly number[]): number {
  return ids[pick.below(ids.length)] ?? FIRST_ID;
}
