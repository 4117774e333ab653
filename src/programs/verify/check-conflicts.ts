/**
 * Finds programs that write different values to the same thing at the same event, so that their order decides.
 * Compares the writes of each before its first wait. An event is a change, a command that a node sends, or a moment
 * of a schedule that both name. Reported only when the conditions of both, and of the folders above them, can hold at
 * once.
 */

import type { Clause } from "../../home/program-progress.ts";
import type { Action } from "../../home/program-syntax.ts";
import { type Message, message } from "../../messages.ts";
import type { Slices } from "../../util/slices.ts";
import { type Finding, type FindingStep, finding } from "./finding.ts";
import type { Axis } from "./model/axis.ts";
import { assuming, type Example, exampleValues, type Formula, holdTogether, not } from "./model/formula.ts";
import { statementSpot, statementStep } from "./model/places.ts";
import { startKeysOf as keysOfStarts, type StartEvent, startsOf } from "./model/starts.ts";
import { axisValueWords, programName } from "./model/words.ts";
import type { World } from "./model/world.ts";
import { play } from "./play/play.ts";
import type { PlayedProgram } from "./play/played-program.ts";
import type { Plays } from "./play/plays.ts";
import { stageOf } from "./play/stage.ts";

/** Steps of the engine in which two programs are to begin. */
const STEPS_MAX = 50;

/** A finding with the event and values with which both programs do what it says. */
export type ShownConflict = { readonly finding: Finding; readonly event: string; readonly example: Example };

/** @param asked ids of the programs whose conflicts are reported. */
export function* checkConflicts(
  world: World,
  plays: Plays,
  asked: ReadonlySet<number>,
): Slices<readonly ShownConflict[]> {
  const found = new Map<string, ShownConflict>();
  for (const { key: event, words, started } of yield* eventsOf(world, plays, asked)) {
    for (const [first, second] of rivals(started)) {
      yield;
      const [one, other] = [first.played.program.id, second.played.program.id];
      const key = `${one} ${other}`;
      if (!(asked.has(one) || asked.has(other)) || found.has(key)) continue;
      const example = yield* meeting(world, first, second);
      if (!example) continue;
      const finding = tell(world, words, asked.has(one) ? [first, second] : [second, first]);
      found.set(key, { finding, event, example });
    }
  }
  return [...found.values()];
}

type Started = { readonly played: PlayedProgram; readonly start: StartEvent; readonly given: Formula };
type Event = { readonly key: string; readonly words: Message; readonly started: readonly Started[] };
/** The values that a clause has written to an axis before its first wait. */
type Claim = Started & {
  readonly clause: Clause;
  readonly index: number;
  readonly axis: Axis;
  readonly value: number;
};

/** The events that start one of the requested programs and another program too. */
function* eventsOf(world: World, plays: Plays, asked: ReadonlySet<number>): Slices<readonly Event[]> {
  const keys = new Set<string>();
  for (const id of asked) for (const key of startKeysOf(world, id)) keys.add(key);
  const events: Event[] = [];
  for (const key of keys) {
    const started = (yield* plays.startedAt(key)).flatMap((played) => {
      const start = startsOf(world, played.program).find((each) => each.key === key);
      return start ? [{ played, start, given: start.given, words: start.words }] : [];
    });
    const [first] = started;
    if (first && started.length > 1) events.push({ key, words: first.words, started });
    yield;
  }
  return events;
}

function startKeysOf(world: World, id: number): readonly string[] {
  const entry = world.programs.get(id);
  return entry?.kind === "program" ? keysOfStarts(world, entry) : [];
}

/** Claims of two programs on the same axis with different values. */
function* rivals(started: readonly Started[]): Generator<readonly [Claim, Claim]> {
  for (const claims of Map.groupBy(started.flatMap(claimsOf), ({ axis }) => axis).values()) {
    for (const [at, first] of claims.entries()) {
      for (const second of claims.slice(at + 1)) {
        if (first.played !== second.played && first.value !== second.value) yield [first, second];
      }
    }
  }
}

