/**
 * Records of the engine's work: every evaluation with the value of each condition, every run and every non-run, every
 * statement with its outcome, and the chain of causes. Records are made only while there is a listener.
 */

import type { Cause } from "../home/cause.ts";
import type { Clause, ProgramLimit, Trigger } from "../home/program-progress.ts";
import type { Action, Condition } from "../home/program-syntax.ts";
import type { UnionOf } from "../util/union.ts";

/** A condition with what was found. `path` leads to it in the tree: [2, 0] is the first one of the third one's parentheses. */
export type ConditionValue = {
  readonly path: readonly number[];
  readonly condition: Condition;
  readonly isTrue: boolean;
  /** The compared value, as a raw number with its precision; null when unknown or absent. */
  readonly found: { readonly value: number; readonly prec: number } | null;
  /** Of a condition by room and role. */
  readonly roles?: FoundRoles;
};

/** The nodes that were meant, how many of them matched, of how many it was not known, and the first of those that decided. */
export type FoundRoles = {
  readonly members: number;
  readonly matches: number;
  readonly unknown: number;
  readonly decided: readonly string[];
};

/** Why a start led to no run. */
export type NonRunReason =
  | "disabled"
  /** It refers to something that does not exist. */
  | "not-loaded"
  /** The `if` of a folder above it is false. */
  | "folder-false"
  /** The schedule was missed by more than the grace period, or missed schedules are not caught up. */
  | "missed"
  /** A limit was reached; the program was stopped and disabled. */
  | "cut"
  /** More starts wait for their turn already than the controller keeps. */
  | "overloaded";

/** The outcome of a statement. `uncertain`: it was in flight when the process ended, and must not be repeated. */
export type StatementOutcome = "done" | "queued" | "failed" | "uncertain";

type Common = { readonly atMs: number; readonly programId: number; readonly cause: Cause };

type Records = {
  /** The `if` of a program or folder was evaluated. `conditions` in the order of the tree, all of them. */
  evaluated: { trigger: Trigger; isTrue: boolean; conditions: readonly ConditionValue[] };
  /** A clause begins; `interrupted` is the run that it put an end to. */
  "run-began": { runId: string; clause: Clause; trigger: Trigger; interrupted: string | null };
  "not-run": { trigger: Trigger; reason: NonRunReason; detail: string };
  /** A statement was carried out, or sent; then its outcome follows under the same `statementId`. */
  statement: {
    runId: string;
    statementId: string;
    clause: Clause;
    position: number;
    action: Action;
    /** The immediate result: the new value of a variable, or why nothing was done. */
    detail: string;
    /** End of a wait; missing in other statements. */
    untilMs?: number;
    /** True when it was sent again after the process had ended. */
    isRepeated: boolean;
  };
  outcome: {
    runId: string;
    statementId: string;
    outcome: StatementOutcome;
    /** Id of the command in the home's list of commands; null without one. */
    commandId: string | null;
    detail: string;
  };
  "run-ended": { runId: string; how: "finished" | "stopped" | "interrupted" | "cut" };
  /** A run goes on after the process had ended. */
  resumed: { runId: string; position: number; waitUntilMs: number | null };
  /** A limit was reached: the program is stopped and disabled. `loop`: the programs that start one another, in order. */
  cut: { limit: ProgramLimit; loop: readonly number[]; detail: string };
};

export type TraceRecord = Common & UnionOf<"kind", Records>;
