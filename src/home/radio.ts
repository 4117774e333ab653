/** An operation on a radio network, as it is told: which, how far, and what it asks. Nothing of it is kept by the home. */

export type SecurityName = "S2-access-control" | "S2-authenticated" | "S2-unauthenticated" | "S0";

export type RadioOperationKind =
  | "include"
  | "exclude"
  | "replace"
  | "remove-failed"
  | "interview"
  | "rebuild-routes"
  | "update-firmware"
  | "backup"
  | "restore"
  | "reset";

/**
 * `waiting`: for the button of a device; `found`: a device is there; `asking`: a person has to decide; `securing`: keys are
 * exchanged; `interviewing`: the device is asked what it can; `working`: everything else.
 */
export type RadioStage =
  | "starting"
  | "waiting"
  | "found"
  | "asking"
  | "securing"
  | "interviewing"
  | "working"
  | "done"
  | "failed"
  | "cancelled";

export type RadioQuestion =
  /** Which of the kinds of security that the device wants may it have? */
  | { readonly kind: "grant"; readonly requested: readonly SecurityName[] }
  /** The key that the device showed without its first five digits, which are printed on it. */
  | { readonly kind: "pin"; readonly dskRest: string };

export type RadioOperation = {
  readonly id: string;
  readonly kind: RadioOperationKind;
  readonly stage: RadioStage;
  readonly question: RadioQuestion | null;
  /** First node of the device that it is about, once that is known. */
  readonly address: string | null;
  /** 0 … 100 where the length of the way is known. */
  readonly percent: number | null;
  /** The security that an included device has; "none" is said plainly. */
  readonly security: SecurityName | "none" | null;
  /** A sentence for people: what happens, what to do, why it failed. */
  readonly detail: string;
  readonly startedAtMs: number;
  readonly movedAtMs: number;
};

/** Nothing follows any more. */
export function isOver({ stage }: Pick<RadioOperation, "stage">): boolean {
  return stage === "done" || stage === "failed" || stage === "cancelled";
}
