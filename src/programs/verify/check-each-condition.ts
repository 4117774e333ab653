/**
 * Each condition by itself: that what it names exists, can be what it is compared with, and that its schedule comes. A
 * condition has one finding at most, the first that applies.
 */

import { type Condition, constantOf } from "../../home/program-syntax.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import { type Message, message } from "../../messages.ts";
import { describeEditor } from "../../profile/editor-value.ts";
import type { Slices } from "../../util/slices.ts";
import { comparesTurned } from "../turned-states.ts";
import {
  findGivenFault,
  findNodeFault,
  findProgramFault,
  findPropertyFault,
  findVariableFault,
} from "./check-names.ts";
import { checkRoleCondition } from "./check-roles.ts";
import { type Finding, finding } from "./finding.ts";
import { propertyAxis, variableAxis } from "./model/axes.ts";
import { type Axis, placeOf, whereHolds } from "./model/axis.ts";
import { variableFormula } from "./model/formula.ts";
import { holdsAll, intersect, isEmpty, type NumberSet } from "./model/number-set.ts";
import { conditionStep, definitionStep, leavesOf, type PlacedLeaf } from "./model/places.ts";
import { conditionWords, nodeName, unitMessage, valueWords } from "./model/words.ts";
import type { World } from "./model/world.ts";

type Of<K extends Condition["kind"]> = PlacedLeaf & { readonly condition: Extract<Condition, { readonly kind: K }> };

export function* checkEachCondition(world: World, entry: ProgramEntry): Slices<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const leaf of leavesOf(entry)) {
    yield;
    const found = checkLeaf(world, leaf);
    if (found) findings.push(found);
  }
  return findings;
}

function checkLeaf(world: World, leaf: PlacedLeaf): Finding | null {
  const { condition, spot } = leaf;
  switch (condition.kind) {
    case "status":
      return (
        findNodeFault(world, condition.node, spot) ??
        findPropertyFault(world, condition.node, condition.property, spot) ??
        checkStatusValue(world, { condition, spot }) ??
        checkTurned(world, { condition, spot })
      );
    case "held": {
      const { node, property } = condition;
      return (
        findNodeFault(world, node, spot) ??
        findPropertyFault(world, node, property, spot) ??
        checkStatusValue(world, { condition: { ...condition, kind: "status" }, spot })
      );
    }
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
    case "roles":
      return checkRoleCondition(world, condition, spot);
    case "foreign":
      return finding("FOREIGN_STATEMENT", spot, message("FOREIGN_STATEMENT.condition"), [
        definitionStep(message("plain", { text: condition.json })),
      ]);
  }
}

function checkSent(world: World, { condition, spot }: Of<"control">): Finding | null {
  const { node: address, command } = condition;
  const node = world.home.nodes.get(address);
  const name = nodeName(world, address);
  const why = node ? world.nodedefOf(node) : null;
  if (node && (!why || why.sends.some(({ id }) => id === command))) return null;
  const sends = why?.sends.map(({ id }) => id).join(", ") ?? "";
  const known = !node
    ? message("step.sceneSendsNothing", { name })
    : sends === ""
      ? message("step.sendsNothing", { name })
      : message("step.sends", { name, commands: sends });
  const chain = [conditionStep(world, condition, spot), definitionStep(known)];
  return finding("COMMAND_NOT_SENT", spot, message("COMMAND_NOT_SENT", { name, command }), chain);
}

function checkStatusValue(world: World, { condition, spot }: Of<"status">): Finding | null {
  const value = constantOf(condition.value);
  if (!value) return findGivenFault(world, condition.value, spot);
  const axis = propertyAxis(world, condition.node, condition.property);
  if (!axis) return null;
  const chain = [conditionStep(world, condition, spot), definitionStep(reportsMessage(world, condition))];
  const place = placeOf(axis, value);
  if (!place) {
    const units = { unit: unitMessage(axis.uom ?? 0), other: unitMessage(value.uom) };
    const sentence = message("UNIT_MISMATCH", { name: axis.name, ...units });
    return finding("UNIT_MISMATCH", spot, sentence, chain);
  }
  const isReachable = !isEmpty(intersect(axis.domain, [place.first, place.last]));
  const holds = whereHolds(axis, condition.comparison, place);
  return checkReach(axis, holds, { isReachable, value: valueWords(value) }, spot, chain);
}

function checkTurned(world: World, { condition, spot }: Of<"status">): Finding | null {
  const isOld = world.turned.get(spot.program) === world.programs.get(spot.program)?.version;
  if (!isOld || !comparesTurned(world.home, condition)) return null;
  const sentence = message("STATE_TURNED", { name: nodeName(world, condition.node) });
  return finding("STATE_TURNED", spot, sentence, [conditionStep(world, condition, spot)]);
}

