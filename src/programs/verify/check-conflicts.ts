/**
 * Programs that write different values to the same thing at the same event: which of them wins is a matter of order. Looked
 * at is what each does before its first wait; an event is a change, a command that a node sends, or a moment of a schedule
 * that both name. It is told only when the conditions of both, and of the folders above them, can be so at once.
 */

import type { Clause } from "../../home/program-progress.ts";
import { type Finding, type FindingStep, finding } from "./finding.ts";
import type { Axis } from "./model/axis.ts";
import type { Write } from "./model/effects.ts";
import { assuming, type Example, exampleValues, type Formula, holdTogether, isTrue, not } from "./model/formula.ts";
import { anyOf } from "./model/number-set.ts";
import { statementSpot, statementStep } from "./model/places.ts";
import { startKeysOf as keysOfStarts, startsOf } from "./model/starts.ts";
import { axisValueWords, programName } from "./model/words.ts";
import type { World } from "./model/world.ts";
import type { PlayedProgram, Statement, Turns } from "./play/machine.ts";
import type { Plays } from "./play/plays.ts";

/** A finding with the event and values with which both programs do what it says. */
export type ShownConflict = { readonly finding: Finding; readonly event: string; readonly example: Example };

/** @param asked ids of the programs whose conflicts are told. */
export function checkConflicts(world: World, plays: Plays, asked: ReadonlySet<number>): readonly ShownConflict[] {
  const found = new Map<string, ShownConflict>();
  for (const { key: event, words, started } of eventsOf(world, plays, asked)) {
    for (const [first, second] of rivals(started)) {
      const [one, other] = [first.played.program.id, second.played.program.id];
      const key = `${one} ${other}`;
      if (!(asked.has(one) || asked.has(other)) || found.has(key)) continue;
      const example = meeting(first, second);
      if (!example) continue;
      const finding = tell(world, words, asked.has(one) ? [first, second] : [second, first]);
      found.set(key, { finding, event, example });
    }
  }
  return [...found.values()];
}

type Started = { readonly played: PlayedProgram; readonly given: Formula };
type Event = { readonly key: string; readonly words: string; readonly started: readonly Started[] };
/** What a clause leaves behind on an axis before its first wait. */
type Claim = Started & {
  readonly clause: Clause;
  readonly index: number;
  readonly axis: Axis;
  readonly value: number;
};

/** The events that start one of those asked for and another program too. */
function eventsOf(world: World, plays: Plays, asked: ReadonlySet<number>): readonly Event[] {
  const keys = new Set<string>();
  for (const id of asked) for (const key of startKeysOf(world, id)) keys.add(key);
  return [...keys].flatMap((key) => {
    const started = plays.startedAt(key).flatMap((played) => {
      const start = startsOf(world, played.program).find((each) => each.key === key);
      return start ? [{ played, given: start.given, words: start.words }] : [];
    });
    return started.length > 1 ? [{ key, words: started[0]?.words ?? key, started }] : [];
  });
}

function startKeysOf({ programs }: World, id: number): readonly string[] {
  const entry = programs.get(id);
  return entry?.kind === "program" ? keysOfStarts(entry) : [];
}

/** Claims of two programs on the same axis with different values. */
function* rivals(started: readonly Started[]): Generator<readonly [Claim, Claim]> {
  const byAxis = new Map<Axis, Claim[]>();
  for (const claim of started.flatMap(claimsOf)) byAxis.set(claim.axis, [...(byAxis.get(claim.axis) ?? []), claim]);
  for (const claims of byAxis.values()) {
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
      if (statement.kind === "wait" || stopsItself(start.played, statement)) break;
      if (statement.kind === "repeat" && mayBeSkipped(statement.turns)) break;
      if (statement.kind !== "writes") continue;
      for (const { axis, constant } of statement.writes) {
        if (constant === null) claims.delete(axis);
        else claims.set(axis, { ...start, clause, index, axis, value: constant });
      }
    }
    return [...claims.values()];
  });
}

