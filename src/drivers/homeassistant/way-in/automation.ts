/**
 * An automation or a script as programs. Pure: what it knows of the system comes with it.
 *
 * @see docs/home-assistant.md
 */

import type { Action, Condition } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import type { SourceAutomation, SourceProgram, Verdict } from "../../home-source.ts";
import { readConditions } from "./conditions.ts";
import { allOf, anyOf, conditionsOf, type Expression } from "./expression.ts";
import { Flow, grouped, type Item, itemsIn, pauses } from "./flow.ts";
import { type Context, type Known, Lines } from "./lines.ts";
import { clean, type Fields, fieldsOf, listIn, textIn, wordsIn } from "./read.ts";
import { readTrigger, type Start } from "./triggers.ts";

type About = Pick<SourceAutomation, "id" | "key" | "name" | "kind" | "isOn">;

/** @param config as `automation/config` or `script/config` tells it. @param number of the first program of a script */
export function translate(known: Known, about: About, config: unknown, number: number | null = null): SourceAutomation {
  const fields = fieldsOf(config);
  const lines = new Lines();
  const programs =
    about.kind === "script"
      ? script({ known, lines, triggerId: null }, fields, about.name, number)
      : triggerIds(fields).flatMap((triggerId) => automation({ known, lines, triggerId }, fields, about.name));
  if (fields.variables !== undefined || fields.trigger_variables !== undefined) {
    lines.begin("variables", fieldsOf(fields.variables ?? fields.trigger_variables));
    lines.note("variables", "out", message("wayIn.variables"));
  }
  noteMode(lines, fields, programs);
  const acts = programs.some(({ tree }) => [...tree.then, ...tree.else].some(isAct));
  const isMade = !lines.isLost && acts;
  if (!isMade && !lines.isLost) {
    lines.begin("actions", "");
    lines.note("actions", "out", message("wayIn.nothing"));
  }
  const all = lines.all();
  const verdict: Verdict = !isMade ? "none" : all.every(({ fate }) => fate === "same") ? "exact" : "differences";
  return { ...about, name: clean(about.name), verdict, programs: isMade ? programs : [], lines: all };
}

/** Not only a wait, or a program that is run. */
function isAct({ kind }: Action): boolean {
  return kind !== "program" && kind !== "wait" && !kind.startsWith("repeat");
}

const TRIGGER_ID = /trigger\.id|"condition":"trigger"/;
const SEARCHED_MAX = 200_000;

/** Where it asks which trigger it was, each is translated by itself; null: all at once. */
function triggerIds(fields: Fields): readonly (string | null)[] {
  const asked = JSON.stringify([conditionsIn(fields), actionsIn(fields)]).slice(0, SEARCHED_MAX);
  if (!TRIGGER_ID.test(asked)) return [null];
  return [...new Set(listIn(triggersIn(fields)).map(idOf))];
}

function idOf(raw: unknown, index: number): string {
  return wordsIn(fieldsOf(raw).id)[0] ?? String(index);
}

const triggersIn = (fields: Fields) => fields.triggers ?? fields.trigger;
const conditionsIn = (fields: Fields) => fields.conditions ?? fields.condition;
const actionsIn = (fields: Fields) => fields.actions ?? fields.action;

function automation(context: Context, fields: Fields, name: string): readonly SourceProgram[] {
  const { triggerId } = context;
  const starts = listIn(triggersIn(fields)).flatMap((raw, index) =>
    triggerId === null || idOf(raw, index) === triggerId ? (readTrigger(context, raw, `triggers[${index}]`) ?? []) : [],
  );
  const read = readConditions(context, conditionsIn(fields), "conditions");
  const condition = read && allOf(read);
  const items = itemsIn(actionsIn(fields), "actions");
  const flow = new Flow(context, triggerId === null ? name : `${name}, ${triggerId}`);
  if (condition === true && pair(context, flow, starts, items)) return flow.programs;
  if (condition !== false) assemble(flow, starts, condition ?? true, items);
  return starts.length === 0 || condition === false ? [] : flow.programs;
}

function script(context: Context, fields: Fields, name: string, number: number | null): readonly SourceProgram[] {
  const numbers = number === null ? [] : [number];
  const known = { ...context.known, nextNumber: () => numbers.pop() ?? context.known.nextNumber() };
  const flow = new Flow({ ...context, known }, name);
  if (Object.keys(fieldsOf(fields.fields)).length > 0) {
    context.lines.begin("variables", fieldsOf(fields.fields));
    context.lines.note("variables", "out", message("wayIn.fields"));
  }
  flow.make("", "called", (self) => ({ then: flow.sequence(itemsIn(fields.sequence, "actions"), null, self) }));
  return withFreshStart(flow, flow.programs[0]);
}

/** Whether one program says it: true in the evaluations that a trigger starts, and not ended by any other. */
function isSimple(starts: readonly Start[], condition: Expression, isPausing: boolean): boolean {
  const when = starts.filter((start) => start.kind === "when");
  if (when.length < starts.length) return false;
  if (when.every(({ isInstant }) => isInstant)) return !isPausing || condition === true;
  return when.length === 1 && condition === true && !isPausing;
}

