/**
 * The truth of a condition by room and role. It is true when it is true for every possible value of what is not known, and false
 * when nothing is meant: a driver that takes away the locks must not make "all locks are Locked" true.
 */

import type { Happening } from "../home/program-progress.ts";
import type { Condition, RoleTest, Selector, SyntaxValue } from "../home/program-syntax.ts";
import { convertTemperature } from "../profile/convert-unit.ts";
import { isMeasure, MEASURES, propertiesOf } from "../profile/role-words.ts";
import { type StatusWord, wordOfValue } from "../profile/status-words.ts";
import { UOM } from "../profile/uom.ts";
import { compare, type Scaled } from "./compare.ts";
import type { Facts } from "./facts.ts";
import { type HeldFacts, hasHeld, memberComparison } from "./holds.ts";
import type { Member } from "./role-members.ts";
import type { FoundRoles } from "./trace-record.ts";

type RoleFacts = Pick<Facts, "property" | "members"> & HeldFacts;
type Moment = { readonly atMs: number; readonly happening: Happening | null };
type RoleCondition = Extract<Condition, { readonly kind: "roles" }>;
type Truth = { readonly isTrue: boolean; readonly found: Scaled | null; readonly roles: FoundRoles };

/** Members that a record of an evaluation names. */
const DECIDED_MAX = 8;
/** Decimals of an average. */
const SUMMARY_PREC = 6;

export function evaluateRoles(
  { selector, test }: Pick<RoleCondition, "selector" | "test">,
  facts: RoleFacts,
  { happening, atMs }: Moment,
): Truth {
  const members = facts.members(selector);
  if (members.length === 0) return { isTrue: false, found: null, roles: foundOf(members, [], []) };
  switch (test.how) {
    case "any":
    case "all":
    case "none":
    case "number":
      return evaluateState(test, members, facts, atMs);
    case "average":
    case "min":
    case "max":
      return evaluateSummary(test, selector, members, facts);
    case "sends": {
      const sender = happening?.kind === "control" && happening.command === test.command ? happening.node : null;
      const sent = members.filter(({ address }) => address === sender);
      const isTrue = sent.length > 0 === (test.comparison === "IS");
      return { isTrue, found: null, roles: foundOf(members, sent, []) };
    }
  }
}

/** Whether its status is the word; null when that is not known. */
function isInState(facts: Pick<Facts, "property">, { address, role }: Member, is: StatusWord): boolean | null {
  const status = facts.property(address, "ST");
  if (!status || status.value === null) return null;
  const word = wordOfValue(role, status.uom, status.value / 10 ** status.prec);
  return word === null ? null : word === is;
}

type StateTest = Extract<RoleTest, { readonly how: "any" | "all" | "none" | "number" }>;

function evaluateState(test: StateTest, members: readonly Member[], facts: RoleFacts, atMs: number): Truth {
  const states = members.map((member) => {
    const timed = memberComparison({ test }, member);
    const state = isInState(facts, member, test.is);
    return state && timed ? hasHeld(facts, timed, atMs) : state;
  });
  const having = (state: boolean | null) => members.filter((_member, at) => states[at] === state);
  const [matching, other, unknown] = [having(true), having(false), having(null)];
  const isTrue = holds(test, members.length, matching.length, unknown.length);
  const against = other.length > 0 ? other : unknown;
  const decided = test.how === "all" && !isTrue ? against : matching.length > 0 ? matching : unknown;
  return { isTrue, found: { value: matching.length, prec: 0 }, roles: foundOf(members, matching, unknown, decided) };
}

function holds(test: StateTest, members: number, matches: number, unknown: number): boolean {
  switch (test.how) {
    case "any":
      return matches > 0;
    case "all":
      return matches === members;
    case "none":
      return matches + unknown === 0;
    case "number": {
      const right = { value: test.number, prec: 0 };
      for (let count = matches; count <= matches + unknown; count += 1)
        if (!compare({ value: count, prec: 0 }, test.comparison, right)) return false;
      return true;
    }
  }
}

type SummaryTest = Extract<RoleTest, { readonly value: SyntaxValue }>;

/** Members without a known value do not count. */
function evaluateSummary(test: SummaryTest, selector: Selector, members: readonly Member[], facts: RoleFacts): Truth {
  const known = members.flatMap((member) => {
    const value = measured(selector, member, facts, test.value.uom);
    return value === null ? [] : [{ member, value }];
  });
  const values = known.map(({ value }) => value);
  const roles = foundOf(
    members,
    known.map(({ member }) => member),
    [],
  );
  if (values.length === 0) return { isTrue: false, found: null, roles };
  const summary = summaryOf(test.how, values);
  const found = { value: Math.round(summary * 10 ** SUMMARY_PREC), prec: SUMMARY_PREC };
  return { isTrue: compare(found, test.comparison, test.value), found, roles };
}

function summaryOf(how: SummaryTest["how"], values: readonly number[]): number {
  if (how === "min") return values.reduce((least, each) => Math.min(least, each));
  if (how === "max") return values.reduce((most, each) => Math.max(most, each));
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

/** In the unit of the condition; null when it is not known. */
function measured({ role: word }: Selector, { address, role }: Member, facts: RoleFacts, uom: number): number | null {
  if (!isMeasure(word)) return null;
  const units: readonly number[] = MEASURES[word].units;
  for (const id of propertiesOf(word, role)) {
    const property = facts.property(address, id);
    if (!property || property.value === null || !units.includes(property.uom)) continue;
    const displayed = property.value / 10 ** property.prec;
    return uom === UOM.none ? displayed : (convertTemperature(displayed, property.uom, uom) ?? displayed);
  }
  return null;
}

function foundOf(
  members: readonly Member[],
  matching: readonly Member[],
  unknown: readonly Member[],
  decided: readonly Member[] = matching,
): FoundRoles {
  return {
    members: members.length,
    matches: matching.length,
    unknown: unknown.length,
    decided: decided.slice(0, DECIDED_MAX).map(({ address }) => address),
  };
}
