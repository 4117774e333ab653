/** A command for a driver, and its one outcome. */

import type { ErrorCode } from "../errors.ts";

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

/** The error of a request that needs an answer. */
export function failureCode(reason: FailureReason): ErrorCode {
  if (reason === "timeout") return "DEVICE_TIMEOUT";
  if (reason === "not-ready") return "DRIVER_UNAVAILABLE";
  if (reason === "unsupported") return "NOT_SUPPORTED";
  return reason === "no-ack" || reason === "unreachable" ? "DEVICE_UNREACHABLE" : "DEVICE_FAILED";
}

/** The one end of a command; an expected failure is an outcome, never an exception. `detail` is a sentence for people. */
export type Outcome =
  /** The device's application confirmed it. */
  | { readonly kind: "acked" }
  /** It left; nothing confirms the effect. */
  | { readonly kind: "sent"; readonly detail?: string }
  /** The device sleeps; it goes out when it wakes. */
  | { readonly kind: "queued"; readonly detail: string }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly detail: string; readonly retryable: boolean };
