/** `domovoi why`, `domovoi trace`: why something is so, and what a program did. */

import type { FoundCondition, Home, TracedStatement, TraceEntry, Why } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { painted } from "../show/table.ts";
import { readableTime, timeOfDay } from "../show/time.ts";
import { readTime } from "../time-input.ts";
import { findExplained, programNamed } from "./find.ts";
import { printJson } from "./list.ts";

type WhyOptions = ConnectionOptions & {
  readonly at?: string;
  readonly property?: string;
};

export async function showWhy(home: Home, key: string, { at, property, json = false }: WhyOptions): Promise<void> {
  const why = await home.why(findExplained(home, key), {
    ...(at === undefined ? {} : { at: new Date(await timeOf(home, at, "--at")) }),
    ...(property === undefined ? {} : { property: propertyOf(home, key, property) }),
  });
  if (json) printJson(why);
  else process.stdout.write(whyLines(why).join(""));
}

function whyLines(why: Why): readonly string[] {
  const conditions = why.kind === "program" ? why.conditions : [];
  return [...why.sentences.map((sentence) => `${plain(sentence)}\n`), ...conditionLines(conditions, "  ")];
}

function conditionLines(conditions: readonly FoundCondition[], indent: string): readonly string[] {
  return conditions.map(({ text, isTrue, found }) => {
    const was = found === null ? "" : ` (it was ${found})`;
    return `${indent}${isTrue ? "true " : "false"}  ${plain(`${text}${was}`)}\n`;
  });
}

/** By id or by the name that people see. */
export function propertyOf(home: Home, key: string, written: string): string {
  const properties = [...(home.nodes.find(key)?.properties.values() ?? [])];
  const wanted = written.toLowerCase();
  const found = properties.find(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted);
  return found?.id ?? written;
}

export async function timeOf(home: Pick<Home, "edits">, written: string, option: string): Promise<number> {
  const { timeZone } = await home.edits.place();
  return readTime(written, option, timeZone, Date.now());
}

type TraceOptions = ConnectionOptions & {
  readonly limit?: string;
  readonly until?: string;
};

const RUNS_SHOWN = 10;

export async function showTrace(
  home: Home,
  key: string,
  { limit: limitText, until, json = false }: TraceOptions,
): Promise<void> {
  const limit = Number(limitText ?? RUNS_SHOWN);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 200) throw usageFailure("--limit is 1 to 200.");
  const { id, name } = programNamed(home, key);
  const before = until === undefined ? {} : { until: new Date(await timeOf(home, until, "--until")) };
  const entries = await home.trace(id, { limit, ...before });
  if (json) printJson(entries);
  else if (entries.length === 0) process.stdout.write(`The trace holds no runs of "${plain(name)}".\n`);
  // The newest is next to the prompt.
  else {
    // The sentences have times of the home, so its zone is used for all times.
    const { timeZone } = await home.edits.place();
    const lines = entries.toReversed().flatMap((entry) => entryLines(entry, timeZone));
    process.stdout.write(lines.join(""));
  }
}

function entryLines(entry: TraceEntry, timeZone: string): readonly string[] {
  const { time, sentence, conditions, statements } = entry;
  return [
    `${painted("bold", readableTime(time, timeZone))}  ${plain(sentence)}\n`,
    ...conditionLines(conditions, "    "),
    ...statements.map((statement) => statementLine(statement, timeZone)),
  ];
}

function statementLine({ time, text, detail, outcome, reason }: TracedStatement, timeZone: string): string {
  const notes = [detail, outcome === "done" ? "" : (outcome ?? ""), reason].filter((note) => note !== "");
  const note = notes.length === 0 ? "" : ` (${notes.join(": ")})`;
  return `    ${timeOfDay(time, timeZone)}  ${plain(`${text}${note}`)}\n`;
}
