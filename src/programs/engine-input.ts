/**
 * Everything that a step can be given. Facts of the home come with the cause of their journal entry; the home shows them
 * already when the step is made.
 */

import type { Cause } from "../home/cause.ts";
import type { ProgramVerb } from "../home/programs.ts";
import type { Property } from "../home/property.ts";
import type { VariableType } from "../home/variables.ts";
import type { UnionOf } from "../util/union.ts";
import type { StatementOutcome } from "./trace-record.ts";

type Inputs = {
  /** The engine starts. First of all inputs, with the state as it was left. */
  start: {
    isCold: boolean;
    /** When the newest report that the process found on disk came; 0 without one. */
    newestReportMs: number;
    cause: Cause;
  };
  status: {
    node: string;
    property: Property;
    /** The run whose command the report answers, or null where that is not known. */
    runId: string | null;
    /** Devices that the statement of that run commanded together; absent: this one alone. */
    among?: number;
    cause: Cause;
  };
  control: { node: string; command: string; cause: Cause };
  /** A variable has another value than before. */
  variable: { type: VariableType; id: number; value: number; cause: Cause };
  /**
   * A program or folder was added, edited or removed. `isNewTree`: the edit changed more than its name, parent or
   * flags.
   */
  definition: { id: number; isNewTree: boolean; wasEnabled: boolean; cause: Cause };
  /** Nodes, groups, variables or network resources came or went: these programs name one of them. */
  references: { ids: readonly number[]; cause: Cause };
  /** Comparisons with "for" of these programs are about other nodes than before. */
  holds: { ids: readonly number[]; cause: Cause };
  /** The home has another place or time zone. */
  place: { cause: Cause };
  /** These programs are due by the agenda: a wait is over, a schedule has come. */
  clock: { due: readonly number[] };
  /** Works on disabled programs too. On a folder: the enabled programs in it, for enable and disable all of them. */
  order: { id: number; verb: ProgramVerb; cause: Cause };
  /** Things that happened one after the other, taken in together. */
  several: { inputs: readonly EngineInput[] };
  /** The disk is about to take what was done until now: the records of the programs are to show the starts that wait. */
  keep: object;
  /** Nothing new: the starts that wait have their turn. */
  more: object;
  /** The outcome of a sent statement. */
  outcome: {
    programId: number;
    statementId: string;
    outcome: StatementOutcome;
    commandId: string | null;
    detail: string;
  };
};

export type EngineInput = UnionOf<"kind", Inputs>;

export type InputOf<K extends EngineInput["kind"]> = Extract<EngineInput, { readonly kind: K }>;
