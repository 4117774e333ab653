/**
 * An automation or a script as programs. Pure: what it knows of the system comes with it.
 *
 * @see docs/home-assistant.md
 */

import type { Action, Condition } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import { isAct, type SourceAutomation, type SourceProgram, type Verdict } from "../../home-source.ts";
import { readConditions } from "./conditions.ts";
import { allOf, anyOf, conditionsOf, type Expression } from "./expression.ts";
import { FLOW, Flow, type Item, itemsIn, pauses, run } from "./flow.ts";
import { type Context, type Known, Lines } from "./lines.ts";
import { clean, type Fields, fieldsOf, hasAny, listIn, textIn, wordsIn } from "./read.ts";
import { readTrigger, type Start } from "./triggers.ts";

type About = Pick<SourceAutomation, "id" | "key" | "name" | "kind" | "isOn">;
type When = Extract<Start, { kind: "when" }>;
type Program = Flow["programs"][number];

const MODES = { single: "wayIn.single", queued: "wayIn.queued", parallel: "wayIn.parallel" } as const;
const TRIGGER_ID = /trigger\.id|"condition":"trigger"/;
const SEARCHED_MAX = 200_000;

/** @param config as `automation/config` or `script/config` tells it. @param number of the first program of a script */
export function translate(known: Known, about: About, config: unknown, number: number | null = null): SourceAutomation {
  const fields = fieldsOf(config);
  const lines = new Lines();
  const programs =
    about.kind === "script"
      ? script({ known, lines, triggerId: null }, fields, about.name, number)
      : triggerIds(fields).flatMap((triggerId) => automation({ known, lines, triggerId }, fields, about.name));
  noteVariables(lines, fields, about.kind);
  noteMode(lines, fields, programs);
  const isMade = !lines.isLost && programs.some(({ tree }) => [...tree.then, ...tree.else].some(isAct));
  if (!isMade && !lines.isLost) {
    lines.begin("actions", "");
    lines.note("actions", "out", message("wayIn.nothing"));
  }
  const all = lines.all();
  const verdict: Verdict = !isMade ? "none" : all.every(({ fate }) => fate === "same") ? "exact" : "differences";
  return { ...about, name: clean(about.name), verdict, programs: isMade ? programs : [], lines: all };
}

const triggersIn = (fields: Fields) => listIn(fields.triggers ?? fields.trigger);
const conditionsIn = (fields: Fields) => fields.conditions ?? fields.condition;
const actionsIn = (fields: Fields) => fields.actions ?? fields.action;
const idOf = (raw: unknown, index: number) => wordsIn(fieldsOf(raw).id)[0] ?? String(index);

/** Where it asks which trigger it was, each is translated by itself; null: all at once. */
function triggerIds(fields: Fields): readonly (string | null)[] {
  const asked = JSON.stringify([conditionsIn(fields), actionsIn(fields)]).slice(0, SEARCHED_MAX);
  return TRIGGER_ID.test(asked) ? [...new Set(triggersIn(fields).map(idOf))] : [null];
}

function automation(context: Context, fields: Fields, name: string): readonly SourceProgram[] {
  const { triggerId } = context;
  const starts = triggersIn(fields).flatMap((raw, index) =>
    triggerId === null || idOf(raw, index) === triggerId ? (readTrigger(context, raw, `triggers[${index}]`) ?? []) : [],
  );
  const read = readConditions(context, conditionsIn(fields), "conditions");
  const condition = read && allOf(read);
  const items = itemsIn(actionsIn(fields), "actions");
  const flow = new Flow(context, triggerId === null ? name : `${name}, ${triggerId}`);
  const isPair = condition === true && pair(context, flow, starts, items);
  if (!isPair && condition !== false) assemble(flow, starts, condition ?? true, items);
  return starts.length === 0 || condition === false ? [] : flow.programs;
}

function script(context: Context, fields: Fields, name: string, number: number | null): readonly SourceProgram[] {
  const numbers = number === null ? [] : [number];
  const known = { ...context.known, nextNumber: () => numbers.pop() ?? context.known.nextNumber() };
  const flow = new Flow({ ...context, known }, name);
  flow.make("", "called", () => ({ then: flow.sequence(itemsIn(fields.sequence, "actions")) }));
  startAfresh(flow, flow.programs[0]);
  return flow.programs;
}

