/** A value that a device reported. */

import type { Origin } from "../home/origin.ts";

export type ReportCause = "report" | "ack" | "query" | "restore";

export type PropertyReport = {
  readonly address: string;
  readonly id: string;
  /** Raw integer, displayed = value / 10^prec; null = no value (yet). */
  readonly value: number | null;
  readonly uom: number;
  readonly prec: number;
  /** A text for values that no editor can format. */
  readonly text?: string;
  readonly cause: ReportCause;
  /** The command that led to it, when the driver knows. */
  readonly commandId?: string;
  /** Who did it in the system that supplies the device. No right comes of it. */
  readonly origin?: Origin;
};
