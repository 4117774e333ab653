/**
 * Random programs for the demo house, from a seed. They speak of few things, so that they often meet: two lamps, a button, a
 * sensor, a lock, a scene, three variables of each kind, one another, and the minutes to come.
 */

import {
  at,
  between,
  clockTime,
  dimTo,
  doesNotSend,
  has,
  sends,
  sendValue,
  span,
  sunTime,
  tell,
} from "../../../src/demo/program-words.ts";
import {
  type Action,
  COMPARISONS,
  type Condition,
  type ProgramControl,
  type TimeOfDay,
  type VariableOperator,
} from "../../../src/home/program-syntax.ts";
import type { ProgramEntry } from "../../../src/home/programs.ts";
import type { VariableType } from "../../../src/home/variables.ts";
import type { Randomness } from "../../../src/util/randomness.ts";
import {
  type CaseProgram,
  copy,
  copyStatus,
  EVENING_SCENE,
  FIRST_ID,
  FLOOR,
  HALL,
  KEYPAD,
  KITCHEN,
  LEVEL,
  LOCK,
  LOCKED,
  MOTION,
  notify,
  PERCENT,
  READING,
} from "../../programs/verify/case-words.ts";
import { SENSIBLE_HOUSE } from "../../programs/verify/sensible-home.ts";
import { SENSIBLE_LIGHTS } from "../../programs/verify/sensible-lights.ts";
import { SENSIBLE_LOGIC } from "../../programs/verify/sensible-logic.ts";
import { entriesOf } from "../../programs/verify/verify-case.ts";
import type { LivedHome } from "./lived-home.ts";

const LAMPS = [HALL, KITCHEN, FLOOR] as const;
const LEVELS = [0, 50, 127, 153, 255] as const;
const SENSIBLE = Object.values({ ...SENSIBLE_LIGHTS, ...SENSIBLE_HOUSE, ...SENSIBLE_LOGIC });
const PROGRAMS_MAX = 4;
/** The hour in which a life begins, by the clock of the house. */
const HOUR = 12;

export class Picker {
  readonly #randomness: Randomness;

  constructor(randomness: Randomness) {
    this.#randomness = randomness;
  }

  below(limit: number): number {
    return Math.floor(this.#randomness.next() * limit);
  }

  chance(share: number): boolean {
    return this.#randomness.next() < share;
  }

  of<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("There is nothing to choose from.");
    return value;
  }

  one<T>(...choices: readonly (() => T)[]): T {
    return this.of(choices)();
  }

