/** Reads the trace of a program. */

import type { FoundCondition, TracedStatement, TraceEntry } from "../model/history.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

export function readTrace(data: unknown): readonly TraceEntry[] {
  return objectsOf(isObject(data) ? data.entries : null).map((entry) => ({
    id: numberOf(entry.id),
    time: textOf(entry.time),
    sentence: textOf(entry.sentence),
    result: textOf(entry.result),
    conditions: objectsOf(entry.conditions).map(readCondition),
    statements: objectsOf(entry.statements).map(readStatement),
    endedAt: isObject(entry.ended) ? textOrNull(entry.ended.time) : null,
  }));
}

function readCondition({ text, isTrue, foundText }: Json): FoundCondition {
  return { text: textOf(text), isTrue: booleanOf(isTrue, false), found: textOrNull(foundText) };
}

function readStatement({ time, text, detail, outcome }: Json): TracedStatement {
  const came = isObject(outcome) ? outcome : {};
  return {
    time: textOf(time),
    text: textOf(text),
    detail: textOf(detail),
    outcome: textOrNull(came.outcome),
    reason: textOf(came.detail),
  };
}
