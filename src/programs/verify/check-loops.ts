/**
 * Finds programs that start one another, or themselves, over and over: directly, or through devices, scenes and
 * variables. Candidates follow from writes and triggers. Each candidate is then played, and reported only when the
 * play does not come to rest.
 */

import { message } from "../../messages.ts";
import type { Slices } from "../../util/slices.ts";
import { type Finding, finding } from "./finding.ts";
import { EVENT_AXIS } from "./model/axes.ts";
import type { Axis } from "./model/axis.ts";
import { collectSets } from "./model/formula.ts";
import type { NumberSet } from "./model/number-set.ts";
import { eventsOf, startsOf } from "./model/starts.ts";
import { programName } from "./model/words.ts";
import type { World } from "./model/world.ts";
import { examplesFor } from "./play/examples.ts";
import { type Beginning, type PlayStart, type PlayStep, play } from "./play/play.ts";
import { playSteps } from "./play/play-words.ts";
import type { PlayedProgram } from "./play/played-program.ts";
import type { Plays } from "./play/plays.ts";
import { type Stage, stageOf } from "./play/stage.ts";

/** Steps of the engine that are played for one group of programs. */
const STEPS_MAX = 6000;
/** Further steps once there is one: a second loop of the same group is mostly the first one seen from elsewhere. */
const STEPS_AFTER_FIRST = 500;
/** More than a clause has. */
const STATEMENTS_MAX = 1_000_000;
/** Different loops that are reported of one group. */
const LOOPS_MAX = 4;

/** A finding with the beginning of the play that shows it. */
export type ShownLoop = { readonly finding: Finding; readonly from: Beginning };

/** @param asked ids of the programs whose loops are reported. */
export function* checkLoops(world: World, plays: Plays, asked: ReadonlySet<number>): Slices<readonly ShownLoop[]> {
  const successors = yield* reachableFrom(plays, asked);
  const groups = yield* stronglyConnected([...successors.keys()], (id) => successors.get(id) ?? []);
  const loops: ShownLoop[] = [];
  for (const ids of groups) {
    const isLoop = ids.length > 1 || ids.some((id) => successors.get(id)?.includes(id));
    if (!isLoop || !ids.some((id) => asked.has(id))) continue;
    const members = yield* plays.ofAll(ids);
    loops.push(...(yield* loopsOf(world, members, yield* withStarted(plays, successors, ids), asked)));
  }
  return loops;
}

/**
 * Each program that the requested ones can start, directly or through others, with the programs that it starts
 * itself.
 */
function* reachableFrom(plays: Plays, asked: ReadonlySet<number>): Slices<ReadonlyMap<number, readonly number[]>> {
  const successors = new Map<number, readonly number[]>();
  const open = [...asked].sort((a, b) => b - a);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const played = successors.has(id) ? null : yield* plays.of(id);
    if (!played) continue;
    yield;
    const started = yield* plays.startedBy(played);
    successors.set(id, started);
    open.push(...started);
  }
  return successors;
}

/** The group with everything that it starts, which may put an end to what the group alone would do for ever. */
function withStarted(
  plays: Plays,
  successors: ReadonlyMap<number, readonly number[]>,
  ids: readonly number[],
): Slices<readonly PlayedProgram[]> {
  const all = new Set(ids);
  for (const id of all) for (const next of successors.get(id) ?? []) all.add(next);
  return plays.ofAll([...all].sort((a, b) => a - b));
}

