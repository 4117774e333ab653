/** Results as tables for people and as JSON for machines. */

import type { Goal, Measure, Result, Row, Unit } from "./measure.ts";
import type { Spread } from "./statistics.ts";

export type Outcome = {
  readonly measure: Measure;
  readonly result: Result | null;
  readonly failure: string | null;
  /** Duration of the measure. */
  readonly seconds: number;
};

const DASH = "–";

export function printOutcomes(outcomes: readonly Outcome[], print: (line: string) => void): void {
  const rows = outcomes.flatMap(({ measure, result }) => (result?.rows ?? []).map((row) => ({ id: measure.id, row })));
  print("");
  printTable(
    ["", "Measure", "Figure", "Goal", "Peer or limit", "", "Ratio", "Met"],
    rows.map(({ id, row }) => [
      id,
      row.what,
      figure(row.figure, row.unit),
      goalText(row),
      ...peerTexts(row),
      metText(row),
    ]),
    print,
  );
  print("\nSpread, in ms");
  printTable(
    ["", "Measure", "n", "p50", "p99", "p99.9", "max"],
    rows.flatMap(({ id, row }) => (row.spread ? [[id, row.what, ...spreadTexts(row.spread)]] : [])),
    print,
  );
  print("\nThe load generator meanwhile, in ms");
  printTable(
    [
      "",
      "Measure",
      "loop delay p99",
      "max",
      "collections",
      "together",
      "longest",
      "its cores",
      "server's cores",
      "machine's cores",
    ],
    rows.flatMap(({ id, row }) => (row.health ? [[id, row.what, ...healthTexts(row)]] : [])),
    print,
  );
  for (const outcome of outcomes) printNotes(outcome, print);
}

export function outcomesAsJson(outcomes: readonly Outcome[], about: object): string {
  const measures = outcomes.map(({ measure: { id, title }, result, failure, seconds }) => ({
    id,
    title,
    seconds,
    failure,
    notes: result?.notes ?? [],
    rows: (result?.rows ?? []).map((row) => ({ ...row, ratio: ratioOf(row), met: isMet(row) })),
  }));
  return `${JSON.stringify({ ...about, measures }, null, 2)}\n`;
}

function printNotes({ measure, result, failure, seconds }: Outcome, print: (line: string) => void): void {
  print(`\n${measure.id} ${measure.title} (${Math.round(seconds)} s)`);
  for (const note of result?.notes ?? []) print(`   ${note}`);
  if (failure !== null) print(`   Could not be measured: ${failure}`);
}

/** Figure by peer; null without one. */
function ratioOf({ figure: own, peer }: Row): number | null {
  return peer && Number.isFinite(peer.figure) && peer.figure > 0 ? own / peer.figure : null;
}

/** null: there is no goal, or nothing to compare it with. */
function isMet(row: Row): boolean | null {
  if (!row.goal) return null;
  const value = row.goal.of === "ratio" ? ratioOf(row) : row.figure;
  if (value === null || Number.isNaN(value)) return null;
  return row.goal.bound === "at most" ? value <= row.goal.value : value >= row.goal.value;
}

function goalText({ goal, unit }: Row): string {
  if (!goal) return DASH;
  const sign = goal.bound === "at most" ? "≤" : "≥";
  return goal.of === "ratio" ? `${sign} ${percent(goal)} of the peer` : `${sign} ${figure(goal.value, unit)}`;
}

function percent({ value }: Goal): string {
  return `${Math.round(value * 100)} %`;
}

function peerTexts(row: Row): readonly string[] {
  const ratio = ratioOf(row);
  const { peer } = row;
  if (!peer) return [DASH, "", DASH];
  return [peer.name, figure(peer.figure, row.unit), ratio === null ? DASH : ratio.toFixed(2)];
}

function metText(row: Row): string {
  const met = isMet(row);
  if (met === null) return DASH;
  return met ? "yes" : "NO";
}

function figure(value: number, unit: Unit): string {
  return Number.isNaN(value) ? DASH : `${rounded(value)} ${unit}`.trim();
}

/** Three digits that matter; thousands in groups. */
function rounded(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2).replace(/\.00$/, "");
}

function spreadTexts({ n, p50, p99, p999, max }: Spread): readonly string[] {
  return [n.toLocaleString("en"), ...[p50, p99, p999, max].map(rounded)];
}

function healthTexts({ health, serverCores = Number.NaN }: Row): readonly string[] {
  if (!health) return [];
  const { loopDelayP99Ms, loopDelayMaxMs, collections, collectingMs, longestCollectionMs, cores, machineCores } =
    health;
  const texts = [loopDelayP99Ms, loopDelayMaxMs, collections, collectingMs, longestCollectionMs].map(rounded);
  return [
    ...texts,
    ...[cores, serverCores, machineCores].map((share) => (Number.isNaN(share) ? DASH : share.toFixed(2))),
  ];
}

function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  print: (line: string) => void,
): void {
  const widths = head.map((text, column) => Math.max(text.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  print(line(head));
  print(widths.map((width) => "─".repeat(width)).join("  "));
  for (const row of rows) print(line(row));
}