function stopsItself({ program }: PlayedProgram, statement: Statement): boolean {
  return statement.kind === "control" && statement.id === program.id && statement.control === "stop";
}

function mayBeSkipped(turns: Turns): boolean {
  return turns.kind === "while" || (turns.kind === "times" && turns.times < 1);
}

/**
 * Values with which both come to it; null where there are none, or where finding them takes too long. The first is carried out
 * before the second is looked at, which so finds the variables as the first has left them.
 */
function meeting(first: Claim, second: Claim): Example | null {
  if (disables(first, second)) return null;
  const given = [first.given, second.given, first.played.gate, second.played.gate, outcomeOf(first)];
  const written = writtenAtOnce(first);
  const constants = new Map(written.flatMap(({ axis, constant }) => (constant === null ? [] : [[axis, constant]])));
  // What holds only because of the first is a consequence, and no conflict.
  const example = holdTogether([...given, outcomeOf(second), assuming(outcomeOf(second), constants)]);
  if (example === null || example === "unknown") return null;
  const values = new Map(exampleValues(example));
  const valueAt = (axis: Axis) => values.get(axis) ?? anyOf(axis.domain, axis.step);
  for (const { axis, next } of written) values.set(axis, next(valueAt(axis), valueAt) ?? valueAt(axis));
  return isTrue(outcomeOf(second), valueAt) ? example : null;
}

/** What a program that is run sees of another at once: its variables and its status. Devices take their time. */
function writtenAtOnce({ played, clause }: Claim): readonly Write[] {
  const { status, clauses } = played;
  const value = clause === "then" ? 1 : 0;
  const own: Write[] = status
    ? [{ axis: status, isReported: false, constant: value, source: null, next: () => value }]
    : [];
  const writes = firstGroup(clauses[clause]).flatMap((each) => (each.kind === "writes" ? each.writes : []));
  return [...own, ...writes.filter(({ isReported }) => !isReported)];
}

function disables({ played, clause }: Claim, { played: { program } }: Claim): boolean {
  return firstGroup(played.clauses[clause]).some(
    (statement) => statement.kind === "control" && statement.id === program.id && statement.control === "disable",
  );
}

function firstGroup(statements: readonly Statement[]): readonly Statement[] {
  const end = statements.findIndex(({ kind }) => kind === "wait" || kind === "repeat");
  return end < 0 ? statements : statements.slice(0, end);
}

function outcomeOf({ played: { isTrue: holds }, clause }: Claim): Formula {
  return clause === "then" ? holds : not(holds);
}

function tell(world: World, event: string, [own, other]: readonly [Claim, Claim]): Finding {
  const spot = statementSpot(own.played.program.id, own.clause, own.index);
  const name = programName(world, other.played.program.id);
  const { axis } = own;
  const [mine, theirs] = [axisValueWords(axis, own.value), axisValueWords(axis, other.value)];
  const sentence = `At the same event this makes ${axis.name} ${mine} and the program ${name} makes it ${theirs}.`;
  const chain: FindingStep[] = [{ kind: "event", program: null, path: null, text: `${event}.` }];
  for (const claim of [own, other]) chain.push(...claimSteps(world, claim));
  return finding("CONFLICT", spot, sentence, chain);
}

function claimSteps(world: World, { played, clause, index, axis, value }: Claim): readonly FindingStep[] {
  const { id, name, tree } = played.program;
  const spot = statementSpot(id, clause, index);
  const action = tree[clause][index];
  const text = `${name}: its conditions can be ${clause === "then"} then.`;
  return [
    { kind: "evaluation", program: id, path: "if", text },
    ...(action ? [statementStep(world, { action, spot })] : []),
    { kind: "value", program: null, path: null, text: `${axis.name}: ${axisValueWords(axis, value)}` },
  ];
}
