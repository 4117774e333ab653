/** A program at this moment: each condition with its value, and the statement that is under way. It changes nothing. */

import type { Home } from "../home/home.ts";
import { holdRowKey } from "../home/program-holds.ts";
import type { Clause } from "../home/program-progress.ts";
import { findProgram, type ProgramEntry } from "../home/programs.ts";
import { findVariable } from "../home/variables.ts";
import { type ConditionFacts, evaluateConditions } from "./evaluate.ts";
import { calendarOf } from "./home-facts.ts";
import { conditionsOf } from "./references.ts";
import { membersOf } from "./role-members.ts";
import type { ConditionValue } from "./trace-record.ts";

type ProgramNow = {
  /** Whether the conditions hold; those that events make true do not. */
  readonly isTrue: boolean;
  /** In the order of the tree. */
  readonly conditions: readonly ConditionValue[];
  /** null: it does not run. */
  readonly run: RunNow | null;
};

type RunNow = {
  readonly clause: Clause;
  /** Index in the clause of the statement that is under way or comes next. */
  readonly position: number;
  /** When its wait, or the turn of its repeat, is over; null: it waits for nothing. */
  readonly untilMs: number | null;
};

export function programNow(home: Home, entry: ProgramEntry, nowMs: number): ProgramNow {
  const conditions: ConditionValue[] = [];
  const moment = { atMs: nowMs, happening: null };
  const isTrue = evaluateConditions(conditionsOf(entry), factsOf(home, entry.id), moment, conditions);
  return { isTrue, conditions, run: runNow(home, entry) };
}

function factsOf(home: Home, id: number): ConditionFacts {
  return {
    calendar: calendarOf(home),
    property: (node, property) => home.nodes.get(node)?.properties.get(property) ?? null,
    variable: (type, variable) => findVariable(home, type, variable),
    program: (other) => findProgram(home, other),
    members: (selector) => membersOf(home, selector),
    heldSinceMs: (key) => home.programHolds.get(holdRowKey(id, key))?.sinceMs ?? null,
  };
}

function runNow(home: Home, entry: ProgramEntry): RunNow | null {
  const progress = home.programProgress.get(entry.id);
  if (!progress?.run || entry.kind === "folder") return null;
  const { runId, clause, position, waitUntilMs, repeat } = progress.run;
  const sent = progress.inFlight.find((statement) => statement.runId === runId);
  if (waitUntilMs === null) return { clause, position: sent?.position ?? position, untilMs: null };
  const isWait = entry.tree[clause][position - 1]?.kind === "wait";
  return { clause, position: isWait ? position - 1 : (repeat?.at ?? position), untilMs: waitUntilMs };
}
