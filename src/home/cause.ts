/** Why something changed: every journal entry names its cause, so "who turned this on?" has an answer. */

export type CauseKind = "request" | "report" | "program" | "schedule" | "system";

export type Cause = {
  readonly kind: CauseKind;
  /** Id of the request, program run, command or start that led to the change. */
  readonly id: string;
  /** The account or driver behind it, or null. */
  readonly by: string | null;
};

export const SYSTEM_CAUSE: Cause = { kind: "system", id: "system", by: null };
