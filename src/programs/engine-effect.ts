/**
 * Everything that a step can ask for, in the order in which it is to be done. Writes to the home are done at once and
 * together; what is sent goes out after them.
 */

import type { Cause } from "../home/cause.ts";
import type { SceneLink } from "../home/groups.ts";
import type { InFlightStatement, ProgramLimit, ProgramProgress } from "../home/program-progress.ts";
import type { Program, ProgramRun } from "../home/programs.ts";
import type { VariableType } from "../home/variables.ts";
import type { TraceRecord } from "./trace-record.ts";

export type Effect =
  /** Always within −2,147,483,648 … 2,147,483,647. */
  | {
      readonly kind: "write-variable";
      readonly type: VariableType;
      readonly id: number;
      readonly field: "value" | "init";
      readonly value: number;
      readonly cause: Cause;
    }
  /** The present state of a program, for the event stream and the documents. */
  | { readonly kind: "program-run"; readonly id: number; readonly run: Partial<ProgramRun>; readonly cause: Cause }
  | {
      readonly kind: "program-set";
      readonly id: number;
      readonly patch: Partial<Pick<Program, "enabled" | "runAtStartup" | "invalid">>;
      readonly cause: Cause;
    }
  /** A link of a scene is set in the block of one of its controllers. */
  | {
      readonly kind: "adjust-link";
      readonly group: string;
      readonly controller: string;
      readonly link: SceneLink;
      readonly cause: Cause;
    }
  /**
   * Progress to store; null removes the record. `isUrgent`: more than an outcome has changed, so it should be on disk
   * soon.
   */
  | {
      readonly kind: "progress";
      readonly id: number;
      readonly progress: ProgramProgress | null;
      readonly isUrgent: boolean;
      readonly cause: Cause;
    }
  /**
   * A statement to send; its outcome arrives as an input. A statement that is not idempotent is sent only when the
   * progress that names it is on disk. Later statements of the program wait until then.
   */
  | {
      readonly kind: "send";
      readonly programId: number;
      readonly statement: InFlightStatement;
      readonly cause: Cause;
    }
  /** The program is to be given to a step with the clock at this instant; null: no more. */
  | { readonly kind: "due"; readonly id: number; readonly atMs: number | null }
  /** A limit was reached; these programs are stopped and disabled. Once for all programs of a loop. */
  | {
      readonly kind: "cut";
      readonly ids: readonly number[];
      readonly limit: ProgramLimit;
      readonly loop: readonly number[];
      readonly detail: string;
      readonly cause: Cause;
    }
  /** A start of this program was left out, because too many wait already. */
  | { readonly kind: "overloaded"; readonly id: number }
  | { readonly kind: "trace"; readonly record: TraceRecord };
