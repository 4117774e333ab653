/**
 * The findings of verification: the codes with their severity, and the form of a finding. A new code needs a row here
 * and a section in docs/verification.md (a test compares them).
 *
 * error: the program does not do what it says, or it harms the home. warning: it probably does not do what was meant.
 * hint: worth a look, and often intended.
 *
 * @see docs/verification.md
 */

import type { Message } from "../../messages.ts";

const CATALOGUE = {
  NODE_UNKNOWN: "error",
  NODE_DISABLED: "hint",
  PROPERTY_UNKNOWN: "error",
  COMMAND_NOT_ACCEPTED: "error",
  COMMAND_NOT_SENT: "warning",
  NOT_IN_SCENE: "error",
  VARIABLE_UNKNOWN: "error",
  PROGRAM_UNKNOWN: "error",
  FOLDER_NOT_RUN: "error",
  RESOURCE_UNKNOWN: "error",
  CHANNEL_UNKNOWN: "error",
  TEXT_VALUE_UNKNOWN: "warning",
  FOREIGN_STATEMENT: "error",
  PARAMETER_UNKNOWN: "error",
  PARAMETER_MISSING: "error",
  PARAMETER_REFUSED: "error",
  VALUE_OUT_OF_REACH: "warning",
  UNIT_MISMATCH: "warning",
  STATE_TURNED: "warning",
  VARIABLE_OVERFLOW: "error",
  PRECISION_LOST: "warning",
  ARITHMETIC_IMPOSSIBLE: "error",
  CONDITION_NEVER: "error",
  CONDITION_ALWAYS: "hint",
  SCHEDULE_NO_SUCH_DATE: "error",
  SCHEDULE_EMPTY: "error",
  SCHEDULE_PAST: "warning",
  SCHEDULE_SUN_MISSING: "hint",
  SCHEDULE_INTO_NEXT_DAY: "hint",
  THEN_NEVER_RUNS: "warning",
  ELSE_NEVER_RUNS: "warning",
  ELSE_ONLY_BY_COMMAND: "hint",
  NEVER_STARTS: "hint",
  INTEGER_VARIABLES_ONLY: "hint",
  STATEMENT_UNREACHABLE: "warning",
  REPEAT_EMPTY: "hint",
  REPEAT_SPINS: "error",
  LOOP: "error",
  LOOP_WITH_WAIT: "hint",
  WAIT_INTERRUPTED: "warning",
  WAIT_STARTS_AGAIN: "hint",
  WAIT_CUT_BY_WINDOW: "hint",
  CONFLICT: "warning",
  ROLE_EMPTY: "warning",
  ROLE_STATE_UNKNOWN: "error",
  ROLE_SECURED: "warning",
  ROLE_TOO_MANY: "error",
  USE_NOT_SET: "hint",
  SCENE_SAME_SET: "hint",
} as const satisfies Record<string, Severity>;

type Severity = "error" | "warning" | "hint";
export type FindingCode = keyof typeof CATALOGUE;

export const FINDING_CODES = Object.keys(CATALOGUE) as readonly FindingCode[];

/** One step of the chain that proves a finding, in the order in which it happens or is to be read. */
export type FindingStep = {
  readonly kind: "event" | "condition" | "evaluation" | "statement" | "value" | "definition";
  /** Id of the program or folder that the step belongs to, or null. */
  readonly program: number | null;
  /** Place in that program's tree, or null. */
  readonly path: string | null;
  readonly text: Message;
};

export type Finding = {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Id of the program or folder. */
  readonly program: number;
  /** Place in its tree: `if`, `if[1].conditions[0]`, `then[3]`; empty for the program as a whole. */
  readonly path: string;
  /** For the owner. */
  readonly sentence: Message;
  readonly chain: readonly FindingStep[];
};

export function finding(
  code: FindingCode,
  place: { readonly program: number; readonly path: string },
  sentence: Message,
  chain: readonly FindingStep[],
): Finding {
  return { code, severity: CATALOGUE[code], program: place.program, path: place.path, sentence, chain };
}
