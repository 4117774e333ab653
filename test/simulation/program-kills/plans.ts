/**
 * Random programs of waits, repeats, calls and assignments, each with what a run of it does: which commands its own lamp gets
 * and in which order, how often its network resource is fired, what its variables add up to.
 */

import type { NetworkResource } from "../../../src/home/network-resources.ts";
import type { Action, Condition } from "../../../src/home/program-syntax.ts";
import type { ProgramDefinition } from "../../../src/home/programs.ts";
import type { Variable } from "../../../src/home/variables.ts";
import type { Randomness } from "../../../src/util/randomness.ts";
import { assign, control, count, every, seconds, stateIs, tell, times, wait } from "../../programs/words.ts";
import { program } from "../../support/programs.ts";
import type { Step } from "./alignment.ts";

/** The trigger of a program: a state variable that is written, a lamp that reports, or another program. */
type Start =
  | { readonly kind: "variable"; readonly id: number }
  | { readonly kind: "report"; readonly node: string }
  | { readonly kind: "call"; readonly by: number };

export type Plan = {
  readonly id: number;
  readonly lamp: string;
  readonly start: Start;
  readonly tree: { readonly if: readonly Condition[]; readonly then: readonly Action[] };
  /** The commands for the lamp in one run, or in one turn of an endless run. */
  readonly commands: readonly Step[];
  readonly fires: number;
  readonly isEndless: boolean;
  /** The program that it calls once in a run. */
  readonly calls: number | null;
  /** Integer variables: runs begun, runs ended, and how many more the last one grows by in a run (or a turn). */
  readonly begun: number;
  readonly ended: number;
  readonly added: number;
  readonly adds: number;
};

/** Ids of programs and resources of the plans begin here, so that nothing of a demo home is meant. */
const FIRST_ID = 0x100;
const VARIABLES_A_PLAN = 4;
const FIRST_VARIABLE = 100;
const LAMPS_A_PLAN = 2;

/** @param lamps addresses of dimmers that nothing else touches. */
export function randomPlans(randomness: Randomness, lamps: readonly string[], wanted: number): readonly Plan[] {
  const plans: Plan[] = [];
  while (plans.length < wanted) plans.push(...randomFamily(randomness, lamps, plans.length));
  if (lamps.length < LAMPS_A_PLAN * plans.length) throw new Error("There are too few lamps.");
  return plans;
}

/** A program, and now and then one that it calls. */
function randomFamily(randomness: Randomness, lamps: readonly string[], index: number): readonly Plan[] {
  const dice = randomness.next();
  const start = startOf(index, lamps, randomness.next() < 0.5);
  if (dice < 0.15) return [planOf(index, lamps, start, endlessDraft(randomness))];
  if (dice < 0.4) {
    const called = planOf(index + 1, lamps, { kind: "call", by: FIRST_ID + index }, randomDraft(randomness));
    const draft = randomDraft(randomness, [{ action: control(called.id, "runthen") }]);
    return [{ ...planOf(index, lamps, start, draft), calls: called.id }, called];
  }
  return [planOf(index, lamps, start, randomDraft(randomness))];
}

function startOf(index: number, lamps: readonly string[], isReport: boolean): Start {
  if (isReport) return { kind: "report", node: lamps[LAMPS_A_PLAN * index + 1] ?? "" };
  return { kind: "variable", id: variablesOf(index).begun };
}

/** A statement in the making: its words are completed with the plan's own lamp, resource and variables. */
type Piece = "on" | "step" | "fire" | "add" | "pause" | { readonly action: Action };
/** `turns` of an endless one count for one. */
type Section = {
  readonly repeat: "none" | "times" | "while" | "every";
  readonly turns: number;
  readonly pieces: readonly Piece[];
};
type Draft = { readonly sections: readonly Section[]; readonly isEndless: boolean };

function endlessDraft(randomness: Randomness): Draft {
  const pieces = randomPieces(randomness, 3);
  return { sections: [{ repeat: "every", turns: 1, pieces: ["add", ...pieces] }], isEndless: true };
}

/** @param first statements that come first. */
function randomDraft(randomness: Randomness, first: readonly Piece[] = []): Draft {
  const sections: Section[] = [{ repeat: "none", turns: 1, pieces: [...first, ...randomPieces(randomness, 5)] }];
  while (randomness.next() < 0.5) {
    const turns = 1 + Math.floor(3 * randomness.next());
    const repeat = randomness.next() < 0.5 ? "times" : "while";
    sections.push({ repeat, turns, pieces: randomPieces(randomness, 3) });
  }
  return { sections, isEndless: false };
}

const PIECES: readonly Piece[] = ["on", "on", "step", "step", "fire", "add", "pause", "pause"];

function randomPieces(randomness: Randomness, most: number): readonly Piece[] {
  const one = () => PIECES[Math.floor(randomness.next() * PIECES.length)] ?? "on";
  return ["on", ...Array.from({ length: 1 + Math.floor(most * randomness.next()) }, one)];
}