function checkVariableValue(world: World, { condition, spot }: Of<"variable">): Finding | null {
  const axis = variableAxis(world, condition.type, condition.id);
  const formula = variableFormula(world, condition);
  if (!axis || formula?.kind !== "atom") return null;
  const { operand } = condition;
  const place = operand.kind === "value" ? placeOf(axis, { ...operand, uom: 0 }) : { first: 0, last: 0 };
  const isReachable = place !== null && !isEmpty(intersect(formula.axis.domain, [place.first, place.last]));
  const value = operand.kind === "value" ? String(operand.value / 10 ** operand.prec) : message("value.itself");
  const range = message("step.wholeNumbers", { places: axis.prec });
  const chain = [conditionStep(world, condition, spot), definitionStep(range)];
  return checkReach({ ...axis, domain: formula.axis.domain }, formula.set, { isReachable, value }, spot, chain);
}

/** No finding while the comparison distinguishes some values of the axis from others. */
function checkReach(
  axis: Axis,
  holds: NumberSet,
  { isReachable, value }: { readonly isReachable: boolean; readonly value: string | Message },
  spot: PlacedLeaf["spot"],
  chain: Finding["chain"],
): Finding | null {
  const never = isEmpty(holds);
  if (!never && !holdsAll(holds, axis.domain)) return null;
  const { name } = axis;
  if (!isReachable) {
    const code = never ? "VALUE_OUT_OF_REACH.never" : "VALUE_OUT_OF_REACH.always";
    return finding("VALUE_OUT_OF_REACH", spot, message(code, { name, value }), chain);
  }
  const code = never ? "CONDITION_NEVER" : "CONDITION_ALWAYS";
  return finding(code, spot, message(code, { name }), chain);
}

function reportsMessage(world: World, { node: address, property }: Of<"status">["condition"]): Message {
  const node = world.home.nodes.get(address);
  const editor = node && world.nodedefOf(node)?.properties.find(({ id }) => id === property)?.editor;
  const range = describeEditor(node && editor ? world.profile.editor(editor, node.family, node.instance) : null);
  const reported = node?.properties.get(property);
  const parts = { property: world.propertyName(address, property), name: nodeName(world, address), range };
  if (!reported || reported.value === null) return message("step.range", parts);
  const value = valueWords({ ...reported, value: reported.value });
  return message("step.rangeAndReport", { ...parts, value });
}

function checkSchedule(world: World, { condition, spot }: Of<"schedule">): Finding | null {
  const { noSuchDate, opens, holds, isPast, isFarAhead, sunlessDays, nextDayCloses, otherCloses } =
    world.year.of(condition);
  const line = { line: conditionWords(world, condition) };
  const tell = (code: Parameters<typeof finding>[0], sentence: Message, why: Message) =>
    finding(code, spot, sentence, [conditionStep(world, condition, spot), definitionStep(why)]);
  if (noSuchDate !== null) {
    return tell(
      "SCHEDULE_NO_SUCH_DATE",
      message("SCHEDULE_NO_SUCH_DATE", { date: noSuchDate }),
      message("step.noDate", { date: noSuchDate }),
    );
  }
  if (isPast) return tell("SCHEDULE_PAST", message("SCHEDULE_PAST"), message("step.ended", { condition: line }));
  const { latitude, longitude } = world.home.controller;
  const location = { latitude: latitude.toFixed(2), longitude: longitude.toFixed(2) };
  const place = message("step.sunless", { ...location, days: sunlessDays });
  if (isEmpty(holds) && isEmpty(opens) && !isFarAhead) {
    if (sunlessDays > 0) return tell("SCHEDULE_SUN_MISSING", message("SCHEDULE_SUN_MISSING.never"), place);
    return tell("SCHEDULE_EMPTY", message("SCHEDULE_EMPTY"), message("step.noDay", { condition: line }));
  }
  if (sunlessDays > 0) {
    return tell("SCHEDULE_SUN_MISSING", message("SCHEDULE_SUN_MISSING", { days: sunlessDays }), place);
  }
  if (condition.when.kind !== "at" && holdsAll(holds, world.year.axis.domain)) {
    return tell("CONDITION_ALWAYS", message("CONDITION_ALWAYS.schedule"), message("step.noGap", { condition: line }));
  }
  if (nextDayCloses === 0 || otherCloses === 0) return null;
  const days = nextDayCloses;
  return tell("SCHEDULE_INTO_NEXT_DAY", message("SCHEDULE_INTO_NEXT_DAY", { days }), message("step.nextDay", { days }));
}
