/**
 * The progress of a program: the data that must survive the end of the process, so that a program in a wait or a
 * repeat continues, and no finished statement runs again. The engine in `programs/` makes these records; the home
 * keeps the latest one of each program, on disk together with the entries that led to it.
 *
 * A program without a record is idle, has nothing under way, and its schedules were never evaluated.
 */

import type { Cause } from "./cause.ts";
import type { Action, SyntaxValue } from "./program-syntax.ts";
import type { ProgramVerb } from "./programs.ts";
import type { VariableType } from "./variables.ts";

export type Clause = "then" | "else";

export type ProgramProgress = {
  /** Id of the program, 1 … 65,535. */
  readonly id: number;
  /** The run under way; null when the program is idle. */
  readonly run: RunProgress | null;
  /** Statements that were sent and whose outcome is not known yet, oldest first; also of runs that have ended. */
  readonly inFlight: readonly InFlightStatement[];
  /**
   * Schedules up to this instant are settled, milliseconds since 1970: the last one that was worked off, or when the
   * program was written or enabled. null for a program without schedules.
   */
  readonly settledUntilMs: number | null;
  /** Starts whose turn has not come yet, oldest first. Empty unless more happens than the engine does in one step. */
  readonly waiting: readonly WaitingStart[];
};

/** How a start treats the `if`: `conditions` only of what may be started by them, `if` in any case, or not at all. */
export type StartMode = "conditions" | "startup" | "if" | "then" | "else";

/** The trigger of the evaluation. */
export type Trigger =
  | { readonly kind: "status"; readonly node: string; readonly property: string; readonly value: number | null }
  | { readonly kind: "control"; readonly node: string; readonly command: string }
  | HeldTrigger
  | { readonly kind: "variable"; readonly type: VariableType; readonly id: number; readonly value: number }
  /** The status of another program or folder changed. */
  | { readonly kind: "program"; readonly id: number; readonly status: boolean | null }
  /** A moment of a schedule; `instantMs` is when it was due, which a late step lies behind. */
  | { readonly kind: "schedule"; readonly instantMs: number }
  /** A statement of another program, or of itself. */
  | { readonly kind: "call"; readonly programId: number; readonly runId: string; readonly control: string }
  | { readonly kind: "order"; readonly verb: ProgramVerb }
  | { readonly kind: "startup" };

/** A comparison has held for its time since then; `isOver`: it had, and this value ends that. */
type HeldTrigger = {
  readonly kind: "held";
  readonly node: string;
  readonly property: string;
  readonly value: number | null;
  readonly sinceMs: number;
  readonly lastingMs: number;
  readonly isOver: boolean;
};

/** A condition that is true only in the evaluation that it starts. */
export type Happening =
  | { readonly kind: "control"; readonly node: string; readonly command: string }
  | { readonly kind: "schedule"; readonly instantMs: number };

/** Names of the settings that limit programs. */
export type ProgramLimit = "programStepsMax" | "programCallsMax" | "programChainStartsMax";

export type WaitingStart = {
  /** Grows in the order in which starts came, over all programs. */
  readonly number: number;
  readonly mode: StartMode;
  readonly trigger: Trigger;
  readonly cause: Cause;
  readonly happening: Happening | null;
  /** The effort of the chain that led to it; its own when it came from outside. */
  readonly effort: Effort;
};

export type RunProgress = {
  /** Unique over restarts; the id in the cause of everything that the run does. Random draws follow from it. */
  readonly runId: string;
  readonly clause: Clause;
  /** Index in the clause of the statement that comes next. */
  readonly position: number;
  /** When the wait, or the turn of a "repeat every", is over; null when the run goes on at once. */
  readonly waitUntilMs: number | null;
  /** The place among the starts that wait (`WaitingStart.number`) of a run that goes on in its turn; null for any other. */
  readonly turn: number | null;
  /** The repeat whose statements are running, or null outside of one. */
  readonly repeat: RepeatProgress | null;
  /** Address of the node whose report or command led to it; absent without one. */
  readonly about?: string;
  readonly startedAtMs: number;
  /** Statements sent and random numbers drawn so far; both only count up. */
  readonly statements: number;
  readonly draws: number;
  readonly effort: Effort;
  /** The entry, request or schedule at the beginning of the chain that led here. */
  readonly cause: Cause;
};

export type RepeatProgress = {
  /** Index of the repeat statement in the clause. */
  readonly at: number;
  /** Turns begun, the running one included. */
  readonly turns: number;
  /** Turns in all, drawn once for a random number; null for every and while. */
  readonly turnsMax: number | null;
  /** When the running turn was due, and when the next one is ("repeat every" only, else null). */
  readonly turnAtMs: number;
  readonly nextTurnAtMs: number | null;
};

/**
 * Work since the last event from outside or the last wait of the program, counted against the engine's limits. All
 * starts that descend from the same root, in depth and in breadth, belong to one chain and are counted together.
 */
export type Effort = {
  readonly chain: number;
  /** Starts of the chain, up to and with this one. */
  readonly starts: number;
  /** Ids of the latest programs of the chain, newest last. */
  readonly through: readonly number[];
  /** Nested calls. */
  readonly calls: number;
  /** Statements and turns of this run. */
  readonly steps: number;
};

/** An action whose effect lies outside the home's own state. */
export type SentAction = SentCommand | SentText | Extract<Action, { readonly kind: "roles" }>;

/** `about`: the node that caused the run; its name and values may be in the text. */
type SentText = Extract<Action, { readonly kind: "resource" | "notify" | "message" }> & { readonly about?: string };

/** Variables in its parameters have become numbers. */
type SentCommand = Omit<Extract<Action, { readonly kind: "command" }>, "parameters"> & {
  readonly parameters: readonly (SyntaxValue & { readonly id: string })[];
};

export type InFlightStatement = {
  /** Unique over restarts: the run's id and a number. */
  readonly statementId: string;
  readonly runId: string;
  readonly clause: Clause;
  readonly position: number;
  readonly action: SentAction;
  /** True when doing it twice is the same as doing it once. After a crash it is sent again; others become uncertain. */
  readonly isIdempotent: boolean;
};

/** The part of the home that holds them. */
type ProgressTable = { readonly programProgress: Map<number, ProgramProgress> };

/** null: there is nothing to remember any more. */
export function putProgramProgress(home: ProgressTable, id: number, progress: ProgramProgress | null): void {
  if (progress) home.programProgress.set(id, progress);
  else home.programProgress.delete(id);
}
