/** Reads answers about the past: why, and the trace. */

import type {
  ChartPoint,
  FoundCondition,
  PastMoment,
  TracedStatement,
  TraceEntry,
  WhyNode,
  WhyProgram,
  WhyStep,
} from "../model/history.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

const STEP_KINDS = ["program", "account", "device", "controller"] as const;

export function readWhyNode(data: unknown): WhyNode {
  const why = isObject(data) ? data : {};
  const { address, property, value, since } = why;
  return {
    kind: "node",
    address: textOf(address),
    property: textOf(property),
    value: textOrNull(value),
    since: textOrNull(since),
    ...readExplained(why),
  };
}

export function readWhyProgram(data: unknown): WhyProgram {
  const why = isObject(data) ? data : {};
  const { id, answer, time, conditions } = why;
  return {
    kind: "program",
    id: textOf(id),
    answer: textOf(answer),
    time: textOrNull(time),
    conditions: objectsOf(conditions).map(readCondition),
    ...readExplained(why),
  };
}

function readExplained({ name, sentences, steps, missing }: Json) {
  return {
    name: textOf(name),
    sentences: Array.isArray(sentences) ? sentences.map((sentence) => textOf(sentence)) : [],
    steps: objectsOf(steps).map(readStep),
    missing: textOrNull(missing),
  };
}

function readStep({ kind, sentence, time, program, line, runId, commandId }: Json): WhyStep {
  return {
    kind: STEP_KINDS.find((known) => known === kind) ?? "controller",
    sentence: textOf(sentence),
    time: textOrNull(time),
    program: textOrNull(program),
    line: typeof line === "number" ? line : null,
    runId: textOrNull(runId),
    commandId: textOrNull(commandId),
  };
}

export function readPast(data: unknown): PastMoment {
  const moment = isObject(data) ? data : {};
  const unknown = isObject(moment.unknown) ? moment.unknown : {};
  return {
    at: textOf(moment.at),
    begins: textOrNull(moment.begins),
    before: textOrNull(moment.before),
    after: textOrNull(moment.after),
    unknown: { properties: numberOf(unknown.properties), others: numberOf(unknown.others) },
    parts: objectsOf(moment.parts).map(({ time, count }) => ({ time: textOf(time), count: numberOf(count) })),
  };
}

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

function readCondition({ text, isTrue, found }: Json): FoundCondition {
  return { text: textOf(text), isTrue: booleanOf(isTrue, false), found: textOrNull(found) };
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

/** Raw values become displayed ones. */
export function readChart(data: unknown): readonly ChartPoint[] {
  return objectsOf(isObject(data) ? data.points : null).map(({ time, count, min, max, mean, last, uom, prec }) => {
    const displayed = (raw: unknown) => numberOf(raw) / 10 ** numberOf(prec);
    return {
      time: textOf(time),
      count: numberOf(count),
      min: displayed(min),
      max: displayed(max),
      mean: displayed(mean),
      last: displayed(last),
      uom: numberOf(uom),
    };
  });
}