  list<T>(most: number, make: () => T): readonly T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

/** @param behind so many other programs, whose ids are not used. */
export function randomPrograms(pick: Picker, behind = 0): readonly ProgramEntry[] {
  if (behind === 0 && pick.chance(0.3)) return entriesOf(revised(pick, pick.of(SENSIBLE)));
  const ids = Array.from({ length: 1 + pick.below(PROGRAMS_MAX) }, (_, index) => FIRST_ID + behind + index);
  const others: readonly CaseProgram[] = Array.from({ length: behind }, () => ({}));
  return entriesOf([...others, ...ids.map(() => randomProgram(pick, ids))]).slice(behind);
}

/** Programs of an owner, with a line that is other, missing or too many here and there. */
function revised(pick: Picker, programs: readonly CaseProgram[]): readonly CaseProgram[] {
  const ids = programs.map((_program, index) => FIRST_ID + index);
  const revise = <T>(list: readonly T[] | undefined, make: () => T): readonly T[] =>
    (list ?? []).flatMap((line) => pick.of([[line], [line], [line], [line], [line], [make()], [], [line, make()]]));
  return programs.map((program) => ({
    ...program,
    if: revise(program.if, () => randomCondition(pick, ids, true)),
    then: revise(program.then, () => randomAction(pick, ids)),
    else: revise(program.else, () => randomAction(pick, ids)),
  }));
}

function randomProgram(pick: Picker, ids: readonly number[]): CaseProgram {
  const conditions = () => pick.list(3, () => randomCondition(pick, ids, true));
  return {
    if: conditions(),
    then: pick.list(5, () => randomAction(pick, ids)),
    else: pick.chance(0.5) ? pick.list(3, () => randomAction(pick, ids)) : [],
    enabled: !pick.chance(0.1),
    runAtStartup: pick.chance(0.1),
    ...(pick.chance(0.15) ? { gate: conditions() } : {}),
  };
}

function randomCondition(pick: Picker, ids: readonly number[], mayNest: boolean): Condition {
  const made = pick.one<Condition>(
    () => has(pick.of(LAMPS), "ST", pick.of(COMPARISONS), randomLevel(pick)),
    () => has(READING, "ST", pick.of(COMPARISONS), randomLevel(pick)),
    () => has(LOCK, "ST", pick.of(["IS", "ISNOT"]), { value: pick.of([0, 100, 55]), prec: 0, uom: LOCKED }),
    () => has(MOTION, "ST", pick.of(["IS", "ISNOT", "GT"]), { value: pick.of([0, 255]), prec: 0, uom: LEVEL }),
    () => sends(pick.of([MOTION, KEYPAD]), pick.of(["DON", "DOF"])),
    () => sends(pick.of([MOTION, KEYPAD]), pick.of(["DON", "DOF"])),
    () => doesNotSend(pick.of([MOTION, KEYPAD]), pick.of(["DON", "DOF"])),
    () => comparison(pick, 2),
    () => comparison(pick, 2),
    () => comparison(pick, 2),
    () => comparison(pick, 1),
    () => ({ andOr: "and", kind: "program", id: pick.of(ids), is: pick.chance(0.5) }),
    () => randomSchedule(pick),
    () => (mayNest ? parentheses(pick, ids) : comparison(pick, 2)),
  );
  return { ...made, andOr: pick.chance(0.3) ? "or" : "and" };
}

function parentheses(pick: Picker, ids: readonly number[]): Condition {
  const conditions = [...pick.list(2, () => randomCondition(pick, ids, false)), randomCondition(pick, ids, false)];
  return { andOr: "and", kind: "paren", conditions };
}

function randomLevel(pick: Picker) {
  return pick.chance(0.6)
    ? { value: pick.of(LEVELS), prec: 0, uom: LEVEL }
    : { value: pick.of([0, 20, 60, 100, 150]), prec: 0, uom: PERCENT };
}

function comparison(pick: Picker, type: VariableType): Condition {
  const given = {
    andOr: "and",
    kind: "variable",
    type,
    id: 1 + pick.below(3),
    comparison: pick.of(COMPARISONS),
  } as const;
  if (pick.chance(0.8)) return { ...given, operand: { kind: "value", value: pick.below(4), prec: 0 } };
  return { ...given, operand: { kind: "variable", type: pick.of([1, 2]), id: 1 + pick.below(3) } };
}

function randomSchedule(pick: Picker): Condition {
  const time = () => randomTime(pick);
  return pick.one<Condition>(
    () => at(time()),
    () => at(time(), pick.of([null, ["mon"], ["tue", "wed"]])),
    () => between(time(), time()),
    () => ({
      andOr: "and",
      kind: "schedule",
      days: null,
      when: { kind: "from-for", from: time(), lasting: span(pick.of([1, 5, 90])) },
    }),
  );
}

function randomTime(pick: Picker): TimeOfDay {
  if (pick.chance(0.15)) return sunTime(pick.of(["sunrise", "sunset"]), pick.of([0, -30]));
  const time = clockTime(HOUR, pick.below(12), pick.chance(0.05) ? 1 : 0);
  return pick.chance(0.1) ? { ...time, date: pick.of(["2026/06/01", "2026/06/02", "2026/02/30", "2025/01/01"]) } : time;
}

const OPERATORS: readonly VariableOperator[] = ["EQ", "EQ", "ADD=", "SUB=", "MUL=", "DIV=", "REM=", "RDM=", "INIT"];
const CONTROLS: readonly ProgramControl[] = ["runif", "runthen", "runelse", "stop", "enable", "disable"];

function randomAction(pick: Picker, ids: readonly number[]): Action {
  return pick.one<Action>(
    () => lampAction(pick),
    () => lampAction(pick),
    () => lampAction(pick),
    () => tell(pick.of([EVENING_SCENE]), pick.of(["DON", "DOF"])),
    () => sendValue(LOCK, "SECMD", pick.below(2), 84),
    () => ({ kind: "wait", span: span(0, pick.of([0, 5, 30, 90])), random: pick.chance(0.2) }),
    () => ({ kind: "wait", span: span(0, pick.of([1, 5, 30])), random: false }),
    () => assignment(pick),
    () => assignment(pick),
    () => assignment(pick),
    () => copy([pick.of([1, 2]), 1 + pick.below(3)], "EQ", [pick.of([1, 2]), 1 + pick.below(3)]),
    () => copyStatus(pick.of([1, 2]), 1 + pick.below(3), pick.of(LAMPS), "ST"),
    () => ({ kind: "program", id: pick.of(ids), control: pick.of(CONTROLS) }),
    () => ({ kind: "program", id: pick.of(ids), control: pick.of(CONTROLS) }),
    () => randomRepeat(pick),
    () => notify,
  );
}

function lampAction(pick: Picker): Action {
  const lamp = pick.of([...LAMPS, READING]);
  return pick.one<Action>(
    () => tell(lamp, pick.of(["DON", "DOF", "DFON", "DFOF"])),
    () => tell(lamp, pick.of(["BRT", "DIM"])),
    () => dimTo(lamp, pick.of([0, 20, 60, 100])),
  );
}

function assignment(pick: Picker): Action {
  const operand = { kind: "value", value: pick.below(4), prec: 0 } as const;
  return { kind: "variable", type: pick.of([1, 2, 2]), id: 1 + pick.below(3), operator: pick.of(OPERATORS), operand };
}

function randomRepeat(pick: Picker): Action {
  const test = { type: pick.of([1, 2] as const), id: 1 + pick.below(3), comparison: pick.of(COMPARISONS) };
  const operand = { kind: "value", value: pick.below(4), prec: 0 } as const;
  return pick.one<Action>(
    () => ({ kind: "repeat-times", times: pick.below(4), random: pick.chance(0.3) }),
    () => ({ kind: "repeat-every", span: span(0, pick.of([0, 10, 60])), random: false }),
    () => ({ kind: "repeat-while", ...test, operand }),
  );
}

/** Something that happens in the house. */
export function happen(pick: Picker, services: LivedHome, ids: readonly number[]): Promise<void> | void {
  return pick.one<Promise<void> | void>(
    () => services.report(pick.of([HALL, FLOOR]), "ST", pick.of(LEVELS)),
    () => services.report(KITCHEN, "ST", pick.of([0, 255])),
    () => services.report(READING, "ST", pick.of([0, 20, 60, 100])),
    () => services.report(LOCK, "ST", pick.of([0, 100])),
    () => services.report(MOTION, "ST", pick.of([0, 255])),
    () => services.press(pick.of([MOTION, KEYPAD]), pick.of(["DON", "DOF"])),
    () => services.press(pick.of([MOTION, KEYPAD]), pick.of(["DON", "DOF"])),
    () => services.write(pick.of([1, 2, 2, 2]), 1 + pick.below(3), pick.below(5) - 1),
    () => services.write(pick.of([1, 2, 2, 2]), 1 + pick.below(3), pick.below(5) - 1),
    () => services.order(pick.of(ids), pick.of(["run", "runThen", "runElse", "stop", "enable"])),
    () => services.advance(1 + pick.below(60_000)),
    () => services.advance(1 + pick.below(pick.of([180_000, 180_000, 36_000_000]))),
  );
}
