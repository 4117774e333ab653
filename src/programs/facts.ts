/** The view of the home for a step of the engine; read-only. `home-facts.ts` makes one over a home and its profile. */

import type { SentAction } from "../home/program-progress.ts";
import type { Selector } from "../home/program-syntax.ts";
import type { ProgramEntry } from "../home/programs.ts";
import type { Property } from "../home/property.ts";
import type { Variable, VariableType } from "../home/variables.ts";
import type { Member } from "./role-members.ts";
import type { Calendar } from "./schedule/calendar.ts";
import type { TriggerIndex } from "./trigger-index.ts";

export type EngineLimits = {
  /** Statements of one run without a wait between them. */
  readonly programStepsMax: number;
  /** Nodes that a statement by room and role may command. */
  readonly roleMembersMax: number;
  /** Programs that call one another in one instant. */
  readonly programCallsMax: number;
  /** Starts of one chain that are part of a loop; ten times as many that are not. */
  readonly programChainStartsMax: number;
  /** Starts that wait for their turn, of all programs together. */
  readonly programStartsWaitingMax: number;
  /** Once this many starts wait behind others, programs no longer start a program that is waiting already. */
  readonly programCausedStartsWaitingMax: number;
  /** Missed schedules run when they are not older than the grace period, or (with catch-up) than local midnight. */
  readonly scheduleCatchUp: boolean;
  readonly scheduleGraceS: number;
};

/** Finds the programs that an event concerns. */
export type Triggers = Pick<
  TriggerIndex,
  "onStatus" | "onHeld" | "timedOf" | "onControl" | "onVariable" | "onProgram" | "onRun" | "naming" | "schedulesOf"
>;

export type Facts = {
  /** Where conditions watch it: the value as of the inputs that were worked off. */
  property(node: string, id: string): Property | null;
  variable(type: VariableType, id: number): Variable | null;
  program(id: number): ProgramEntry | null;
  /** The nodes that a selector means now, in the order of their addresses. */
  members(selector: Selector): readonly Member[];
  programs(): Iterable<ProgramEntry>;
  /** The reason why a program cannot be loaded, as a sentence; null when everything it names exists. */
  danglingReference(entry: ProgramEntry): string | null;
  /** Whether doing it twice is the same as doing it once. */
  isIdempotent(action: SentAction): boolean;
  /** Address of the root group: everything. */
  readonly rootAddress: string;
  /** Local times of the home's zone and place. */
  readonly calendar: Calendar;
  readonly triggers: Triggers;
  readonly limits: EngineLimits;
  /** Whether anybody listens to trace records. */
  readonly isTraced: boolean;
};