function planOf(index: number, lamps: readonly string[], start: Start, { sections, isEndless }: Draft): Plan {
  const lamp = lamps[LAMPS_A_PLAN * index] ?? "";
  const { begun, ended, added, turns } = variablesOf(index);
  const maker = new Maker(lamp, FIRST_ID + index, added, turns);
  const body = sections.flatMap((section) => maker.section(section));
  // A run is over when its lamp has got everything: commands on their way are those of one run.
  const then = [count(begun), ...body, ...(isEndless ? [] : [times(1), wait(seconds(1)), count(ended)])];
  const tree = { if: conditionsOf(start), then };
  const { commands, fires, adds } = maker;
  return {
    id: FIRST_ID + index,
    lamp,
    start,
    tree,
    commands,
    fires,
    isEndless,
    calls: null,
    begun,
    ended,
    added,
    adds,
  };
}

/** Completes pieces, and counts what they come to. */
class Maker {
  readonly #lamp: string;
  readonly #resource: number;
  readonly #added: number;
  readonly #turns: number;
  #level = 0;
  readonly commands: Step[] = [];
  fires = 0;
  adds = 0;

  /** @param turns variable in which turns of a "repeat while" are counted. */
  constructor(lamp: string, resource: number, added: number, turns: number) {
    this.#lamp = lamp;
    this.#resource = resource;
    this.#added = added;
    this.#turns = turns;
  }

  section({ repeat, turns, pieces }: Section): readonly Action[] {
    const made = pieces.map((piece) => this.#make(piece));
    for (let turn = 0; turn < turns; turn += 1) {
      this.commands.push(...made.flatMap(({ step }) => step ?? []));
      this.fires += made.filter(({ action }) => action.kind === "resource").length;
      this.adds += made.filter(({ action }) => action.kind === "variable").length;
    }
    return this.#repeated(
      repeat,
      turns,
      made.map(({ action }) => action),
    );
  }

  #repeated(repeat: Section["repeat"], turns: number, actions: readonly Action[]): readonly Action[] {
    switch (repeat) {
      case "none":
        return actions;
      case "times":
        return [times(turns), ...actions];
      case "every":
        return [every(seconds(1)), ...actions];
      case "while": {
        const operand = { kind: "value", value: turns, prec: 0 } as const;
        const loop: Action = { kind: "repeat-while", type: 1, id: this.#turns, comparison: "LT", operand };
        // The preceding repeat ends here. Otherwise each of its turns would restart the count.
        return [times(1), assign(1, this.#turns, "EQ", 0), loop, ...actions, count(this.#turns)];
      }
    }
  }

  #make(piece: Piece): { readonly action: Action; readonly step: Step | null } {
    if (typeof piece === "object") return { ...piece, step: null };
    switch (piece) {
      case "on": {
        this.#level += 1;
        const step = { words: `DON ${this.#level}`, isIdempotent: true };
        return { action: tell(this.#lamp, "DON", this.#level), step };
      }
      case "step": {
        const words = this.#level % 2 === 0 ? "BRT" : "DIM";
        return { action: tell(this.#lamp, words), step: { words, isIdempotent: false } };
      }
      case "fire":
        return { action: { kind: "resource", id: this.#resource }, step: null };
      case "add":
        return { action: count(this.#added), step: null };
      case "pause":
        return { action: wait(seconds(1), this.#level % 2 === 0), step: null };
    }
  }
}

function conditionsOf(start: Start): readonly Condition[] {
  switch (start.kind) {
    case "variable":
      return [stateIs(start.id, 0, "ISNOT")];
    case "report":
      return [
        {
          andOr: "and",
          kind: "status",
          node: start.node,
          property: "ST",
          comparison: "GE",
          value: { value: 0, prec: 0, uom: 100 },
        },
      ];
    case "call":
      return [];
  }
}

function variablesOf(index: number) {
  const first = FIRST_VARIABLE + VARIABLES_A_PLAN * index;
  return { begun: first, ended: first + 1, added: first + 2, turns: first + 3 };
}

/** The state variable that starts a program has the number of the integer one that counts its runs. */
export function variablesFor({ begun }: Plan): readonly Variable[] {
  const make = (type: 1 | 2, id: number): Variable => {
    return { type, id, name: `Of ${id}`, value: 0, init: 0, prec: 0, writtenAtMs: 0 };
  };
  const ids = Array.from({ length: VARIABLES_A_PLAN }, (_, index) => begun + index);
  return [...ids.map((id) => make(1, id)), make(2, begun)];
}

export function programOf({ id, tree }: Plan): ProgramDefinition {
  return program(id, { tree: { ...tree, else: [] } });
}

/** A request to a listener of the test, which counts by path. */
export function resourceOf({ id }: Plan, port: number): NetworkResource {
  return {
    id,
    name: `Resource ${id}`,
    protocol: "http",
    host: "127.0.0.1",
    port,
    method: "GET",
    path: `/${id}`,
    headers: [],
    body: "",
    timeoutMs: 0,
  };
}
