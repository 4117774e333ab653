/** What stands beside the lines of a program: what a run found and did there. */

import { eventValueText } from "../parts/node-state.ts";
import { messageText } from "../text/messages.ts";
import { shownNode } from "../text/shown-nodes.ts";
import { type TextKey, t } from "../text/text.ts";
import { conditionPath, type ProgramLine } from "./program-lines.ts";
import type { FoundCondition, TraceEntry } from "./trace-entry.ts";

export type Mark = {
  readonly sign: string;
  readonly kind: "yes" | "no" | "failed" | "not-reached" | "under-way" | "";
  readonly found: string;
  readonly label: TextKey | null;
  /** When the wait is over; null or left out: it waits for nothing. */
  readonly untilMs?: number | null;
};

export const NOTHING: Mark = { sign: "", kind: "", found: "", label: null };

/** The value that was compared, in the words and units of the page; empty: none was. */
export function foundText(
  { found, foundText: said, condition }: FoundCondition,
  text: "trace.found" | "trace.now",
): string {
  if (said === null) return "";
  const { node, id } = condition;
  const shown = typeof node === "string" ? shownNode(node) : null;
  const property = typeof id === "string" ? shown?.properties.get(id) : undefined;
  if (!shown || !property || !found) return t(text, { value: said });
  const { value, prec } = found;
  return t(text, {
    value: eventValueText(shown, {
      property: { id: property.id, value, uom: Number(property.uom), prec },
      value: said,
    }),
  });
}

/** What a run found or did at a path of the tree. */
export function markOf({ clause, path }: Pick<ProgramLine, "clause" | "path">, run: TraceEntry): Mark {
  if (path === null) return NOTHING;
  if (clause === "if") {
    const condition = run.conditions.find((some) => conditionPath(some.path) === path);
    if (!condition) return NOTHING;
    const found = foundText(condition, "trace.found");
    return condition.isTrue
      ? { sign: "✓", kind: "yes", found, label: "trace.true" }
      : { sign: "✗", kind: "no", found, label: "trace.false" };
  }
  const statement = run.statements.findLast((some) => `${some.clause}[${some.position}]` === path);
  if (!statement) return { ...NOTHING, kind: "not-reached" };
  if (statement.outcome?.outcome === "failed")
    return {
      sign: "✗",
      kind: "failed",
      found: messageText(statement.outcome.message, statement.outcome.detail),
      label: "trace.failed",
    };
  return { sign: "✓", kind: "yes", found: "", label: "trace.done" };
}