function claimsOf(start: Started): readonly Claim[] {
  return (["then", "else"] as const).flatMap((clause) => {
    const claims = new Map<Axis, Claim>();
    for (const [index, statement] of start.played.clauses[clause].entries()) {
      if (endsClaims(start.played, statement.action)) break;
      for (const { axis, constant } of statement.writes) {
        if (constant === null) claims.delete(axis);
        else claims.set(axis, { ...start, clause, index, axis, value: constant });
      }
    }
    return [...claims.values()];
  });
}

/** A wait, a repeat that may have no turn, and a stop of the program itself. */
function endsClaims({ program }: PlayedProgram, action: Action): boolean {
  switch (action.kind) {
    case "wait":
    case "repeat-while":
      return true;
    case "repeat-times":
      return action.times < 1 || action.random;
    case "program":
      return action.id === program.id && action.control === "stop";
    default:
      return false;
  }
}

/**
 * Values with which both come to it; null where there are none, or where finding them takes too long. The first is carried out
 * before the second is looked at, which so finds the variables as the first has left them.
 */
function* meeting(world: World, first: Claim, second: Claim): Slices<Example | null> {
  const given = [first.given, second.given, first.played.gate, second.played.gate, outcomeOf(first)];
  // A condition that holds only because of the first program is a consequence, not a conflict.
  const afterwards = assuming(outcomeOf(second), constantsOf(first));
  const example = holdTogether([...given, outcomeOf(second), afterwards]);
  if (example === null || example === "unknown") return null;
  return (yield* isShown(world, [first, second], exampleValues(example))) ? example : null;
}

/** Effects of a running program that another sees at once: its variables and its status. Devices take their time. */
function constantsOf({ played, clause }: Claim): ReadonlyMap<Axis, number> {
  const constants = new Map<Axis, number>(played.status ? [[played.status, clause === "then" ? 1 : 0]] : []);
  for (const { action, writes } of played.clauses[clause]) {
    if (action.kind === "wait" || action.kind.startsWith("repeat-")) break;
    for (const { axis, constant } of writes) if (constant !== null && !axis.property) constants.set(axis, constant);
  }
  return constants;
}

/** Whether both clauses begin at the event, the first one first. */
function* isShown(world: World, claims: readonly Claim[], values: ReadonlyMap<Axis, number>): Slices<boolean> {
  const stage = stageOf(
    world,
    claims.map(({ played }) => played),
    STEPS_MAX,
  );
  const starts = claims.map(({ played: { program }, start }) => ({
    program: program.id,
    mode: "conditions" as const,
    by: start,
  }));
  if (!claims.every(({ start }) => start.isForeseen)) return false;
  const { steps } = yield* play(stage, values, starts);
  const begun = steps.filter(({ kind, cause }) => kind === "begin" && cause === -1);
  return claims.every(
    ({ played: { program }, clause }, at) => begun[at]?.program === program.id && begun[at]?.clause === clause,
  );
}

function outcomeOf({ played: { isTrue: holds }, clause }: Claim): Formula {
  return clause === "then" ? holds : not(holds);
}

function tell(world: World, event: Message, [own, other]: readonly [Claim, Claim]): Finding {
  const spot = statementSpot(own.played.program.id, own.clause, own.index);
  const name = programName(world, other.played.program.id);
  const { axis } = own;
  const [mine, theirs] = [axisValueWords(axis, own.value), axisValueWords(axis, other.value)];
  const sentence = message("CONFLICT", { name: axis.name, value: mine, program: name, other: theirs });
  const chain: FindingStep[] = [{ kind: "event", program: null, path: null, text: message("step.event", { event }) }];
  for (const claim of [own, other]) chain.push(...claimSteps(world, claim));
  return finding("CONFLICT", spot, sentence, chain);
}

function claimSteps(world: World, { played, clause, index, axis, value }: Claim): readonly FindingStep[] {
  const { id, name, tree } = played.program;
  const spot = statementSpot(id, clause, index);
  const action = tree[clause][index];
  const text = message(clause === "then" ? "step.canBeTrue" : "step.canBeFalse", { program: name });
  return [
    { kind: "evaluation", program: id, path: "if", text },
    ...(action ? [statementStep(world, { action, spot })] : []),
    {
      kind: "value",
      program: null,
      path: null,
      text: message("step.value", { name: axis.name, value: axisValueWords(axis, value) }),
    },
  ];
}
