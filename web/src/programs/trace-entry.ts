/** Runs and non-runs as the controller sends them. @see docs/interface/trace.md */

import type { Message } from "@domovoi/client";
import { messageText } from "../text/messages.ts";

/** As the controller sends it, in a trace and for this moment. */
export type FoundCondition = {
  readonly path: readonly number[];
  readonly isTrue: boolean;
  readonly found: { readonly value: number; readonly prec: number } | null;
  readonly foundText: string | null;
  readonly condition: { readonly node?: unknown; readonly id?: unknown };
};

export type TraceEntry = {
  readonly id: number;
  readonly programId: string;
  readonly name: string;
  readonly time: string;
  readonly result: "then" | "else" | "not-run" | "evaluated" | "cut" | "resumed";
  readonly sentence: string;
  readonly message: Message;
  readonly cause?: { readonly kind: string; readonly by: string | null };
  readonly conditions: readonly FoundCondition[];
  readonly statements: readonly {
    readonly clause: "then" | "else";
    readonly position: number;
    readonly detail: string;
    readonly outcome?: { readonly outcome: string; readonly detail: string; readonly message: Message };
  }[];
  readonly ended?: { readonly how: string; readonly time: string };
};

export type TracePage = { readonly entries: readonly TraceEntry[]; readonly last: number };

export function entryText({ message, sentence }: Pick<TraceEntry, "message" | "sentence">): string {
  return messageText(message, sentence);
}