function assemble(flow: Flow, starts: readonly Start[], condition: Expression, items: readonly Item[]): void {
  const isInstant = starts.every((start) => start.kind === "when" && start.isInstant);
  const own = flow.make("actions", condition === true || isInstant ? "called" : "waits", (self) => ({
    then: flow.sequence(items, null, self),
  }));
  const body = flow.programs.find(({ number }) => number === own);
  if (!body) return;
  const { name } = flow;
  if (isSimple(starts, condition, pauses(body.tree.then))) {
    const first = allOf([anyOf(grouped(starts)), condition]);
    Object.assign(body, { name, part: "starts", tree: { ...body.tree, if: conditionsOf(first) } });
    withFreshStart(flow, body);
    return;
  }
  const isAsked = condition !== true && !isInstant;
  if (isAsked) body.tree = { ...body.tree, if: conditionsOf(condition) };
  withFreshStart(flow, body);
  const [call] = body.tree.then;
  // One that only runs another is left out.
  const isEmpty = !isAsked && body.tree.then.length === 1 && call?.kind === "program" && call.control === "runif";
  if (isEmpty) flow.programs.splice(flow.programs.indexOf(body), 1);
  const run: Action = isEmpty ? call : { kind: "program", id: own, control: isAsked ? "runif" : "runthen" };
  const begin = (conditions: readonly Condition[], then: readonly Action[], runAtStartup = false) => {
    const number = flow.make("", "starts", () => ({ if: conditions, then }));
    for (const each of flow.programs) if (each.number === number) each.runAtStartup = runAtStartup;
  };
  for (const each of grouped(starts)) begin(conditionsOf(allOf([each, isAsked ? true : condition])), [run]);
  for (const start of starts) {
    if (start.kind === "startup") begin([], [run], true);
    if (start.kind !== "every") continue;
    const at = { kind: "schedule", andOr: "and", days: null, when: { kind: "at", at: start.from } } as const;
    begin([at], [{ kind: "repeat-every", span: start.span, random: false }, run]);
  }
}

/** A new start ends what the one before still waits for. */
function withFreshStart(flow: Flow, entry: Flow["programs"][number] | undefined): readonly SourceProgram[] {
  const others = flow.programs.filter((each) => each !== entry);
  const stops = others.flatMap(({ number, tree }): readonly Action[] => {
    if (flow.armed.has(number)) return [{ kind: "program", id: number, control: "disable" }];
    return pauses([...tree.then, ...tree.else]) ? [{ kind: "program", id: number, control: "stop" }] : [];
  });
  if (entry && stops.length > 0) entry.tree = { ...entry.tree, then: [...stops, ...entry.tree.then] };
  return flow.programs;
}

/** On with one state, off some time after the other: the second half is Else, which a new start ends. @returns whether it is that */
function pair(context: Context, flow: Flow, starts: readonly Start[], items: readonly Item[]): boolean {
  const [start] = starts;
  const wait = items.findIndex(({ raw }) => Object.hasOwn(fieldsOf(raw), "wait_for_trigger"));
  const waiting = fieldsOf(items[wait]?.raw);
  if (starts.length !== 1 || start?.kind !== "when" || !start.compared || wait < 0 || waiting.timeout !== undefined)
    return false;
  const others = [...items.slice(0, wait), ...items.slice(wait + 1)].map(({ raw }) => fieldsOf(raw));
  if (
    others.some(
      (fields) => !["action", "service", "delay", "scene", "type"].some((name) => Object.hasOwn(fields, name)),
    )
  )
    return false;
  if (items.slice(0, wait).some(({ raw }) => Object.hasOwn(fieldsOf(raw), "delay"))) return false;
  const at = items[wait]?.at ?? "";
  const triggers = listIn(waiting.wait_for_trigger);
  // For a time, the wait begins with the state.
  const lasting = fieldsOf(triggers[0]).for;
  const { for: _for, ...bare } = fieldsOf(triggers[0]);
  const trial = { ...context, lines: new Lines() };
  const [end, ...more] = triggers.length === 1 ? (readTrigger(trial, bare, at) ?? []) : [];
  const [status, other] = [start.compared.status, end?.kind === "when" ? end.compared?.status : undefined];
  if (more.length > 0 || other?.node !== status.node || other.property !== status.property) return false;
  if (other.value.value === status.value.value && other.comparison === status.comparison) return false;
  context.lines.begin(at, items[wait]?.raw);
  const delay = lasting === undefined ? [] : [{ raw: { delay: lasting }, at }];
  flow.make("", "starts", (self) => ({
    if: [status],
    then: flow.sequence(items.slice(0, wait), null, self),
    else: flow.sequence([...delay, ...items.slice(wait + 1)], null, self),
  }));
  context.lines.becomesInstead(at, { ...other, andOr: "and" });
  context.lines.becomesInstead("triggers[0]", status);
  return true;
}

const MODES = { single: "wayIn.single", queued: "wayIn.queued", parallel: "wayIn.parallel" } as const;

/** Only what waits can be started again meanwhile. */
function noteMode(lines: Lines, fields: Fields, programs: readonly SourceProgram[]): void {
  const mode = textIn(fields, "mode") || "single";
  const isPausing = programs.some(({ tree }) => pauses([...tree.then, ...tree.else]));
  if (mode === "restart" || !isPausing || !Object.hasOwn(MODES, mode)) return;
  lines.begin("mode", mode);
  lines.note("mode", "differs", message(MODES[mode as keyof typeof MODES]));
}
