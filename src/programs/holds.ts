/** Comparisons with "for": which ones a program has about which nodes, and whether one holds. */

import type { Comparison, Condition, Selector, SyntaxValue } from "../home/program-syntax.ts";
import type { Property } from "../home/property.ts";
import type { NodeRole } from "../profile/roles-table.ts";
import { type StatusWord, wordOfValue } from "../profile/status-words.ts";
import { leafConditions } from "./references.ts";
import type { Member } from "./role-members.ts";
import { spanMs } from "./schedule/moments.ts";
import { statusHolds } from "./status-holds.ts";

type Asked =
  | { readonly comparison: Comparison; readonly value: SyntaxValue }
  | { readonly role: NodeRole; readonly is: StatusWord };

/** A comparison about one node that must hold for a time. */
export type TimedComparison = Asked & {
  readonly key: string;
  readonly node: string;
  readonly property: string;
  readonly lastingMs: number;
};

export type TimedLeaf = Extract<Condition, { readonly kind: "held" | "roles" }>;

/** The conditions with "for" among them, those in parentheses too. */
export function timedConditions(conditions: readonly Condition[]): readonly TimedLeaf[] {
  return leafConditions(conditions).filter(
    (condition): condition is TimedLeaf => condition.kind === "held" || isTimed(condition),
  );
}

export function isTimed(condition: Condition): boolean {
  return condition.kind === "roles" && "lasting" in condition.test && condition.test.lasting !== undefined;
}

/** The comparisons of a condition, one for each node that it means now. */
export function comparisonsOf(
  condition: TimedLeaf,
  members: (selector: Selector) => readonly Member[],
): readonly TimedComparison[] {
  if (condition.kind === "held") return [heldComparison(condition)];
  return members(condition.selector).flatMap((member) => memberComparison(condition, member) ?? []);
}

/** That of a condition about one node; null when it is about others. */
export function comparisonAbout(
  condition: TimedLeaf,
  node: string,
  members: (selector: Selector) => readonly Member[],
): TimedComparison | null {
  if (condition.kind === "held") return condition.node === node ? heldComparison(condition) : null;
  const member = members(condition.selector).find(({ address }) => address === node);
  return member === undefined ? null : memberComparison(condition, member);
}

export function heldComparison({
  node,
  property,
  comparison,
  value,
  lasting,
}: Extract<Condition, { readonly kind: "held" }>): TimedComparison {
  const lastingMs = spanMs(lasting);
  const { value: number, prec, uom } = value;
  const key = `${lastingMs} ${comparison} ${number} ${prec} ${uom} ${property} ${node}`;
  return { key, node, property, lastingMs, comparison, value };
}

/** null for a condition without "for". */
export function memberComparison(
  { test }: Pick<Extract<Condition, { readonly kind: "roles" }>, "test">,
  { address, role }: Member,
): TimedComparison | null {
  if (!("lasting" in test) || test.lasting === undefined) return null;
  const lastingMs = spanMs(test.lasting);
  const key = `${lastingMs} ${test.is} ST ${address}`;
  return { key, node: address, property: "ST", lastingMs, role, is: test.is };
}

/** Of the program whose conditions are evaluated. */
export type HeldFacts = {
  /** Since when a comparison with "for" has held; null: it does not. */
  readonly heldSinceMs: (key: string) => number | null;
};

/** Whether it has held for its time. */
export function hasHeld({ heldSinceMs }: HeldFacts, { key, lastingMs }: TimedComparison, atMs: number): boolean {
  const sinceMs = heldSinceMs(key);
  return sinceMs !== null && sinceMs + lastingMs <= atMs;
}

/** False also while the value is not known. */
export function holdsNow(asked: TimedComparison, property: Property | null): boolean {
  if (!property || property.value === null) return false;
  if ("is" in asked) return wordOfValue(asked.role, property.uom, property.value / 10 ** property.prec) === asked.is;
  return statusHolds(property, asked.comparison, asked.value);
}