/** One program with the actions. Where its condition would also start it at other times, others start it. */
function assemble(flow: Flow, starts: readonly Start[], condition: Expression, items: readonly Item[]): void {
  const when = starts.filter((start) => start.kind === "when");
  const isInstant = when.length === starts.length && when.every((start) => start.isInstant);
  const isAsked = condition !== true && !isInstant;
  const own = flow.make("actions", isAsked ? "waits" : "called", () => ({ then: flow.sequence(items) }));
  const body = flow.programs.find(({ number }) => number === own);
  if (!body) return;
  const isLevel = when.length === 1 && starts.length === 1;
  // True in the evaluations that a trigger starts alone, and not ended by any other.
  const isOne = isInstant
    ? !pauses(body.tree) || condition === true
    : isLevel && condition === true && !pauses(body.tree);
  if (isOne) {
    const tree = { ...body.tree, if: conditionsOf(allOf([anyOf(grouped(when)), condition])) };
    Object.assign(body, { name: flow.name, part: "starts", tree });
  } else if (isAsked) body.tree = { ...body.tree, if: conditionsOf(condition) };
  startAfresh(flow, body);
  if (isOne) return;
  const [call] = body.tree.then;
  // One that only runs another is left out.
  const isEmpty = !isAsked && body.tree.then.length === 1 && call?.kind === "program" && call.control === "runif";
  if (isEmpty) flow.programs.splice(flow.programs.indexOf(body), 1);
  const go = isEmpty ? [call] : run(own, isAsked ? "runif" : "runthen");
  const begin = (conditions: readonly Condition[], then: readonly Action[], runAtStartup = false) => {
    flow.make("", "starts", () => ({ if: conditions, then }));
    Object.assign(flow.programs.at(-1) ?? {}, { runAtStartup });
  };
  for (const each of grouped(when)) begin(conditionsOf(allOf([each, isAsked ? true : condition])), go);
  for (const start of starts) {
    if (start.kind === "startup") begin([], go, true);
    if (start.kind !== "every") continue;
    const at = { kind: "schedule", andOr: "and", days: null, when: { kind: "at", at: start.from } } as const;
    begin([at], [{ kind: "repeat-every", span: start.span, random: false }, ...go]);
  }
}

/** Instants may start one program; what stays true starts one each, or the end of the one would start it for the other. */
function grouped(when: readonly When[]): readonly Condition[] {
  const instants = anyOf(when.filter(({ isInstant }) => isInstant).map(({ condition }) => condition));
  const levels = when.filter(({ isInstant }) => !isInstant).map(({ condition }) => condition);
  return [...(typeof instants === "boolean" ? [] : [instants]), ...levels];
}

/** A new start ends what the one before still waits for. */
function startAfresh(flow: Flow, entry: Program | undefined): void {
  const waiting = flow.programs.filter((each) => each !== entry && pauses(each.tree));
  const stops = waiting.flatMap(({ number }) => run(number, "stop"));
  if (entry) entry.tree = { ...entry.tree, then: [...stops, ...entry.tree.then] };
}

/** On with one state, off some time after the other: the second half is Else, which a new start ends. @returns whether it is that */
function pair(context: Context, flow: Flow, starts: readonly Start[], items: readonly Item[]): boolean {
  const [start] = starts;
  const wait = items.findIndex(({ raw }) => Object.hasOwn(fieldsOf(raw), "wait_for_trigger"));
  const [before, after] = [items.slice(0, wait), items.slice(wait + 1)];
  const { at = "", raw } = items[wait] ?? {};
  const { timeout, wait_for_trigger: waiting } = fieldsOf(raw);
  const isPlain = [...before, ...after].every(
    (each) => !hasAny(fieldsOf(each.raw), FLOW) && typeof each.raw !== "string",
  );
  const isDelayed = before.some((each) => Object.hasOwn(fieldsOf(each.raw), "delay"));
  if (starts.length !== 1 || start?.kind !== "when" || !start.compared || wait < 0) return false;
  if (timeout !== undefined || !isPlain || isDelayed) return false;
  const [trigger, ...triggers] = listIn(waiting);
  // For a time, the wait begins with the state.
  const { for: lasting, ...bare } = fieldsOf(trigger);
  const [end, ...more] = readTrigger({ ...context, lines: new Lines() }, bare, at) ?? [];
  const [status, other] = [start.compared.status, end?.kind === "when" ? end.compared?.status : undefined];
  if (triggers.length + more.length > 0 || other?.node !== status.node || other.property !== status.property)
    return false;
  if (other.value.value === status.value.value && other.comparison === status.comparison) return false;
  context.lines.begin(at, raw);
  const delay = lasting === undefined ? [] : [{ raw: { delay: lasting }, at }];
  flow.make("", "starts", () => ({
    if: [status],
    then: flow.sequence(before),
    else: flow.sequence([...delay, ...after]),
  }));
  context.lines.becomesInstead(at, { ...other, andOr: "and" });
  context.lines.becomesInstead("triggers[0]", status);
  return true;
}

function noteVariables(lines: Lines, fields: Fields, kind: About["kind"]): void {
  const isScript = kind === "script" && Object.keys(fieldsOf(fields.fields)).length > 0;
  const told = isScript ? fields.fields : (fields.variables ?? fields.trigger_variables);
  if (told === undefined) return;
  lines.begin("variables", fieldsOf(told));
  lines.note("variables", "out", message("wayIn.variables"));
}

/** Only what waits can be started again meanwhile. */
function noteMode(lines: Lines, fields: Fields, programs: readonly SourceProgram[]): void {
  const mode = textIn(fields, "mode") || "single";
  if (!Object.hasOwn(MODES, mode) || !programs.some(({ tree }) => pauses(tree))) return;
  lines.begin("mode", mode);
  lines.note("mode", "differs", message(MODES[mode as keyof typeof MODES]));
}
