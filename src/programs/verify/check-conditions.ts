/**
 * Checks conditions together: lists that can never be true or are always true. The finding names the smallest list at
 * fault. That list then counts as undecided, so that no list above it is reported a second time.
 */

import type { Condition } from "../../home/program-syntax.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import { message } from "../../messages.ts";
import type { Slices } from "../../util/slices.ts";
import { conditionsOf } from "../references.ts";
import { type Finding, type FindingStep, finding } from "./finding.ts";
import {
  allOf,
  alternativesOf,
  type Formula,
  holdTogether,
  not,
  type Placed,
  partOf,
  type Spot,
  spotKey,
} from "./model/formula.ts";
import { conditionStep } from "./model/places.ts";
import type { World } from "./model/world.ts";

/** @param suspects grows by what is found here. */
export function* checkConditions(world: World, entry: ProgramEntry, suspects: Set<string>): Slices<readonly Finding[]> {
  const findings: Finding[] = [];
  yield* checkList({ world, suspects, findings }, conditionsOf(entry), { program: entry.id, path: "if" });
  return findings;
}

type Checking = { readonly world: World; readonly suspects: Set<string>; readonly findings: Finding[] };

function* checkList(checking: Checking, conditions: readonly Condition[], spot: Spot): Slices<void> {
  const { world, suspects } = checking;
  const alternatives = alternativesOf(conditions, spot);
  for (const { condition, spot: inner } of alternatives.flat()) {
    if (condition.kind === "paren") {
      yield* checkList(checking, condition.conditions, { program: inner.program, path: `${inner.path}.conditions` });
    }
  }
  for (const alternative of alternatives) {
    yield;
    yield* checkNever(checking, alternative, alternatives.length === 1 ? spot : null);
  }
  const isOfMany = conditions.length > 1;
  if (!isOfMany) return;
  const parts: Formula[] = [];
  for (const alternative of alternatives) {
    parts.push(allOf((yield* partsOf(checking, alternative)).map(({ formula }) => formula)));
  }
  yield;
  if (holdTogether(parts.map(not)) !== null) return;
  const chain = alternatives.flat().map((each) => conditionStep(world, each.condition, each.spot));
  checking.findings.push(finding("CONDITION_ALWAYS", spot, message("CONDITION_ALWAYS.together"), chain));
  suspect(suspects, alternatives.flat());
}

/** @param whole the place of the finding when the alternative is the whole list. */
function* checkNever(checking: Checking, alternative: readonly Placed[], whole: Spot | null): Slices<void> {
  const { world, suspects, findings } = checking;
  if (alternative.length < 2) return;
  const parts = yield* partsOf(checking, alternative);
  yield;
  if (holdTogether(parts.map(({ formula }) => formula)) !== null) return;
  const core = yield* smallestCore(parts);
  const spot = whole ?? alternative[0]?.spot;
  if (!spot) return;
  const chain: FindingStep[] = core.map(({ each }) => conditionStep(world, each.condition, each.spot));
  findings.push(finding("CONDITION_NEVER", spot, message("CONDITION_NEVER.together"), chain));
  suspect(suspects, alternative);
}

type Part = { readonly each: Placed; readonly formula: Formula };

function* partsOf({ world, suspects }: Checking, placed: readonly Placed[]): Slices<readonly Part[]> {
  const parts: Part[] = [];
  for (const each of placed) {
    yield;
    parts.push({ each, formula: partOf(world, each, suspects) });
  }
  return parts;
}

/** Leaves away what is not needed for the contradiction. */
function* smallestCore(parts: readonly Part[]): Slices<readonly Part[]> {
  let core = parts;
  for (const part of parts) {
    yield;
    const rest = core.filter((other) => other !== part);
    if (holdTogether(rest.map(({ formula }) => formula)) === null) core = rest;
  }
  return core;
}

function suspect(suspects: Set<string>, placed: readonly Placed[]): void {
  for (const { spot } of placed) suspects.add(spotKey(spot));
}