function* loopsOf(
  world: World,
  members: readonly PlayedProgram[],
  programs: readonly PlayedProgram[],
  asked: ReadonlySet<number>,
): Slices<readonly ShownLoop[]> {
  const stage = stageOf(world, members, STEPS_MAX);
  yield;
  const all = programs.length > members.length ? stageOf(world, programs, STEPS_MAX) : stage;
  yield;
  const starts = members.flatMap((played) => startsToPlay(world, played));
  const found = new Map<string, ShownLoop>();
  yield;
  for (const values of examplesFor(members)) {
    for (const start of starts) {
      const { steps, ends, from } = yield* play(stage, values, [start]);
      if (stage.budget <= 0) return [...found.values()];
      if (ends !== "repeats") continue;
      const late = yield* play({ ...all, budget: STEPS_MAX }, values, [start], "late");
      if (late.ends !== "repeats") continue;
      const prompt = yield* play({ ...all, budget: STEPS_MAX }, values, [start], "prompt");
      if (prompt.ends !== "repeats") continue;
      const loop = tell(world, stage, steps.slice(from), asked);
      const key = keyOf(steps.slice(from));
      if (loop && found.get(key)?.finding.severity !== "error")
        found.set(key, { finding: loop, from: { values, start } });
      stage.budget = Math.min(stage.budget, STEPS_AFTER_FIRST);
      if (found.size >= LOOPS_MAX) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Started by its conditions, by another program, or by a person. */
function startsToPlay(world: World, { program }: PlayedProgram): readonly PlayStart[] {
  const { id } = program;
  return [
    ...eventsOf(startsOf(world, program)).map((by): PlayStart => ({ program: id, mode: "conditions", by })),
    { program: id, mode: "then", by: null },
    { program: id, mode: "else", by: null },
  ];
}

/** The same programs in a loop are the same loop. */
function keyOf(turn: readonly PlayStep[]): string {
  return [...new Set(turn.map(({ program }) => program))].sort((a, b) => a - b).join(" ");
}

function tell(world: World, stage: Stage, turn: readonly PlayStep[], asked: ReadonlySet<number>): Finding | null {
  const ids = [...new Set(turn.map(({ program }) => program))].sort((a, b) => a - b);
  const id = ids.find((each) => asked.has(each));
  if (id === undefined) return null;
  const waits = turn.some(({ kind }) => kind === "woke");
  if (waits && isGuarded(stage, turn)) return null;
  const path = firstPlace(turn.filter(({ program }) => program === id));
  const code = waits ? "LOOP_WITH_WAIT" : "LOOP";
  const programs = ids.map((each) => programName(world, each)).join(", ");
  const sentence = ids.length === 1 ? message(`${code}.itself`) : message(code, { programs });
  const chain = playSteps(world, turn);
  const spot = { program: id, path };
  return finding(code, spot, sentence, chain);
}

/** Where the program acts first, in the order of its tree; a turn has no beginning of its own. */
function firstPlace(steps: readonly PlayStep[]): string {
  const acts = steps.filter(({ kind }) => kind === "write" || kind === "call");
  const place = ({ clause, index }: PlayStep) => (clause === "then" ? 0 : STATEMENTS_MAX) + index;
  const first = acts.reduce<PlayStep | null>((best, step) => (best && place(best) <= place(step) ? best : step), null);
  return first ? `${first.clause}[${first.index}]` : "";
}

/** Whether something that the loop itself does not write can make its conditions false. */
function isGuarded(stage: Stage, turn: readonly PlayStep[]): boolean {
  const written = new Set<Axis>(turn.flatMap(({ write }) => write?.axis ?? []));
  for (const { kind, mode, program } of turn) {
    const played = stage.programs.get(program);
    if (kind !== "begin" || !played) continue;
    if (played.status) written.add(played.status);
    const sets = new Map<Axis, NumberSet[]>();
    if (mode === "conditions" || mode === "if") collectSets(played.isTrue, sets);
    if (mode === "conditions") collectSets(played.gate, sets);
    if ([...sets.keys()].some((axis) => axis !== EVENT_AXIS && !written.has(axis))) return true;
  }
  return false;
}

/** The groups of a graph in which everything leads to everything else (Tarjan), without recursion. */
function* stronglyConnected(
  ids: readonly number[],
  successors: (id: number) => readonly number[],
): Slices<readonly (readonly number[])[]> {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const groups: number[][] = [];
  const known = new Set(ids);
  for (const root of ids) {
    if (index.has(root)) continue;
    const path: { readonly id: number; readonly next: number[] }[] = [];
    const enter = (id: number) => {
      index.set(id, index.size);
      low.set(id, index.size - 1);
      stack.push(id);
      onStack.add(id);
      path.push({ id, next: successors(id).filter((each) => known.has(each)) });
    };
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        path.pop();
        leave(top.id, path.at(-1)?.id ?? null);
        yield;
      } else if (!index.has(next)) {
        enter(next);
        yield;
      } else if (onStack.has(next)) low.set(top.id, Math.min(low.get(top.id) ?? 0, index.get(next) ?? 0));
    }
  }
  return groups;

  function leave(id: number, parent: number | null): void {
    const lowest = low.get(id) ?? 0;
    if (parent !== null) low.set(parent, Math.min(low.get(parent) ?? 0, lowest));
    if (lowest !== index.get(id)) return;
    const group: number[] = [];
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      onStack.delete(member);
      group.push(member);
      if (member === id) break;
    }
    groups.push(group.sort((a, b) => a - b));
  }
}
