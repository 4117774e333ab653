/**
 * Each condition by itself: that what it names exists, can be what it is compared with, and that its schedule comes. A
 * condition has one finding at most, the first that applies.
 */

import type { Condition } from "../../home/program-syntax.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import { describeEditor } from "../../profile/editor-value.ts";
import { findNodeFault, findProgramFault, findPropertyFault, findVariableFault } from "./check-names.ts";
import { type Finding, finding } from "./finding.ts";
import { propertyAxis, variableAxis } from "./model/axes.ts";
import { type Axis, placeOf, whereHolds } from "./model/axis.ts";
import { variableFormula } from "./model/formula.ts";
import { holdsAll, intersect, isEmpty, type NumberSet } from "./model/number-set.ts";
import { conditionStep, definitionStep, leavesOf, type PlacedLeaf } from "./model/places.ts";
import { conditionWords, nodeName, unitWords, valueWords } from "./model/words.ts";
import type { World } from "./model/world.ts";

type Of<K extends Condition["kind"]> = PlacedLeaf & { readonly condition: Extract<Condition, { readonly kind: K }> };

export function checkEachCondition(world: World, entry: ProgramEntry): readonly Finding[] {
  return leavesOf(entry).flatMap((leaf) => checkLeaf(world, leaf) ?? []);
}

function checkLeaf(world: World, leaf: PlacedLeaf): Finding | null {
  const { condition, spot } = leaf;
  switch (condition.kind) {
    case "status":
      return (
        findNodeFault(world, condition.node, spot) ??
        findPropertyFault(world, condition.node, condition.property, spot) ??
        checkStatusValue(world, { condition, spot })
      );
    case "control":
      return findNodeFault(world, condition.node, spot) ?? checkSent(world, { condition, spot });
    case "variable":
      return (
        findVariableFault(world, condition.type, condition.id, spot) ??
        (condition.operand.kind === "variable"
          ? findVariableFault(world, condition.operand.type, condition.operand.id, spot)
          : null) ??
        checkVariableValue(world, { condition, spot })
      );
    case "program":
      return findProgramFault(world, condition.id, spot);
    case "schedule":
      return checkSchedule(world, { condition, spot });
    case "foreign":
      return finding(
        "FOREIGN_STATEMENT",
        spot,
        "This controller does not know the condition, so the program does not run.",
        [definitionStep(condition.json)],
      );
  }
}

function checkSent(world: World, { condition, spot }: Of<"control">): Finding | null {
  const { node: address, command } = condition;
  const node = world.home.nodes.get(address);
  const name = nodeName(world, address);
  const why = node ? world.nodedefOf(node) : null;
  if (node && (!why || why.sends.some(({ id }) => id === command))) return null;
  const sends = why?.sends.map(({ id }) => id).join(", ") ?? "";
  const known = node
    ? `${name} sends ${sends === "" ? "nothing" : sends}.`
    : `${name} is a scene, and scenes send nothing themselves.`;
  const chain = [conditionStep(world, condition, spot), definitionStep(known)];
  return finding("COMMAND_NOT_SENT", spot, `${name} never sends ${command}, so this condition starts nothing.`, chain);
}

function checkStatusValue(world: World, { condition, spot }: Of<"status">): Finding | null {
  const axis = propertyAxis(world, condition.node, condition.property);
  if (!axis) return null;
  const chain = [conditionStep(world, condition, spot), definitionStep(reportsWords(world, condition))];
  const place = placeOf(axis, condition.value);
  if (!place) {
    const sentence = `${axis.name} is reported in ${unitWords(axis.uom ?? 0)}, but compared with a value in ${unitWords(condition.value.uom)}.`;
    return finding("UNIT_MISMATCH", spot, sentence, chain);
  }
  const isReachable = !isEmpty(intersect(axis.domain, [place.first, place.last]));
  const holds = whereHolds(axis, condition.comparison, place);
  return checkReach(axis, holds, { isReachable, value: valueWords(condition.value) }, spot, chain);
}

