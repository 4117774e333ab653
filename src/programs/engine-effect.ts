/**
 * Everything that a step can ask for, in the order in which it is to be done. Writes to the home are done at once and
 * together; what is sent goes out after them.
 */

import type { Cause } from "../home/cause.ts";
import type { SceneLink } from "../home/groups.ts";
import type { ProgramHold } from "../home/program-holds.ts";
import type { InFlightStatement, ProgramLimit, ProgramProgress } from "../home/program-progress.ts";
import type { Program, ProgramRun } from "../home/programs.ts";
import type { VariableType } from "../home/variables.ts";
import type { UnionOf } from "../util/union.ts";
import type { TraceRecord } from "./trace-record.ts";

type Effects = {
  /** Always within −2,147,483,648 … 2,147,483,647. */
  "write-variable": { type: VariableType; id: number; field: "value" | "init"; value: number; cause: Cause };
  /** The present state of a program, for the event stream and the documents. */
  "program-run": { id: number; run: Partial<ProgramRun>; cause: Cause };
  "program-set": { id: number; patch: Partial<Pick<Program, "enabled" | "runAtStartup" | "invalid">>; cause: Cause };
  /** A link of a scene is set in the block of one of its controllers. */
  "adjust-link": { group: string; controller: string; link: SceneLink; cause: Cause };
  /**
   * Progress to store; null removes the record. `isUrgent`: more than an outcome has changed, so it should be on disk
   * soon.
   */
  progress: { id: number; progress: ProgramProgress | null; isUrgent: boolean; cause: Cause };
  /** Since when a comparison with "for" holds; null: no longer. */
  hold: { id: number; key: string; hold: ProgramHold | null; cause: Cause };
  /**
   * A statement to send; its outcome arrives as an input. A statement that is not idempotent is sent only when the
   * progress that names it is on disk. Later statements of the program wait until then.
   */
  send: { programId: number; statement: InFlightStatement; cause: Cause };
  /** The program is to be given to a step with the clock at this instant; null: no more. */
  due: { id: number; atMs: number | null };
  /** A limit was reached; these programs are stopped and disabled. Once for all programs of a loop. */
  cut: { ids: readonly number[]; limit: ProgramLimit; loop: readonly number[]; detail: string; cause: Cause };
  /** A start of this program was left out, because too many wait already. */
  overloaded: { id: number };
  trace: { record: TraceRecord };
};

export type EngineEffect = UnionOf<"kind", Effects>;
