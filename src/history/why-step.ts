/** One step of an answer to "why", from what happened back to where it began. */

import type { Message } from "../messages.ts";

export type WhyStep = {
  readonly kind: "program" | "account" | "device" | "controller";
  readonly sentence: Message;
  /** When it happened; null where that is not known. */
  readonly atMs: number | null;
  /** Number of the program that acted. */
  readonly program: number | null;
  /** Line of the program's text that acted; the first line is 1. */
  readonly line: number | null;
  readonly runId: string | null;
  readonly commandId: string | null;
};

export function whyStep(parts: Pick<WhyStep, "kind" | "sentence"> & Partial<WhyStep>): WhyStep {
  return { atMs: null, program: null, line: null, runId: null, commandId: null, ...parts };
}
