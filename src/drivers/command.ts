/** A command for a driver, and its one outcome. */

import { ControllerError, type ErrorCode } from "../errors.ts";

/** A number with its unit: displayed = value / 10^prec. */
export type Quantity = { readonly value: number; readonly uom: number; readonly prec: number };

export type CommandParameterValue = Quantity & { readonly id: string };

export type DriverCommand = {
  readonly id: string;
  readonly address: string;
  readonly command: string;
  /**
   * In the order of the nodedef, without optional ones that were not given; units and values already are those of the
   * parameter's editor.
   */
  readonly parameters: readonly CommandParameterValue[];
  /** Aborted at the command's deadline and when the driver is stopped. */
  readonly signal: AbortSignal;
};

export type FailureReason =
  | "no-ack"
  | "rejected"
  | "unreachable"
  | "timeout"
  | "unsupported"
  | "bad-parameter"
  | "not-ready"
  | "internal";

/** The one end of a command; an expected failure is an outcome, never an exception. `detail` is a sentence for people. */
export type Outcome =
  /** The device's application confirmed it. */
  | { readonly kind: "acked" }
  /** It left; nothing confirms the effect. */
  | { readonly kind: "sent"; readonly detail?: string }
  /** The device sleeps; it goes out when it wakes. */
  | { readonly kind: "queued"; readonly detail: string }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly detail: string; readonly retryable: boolean };

type Failure = Extract<Outcome, { readonly kind: "failed" }>;

/** @param retryable whether the same command may succeed later */
export function failed(reason: FailureReason, detail: string, retryable = false): Failure {
  return { kind: "failed", reason, detail, retryable };
}

/** @throws ControllerError when the outcome is a failure. */
export function requireAccepted(outcome: Outcome): void {
  if (outcome.kind === "failed") throw failureOf(outcome);
}

export function failureOf({ reason, detail }: Pick<Failure, "reason" | "detail">): ControllerError {
  const sentence = detail.trim();
  return new ControllerError(CODE_OF_REASON[reason], sentence ? { sentence } : {});
}

const CODE_OF_REASON: Readonly<Record<FailureReason, ErrorCode>> = {
  "no-ack": "DEVICE_UNREACHABLE",
  unreachable: "DEVICE_UNREACHABLE",
  timeout: "DEVICE_TIMEOUT",
  rejected: "DEVICE_FAILED",
  internal: "DEVICE_FAILED",
  unsupported: "NOT_SUPPORTED",
  "bad-parameter": "BAD_PARAMETER",
  "not-ready": "DRIVER_UNAVAILABLE",
};
