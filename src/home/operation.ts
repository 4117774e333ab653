/**
 * An operation of an integration, such as pairing a device: its kind, its progress, and its question to a person.
 * Every step is published; the home stores nothing of it. Data that only the driver understands have names of their
 * own.
 */

/**
 * `waiting`: for a person at a device; `found`: a device is there; `asking`: a person has to decide; `securing`: keys are
 * exchanged; `interviewing`: the device is queried for its capabilities; `working`: everything else.
 */
export type OperationStage =
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

type OperationValue = string | number | boolean;

export type OperationQuestion = {
  /** A word of the driver's own; the answer repeats it. */
  readonly kind: string;
  /** Information for the person's decision. */
  readonly data: Readonly<Record<string, OperationValue | readonly string[]>>;
  /** JSON Schema of the members of the answer. */
  readonly answer: Readonly<Record<string, unknown>>;
};

export type Operation = {
  readonly id: string;
  /** A word of the driver's own. */
  readonly kind: string;
  readonly stage: OperationStage;
  readonly question: OperationQuestion | null;
  /** First node of the device that it is about, once that is known. */
  readonly address: string | null;
  /** 0 … 100 where the length of the way is known. */
  readonly percent: number | null;
  /** Facts about the outcome, under names of the driver's own. */
  readonly result: Readonly<Record<string, OperationValue>>;
  /** A sentence for people: what happens, what to do, why it failed. */
  readonly detail: string;
  readonly startedAtMs: number;
  readonly movedAtMs: number;
};

/** Nothing follows any more. */
export function isOver({ stage }: Pick<Operation, "stage">): boolean {
  return stage === "done" || stage === "failed" || stage === "cancelled";
}