function checkVariableValue(world: World, { condition, spot }: Of<"variable">): Finding | null {
  const axis = variableAxis(world, condition.type, condition.id);
  const formula = variableFormula(world, condition);
  if (!axis || formula?.kind !== "atom") return null;
  const { operand } = condition;
  const place = operand.kind === "value" ? placeOf(axis, { ...operand, uom: 0 }) : { first: 0, last: 0 };
  const isReachable = place !== null && !isEmpty(intersect(formula.axis.domain, [place.first, place.last]));
  const value = operand.kind === "value" ? String(operand.value / 10 ** operand.prec) : "itself";
  const range = `Variables hold whole numbers of 32 bits; this one has ${axis.prec} decimal places.`;
  const chain = [conditionStep(world, condition, spot), definitionStep(range)];
  return checkReach({ ...axis, domain: formula.axis.domain }, formula.set, { isReachable, value }, spot, chain);
}

/** No finding while the comparison distinguishes some values of the axis from others. */
function checkReach(
  axis: Axis,
  holds: NumberSet,
  { isReachable, value }: { readonly isReachable: boolean; readonly value: string },
  spot: PlacedLeaf["spot"],
  chain: Finding["chain"],
): Finding | null {
  const never = isEmpty(holds);
  if (!never && !holdsAll(holds, axis.domain)) return null;
  const effect = never ? "never holds" : "always holds";
  if (!isReachable) {
    return finding(
      "VALUE_OUT_OF_REACH",
      spot,
      `This condition ${effect}, because ${axis.name} is never ${value}.`,
      chain,
    );
  }
  const sentence = `Whatever ${axis.name} is, this condition ${effect}.`;
  return finding(never ? "CONDITION_NEVER" : "CONDITION_ALWAYS", spot, sentence, chain);
}

function reportsWords(world: World, { node: address, property }: Of<"status">["condition"]): string {
  const node = world.home.nodes.get(address);
  const editor = node && world.nodedefOf(node)?.properties.find(({ id }) => id === property)?.editor;
  const takes = node && editor ? describeEditor(world.profile.editor(editor, node.family, node.instance)) : "a number";
  const reported = node?.properties.get(property);
  const known =
    reported && reported.value !== null
      ? `; the latest report was ${valueWords({ ...reported, value: reported.value })}`
      : "";
  return `${property} of ${nodeName(world, address)} is ${takes}${known}.`;
}

function checkSchedule(world: World, { condition, spot }: Of<"schedule">): Finding | null {
  const { noSuchDate, opens, holds, isPast, isFarAhead, sunlessDays, nextDayCloses, otherCloses } =
    world.year.of(condition);
  const words = conditionWords(world, condition);
  const tell = (code: Parameters<typeof finding>[0], sentence: string, why: string) =>
    finding(code, spot, sentence, [conditionStep(world, condition, spot), definitionStep(why)]);
  if (noSuchDate !== null) {
    return tell(
      "SCHEDULE_NO_SUCH_DATE",
      `There is no ${noSuchDate}, so this never happens.`,
      `${noSuchDate} is no day of the calendar.`,
    );
  }
  if (isPast)
    return tell("SCHEDULE_PAST", "This is in the past and does not occur again.", `${words} ended before now.`);
  const { latitude, longitude } = world.home.controller;
  const place = `At ${latitude.toFixed(2)}, ${longitude.toFixed(2)} the sun does not rise or set on ${sunlessDays} days of the coming year.`;
  if (isEmpty(holds) && isEmpty(opens) && !isFarAhead) {
    if (sunlessDays > 0)
      return tell("SCHEDULE_SUN_MISSING", "Where the home is, the sun never makes this happen.", place);
    return tell(
      "SCHEDULE_EMPTY",
      "This never happens: no day has such a time.",
      `${words} is on no day of the coming year.`,
    );
  }
  if (sunlessDays > 0) {
    return tell(
      "SCHEDULE_SUN_MISSING",
      `On ${sunlessDays} days of the coming year this does not happen, because the sun does not rise or set.`,
      place,
    );
  }
  if (condition.when.kind !== "at" && holdsAll(holds, world.year.axis.domain)) {
    return tell(
      "CONDITION_ALWAYS",
      "Some window of this schedule is always open.",
      `${words} leaves no gap in the coming year.`,
    );
  }
  if (nextDayCloses === 0 || otherCloses === 0) return null;
  const why = `On ${nextDayCloses} days of the coming year the end is before the start, and the window stays open until the next day.`;
  return tell(
    "SCHEDULE_INTO_NEXT_DAY",
    `On ${nextDayCloses} days of the year this window closes only on the next day.`,
    why,
  );
}
