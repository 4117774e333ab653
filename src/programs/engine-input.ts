/**
 * Everything that a step can be given. Facts of the home come with the cause of their journal entry; the home shows them
 * already when the step is made.
 */

import type { Cause } from "../home/cause.ts";
import type { ProgramVerb } from "../home/programs.ts";
import type { Property } from "../home/property.ts";
import type { VariableType } from "../home/variables.ts";
import type { StatementOutcome } from "./trace-record.ts";

export type EngineInput =
  /** The engine starts. First of all inputs, with the state as it was left. */
  | { readonly kind: "start"; readonly isCold: boolean; readonly cause: Cause }
  | {
      readonly kind: "status";
      readonly node: string;
      readonly property: Property;
      /** The run whose command the report answers, or null where that is not known. */
      readonly runId: string | null;
      readonly cause: Cause;
    }
  | { readonly kind: "control"; readonly node: string; readonly command: string; readonly cause: Cause }
  /** A variable has another value than before. */
  | {
      readonly kind: "variable";
      readonly type: VariableType;
      readonly id: number;
      readonly value: number;
      readonly cause: Cause;
    }
  /**
   * A program or folder was added, edited or removed. `isNewTree`: the edit changed more than its name, parent or
   * flags.
   */
  | {
      readonly kind: "definition";
      readonly id: number;
      readonly isNewTree: boolean;
      readonly wasEnabled: boolean;
      readonly cause: Cause;
    }
  /** Nodes, groups, variables or network resources came or went: these programs name one of them. */
  | { readonly kind: "references"; readonly ids: readonly number[]; readonly cause: Cause }
  /** The home has another place or time zone. */
  | { readonly kind: "place"; readonly cause: Cause }
  /** These programs are due by the agenda: a wait is over, a schedule has come. */
  | { readonly kind: "clock"; readonly due: readonly number[] }
  /** Works on disabled programs too. On a folder: the enabled programs in it, for enable and disable all of them. */
  | { readonly kind: "order"; readonly id: number; readonly verb: ProgramVerb; readonly cause: Cause }
  /** Things that happened one after the other, taken in together. */
  | { readonly kind: "several"; readonly inputs: readonly EngineInput[] }
  /** The disk is about to take what was done until now: the records of the programs are to show the starts that wait. */
  | { readonly kind: "keep" }
  /** Nothing new: the starts that wait have their turn. */
  | { readonly kind: "more" }
  /** The outcome of a sent statement. */
  | {
      readonly kind: "outcome";
      readonly programId: number;
      readonly statementId: string;
      readonly outcome: StatementOutcome;
      readonly commandId: string | null;
      readonly detail: string;
    };

export type InputOf<K extends EngineInput["kind"]> = Extract<EngineInput, { readonly kind: K }>;
