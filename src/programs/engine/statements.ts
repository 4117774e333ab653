/** Carries out each kind of statement, except waits and repeats. Every one moves the run on to the next. */

import type { Cause } from "../../home/cause.ts";
import type { RunProgress, SentAction, StartMode, Trigger } from "../../home/program-progress.ts";
import type { Action, ActionOperand, SystemValue } from "../../home/program-syntax.ts";
import type { Program } from "../../home/programs.ts";
import { convertUnit } from "../../profile/convert-unit.ts";
import { UOM } from "../../profile/uom.ts";
import type { Calendar } from "../schedule/calendar.ts";
import { assignedValue } from "./arithmetic.ts";
import { draw } from "./draw.ts";
import { endRun } from "./end-run.ts";
import { causeStarts, takeOnce } from "./limits.ts";
import type { Work } from "./work.ts";

/** Decimals of a value that was converted; the variable then rounds to its own. */
const CONVERTED_PREC = 6;

type Instant = Exclude<Action, { readonly kind: "wait" | "repeat-times" | "repeat-every" | "repeat-while" }>;
type Assignment = Extract<Action, { readonly kind: "variable" }>;
type Control = Extract<Action, { readonly kind: "program" }>;

export function runStatement(work: Work, id: number, action: Instant): void {
  const run = work.runOf(id);
  if (!run) return;
  switch (action.kind) {
    case "command":
      send(work, id, run, action, withNumbers(work, action));
      break;
    case "roles":
      sendToRoles(work, id, run, action);
      break;
    case "resource":
    case "notify":
    case "message":
      send(work, id, run, action, run.about === undefined ? action : { ...action, about: run.about });
      break;
    case "variable":
      traceStatement(work, id, action, assignVariable(work, id, run, action));
      moveOn(work, id);
      break;
    case "program":
      traceStatement(work, id, action, "");
      moveOn(work, id);
      control(work, id, run, action);
      break;
    case "link": {
      const { group, controller, link } = action;
      work.effects.push({ kind: "adjust-link", group, controller, link, cause: ownCause(id, run) });
      traceStatement(work, id, action, "");
      moveOn(work, id);
      break;
    }
    case "foreign":
      traceStatement(work, id, action, "This controller does not carry it out.");
      moveOn(work, id);
  }
}

/** The record of a statement that is about to be counted. */
export function traceStatement(work: Work, id: number, action: Action, detail: string, untilMs?: number): void {
  const run = work.runOf(id);
  if (!run) return;
  const { runId, clause, position, cause } = run;
  const statementId = nextStatementId(run);
  work.trace(() => ({
    kind: "statement",
    atMs: work.nowMs,
    programId: id,
    cause,
    runId,
    statementId,
    clause,
    position,
    action,
    detail,
    ...(untilMs === undefined ? {} : { untilMs }),
    isRepeated: false,
  }));
}

/** The run is the cause of everything that it does. */
export function ownCause(id: number, { runId }: { readonly runId: string }): Cause {
  return { kind: "program", id: runId, by: String(id) };
}

function nextStatementId({ runId, statements }: RunProgress): string {
  return `${runId}-${statements}`;
}

function moveOn(work: Work, id: number): void {
  const run = work.runOf(id);
  if (run) work.patchRun(id, { position: run.position + 1, statements: run.statements + 1 });
}

/** Variables in its parameters have the values that they have now. */
function withNumbers(work: Work, action: Extract<Action, { kind: "command" }>): SentAction {
  const parameters = action.parameters.map((parameter) => {
    const { id, uom } = parameter;
    if (!("variable" in parameter)) return parameter;
    const { value, prec } = work.variable(parameter.variable.type, parameter.variable.id) ?? { value: 0, prec: 0 };
    return { id, value, prec, uom };
  });
  return { ...action, parameters };
}

/** @param written the statement as it stands in the program. */
function send(work: Work, id: number, run: RunProgress, written: Action, action: SentAction): void {
  const { runId, clause, position } = run;
  const isIdempotent = work.facts.isIdempotent(action);
  const statement = { statementId: nextStatementId(run), runId, clause, position, action, isIdempotent };
  traceStatement(work, id, written, "");
  moveOn(work, id);
  work.patchProgress(id, { inFlight: [...work.progressOf(id).inFlight, statement] }, run.cause);
  work.effects.push({ kind: "send", programId: id, statement, cause: ownCause(id, run) });
}

/**
 * All nodes are commanded by one statement. In a chain of causes it is carried out once, because the reports of many devices may start
 * it again, each of them for all of them.
 */
function sendToRoles(work: Work, id: number, run: RunProgress, action: Extract<Action, { kind: "roles" }>): void {
  const members = work.facts.members(action.selector).length;
  const { roleMembersMax } = work.facts.limits;
  const place = `${id} ${run.clause} ${run.position} ${run.repeat?.turns ?? 0}`;
  const refusal =
    members > roleMembersMax
      ? `It means ${members} devices; ${roleMembersMax} are allowed (roleMembersMax).`
      : takeOnce(work, run.effort, place)
        ? null
        : "What led here has led to this statement already, so it is not carried out again.";
  if (refusal === null) {
    work.spendItems(id, members);
    send(work, id, run, action, action);
    return;
  }
  traceStatement(work, id, action, refusal);
  moveOn(work, id);
}

/** @returns what came of it, for the trace. */
function assignVariable(work: Work, id: number, run: RunProgress, action: Assignment): string {
  const variable = work.variable(action.type, action.id);
  if (!variable) return "There is no such variable.";
  let draws = run.draws;
  const drawBelow = (below: number) => draw(run.runId, draws++, below);
  const assigned = assignedValue(variable, action.operator, readOperand(work, action.operand), drawBelow);
  if (draws !== run.draws) work.patchRun(id, { draws });
  if ("refusal" in assigned) return assigned.refusal;
  const { value } = assigned;
  const cause = ownCause(id, run);
  if (action.operator === "INIT") {
    work.setVariable({ ...variable, init: value }, "init", cause);
    return `init ${value}`;
  }
  const isNew = value !== variable.value;
  work.setVariable({ ...variable, value, writtenAtMs: isNew ? work.nowMs : variable.writtenAtMs }, "value", cause);
  if (isNew) {
    const trigger: Trigger = { kind: "variable", type: action.type, id: action.id, value };
    const concerned = work.facts.triggers.onVariable(action.type, action.id);
    causeStarts(work, { id, effort: run.effort }, concerned, { mode: "conditions", trigger, cause }, "change");
  }
  return String(value);
}

function readOperand(work: Work, operand: ActionOperand): { readonly value: number; readonly prec: number } | null {
  switch (operand.kind) {
    case "value":
      return operand;
    case "variable":
      return work.variable(operand.type, operand.id);
    case "status":
      return readStatus(work, operand);
    case "system": {
      const value = readSystem(work, operand.value);
      return value === null ? null : { value, prec: 0 };
    }
  }
}

function readStatus(work: Work, { node, property: id, uom }: Extract<ActionOperand, { kind: "status" }>) {
  const property = work.property(node, id);
  if (!property || property.value === null) return null;
  const { value, prec } = property;
  if (uom === undefined || uom === UOM.none || uom === property.uom) return { value, prec };
  const converted = convertUnit(value / 10 ** prec, property.uom, uom);
  return converted === null ? null : { value: Math.round(converted * 10 ** CONVERTED_PREC), prec: CONVERTED_PREC };
}

/** null: the sun does not rise or set on that day. */
function readSystem({ calendar, nowMs }: Work, value: SystemValue): number | null {
  const { year, month, day, hour, minute, second } = calendar.zone.parts(nowMs);
  const today = Date.UTC(year, month - 1, day);
  switch (value) {
    case "secondOfDay":
      return (hour * 60 + minute) * 60 + second;
    case "sunriseToday":
      return sunOfDay(calendar, "sunrise", calendar.dayOf(nowMs));
    case "sunsetToday":
      return sunOfDay(calendar, "sunset", calendar.dayOf(nowMs));
    case "sunriseTomorrow":
      return sunOfDay(calendar, "sunrise", calendar.dayOf(nowMs) + 1);
    case "sunsetTomorrow":
      return sunOfDay(calendar, "sunset", calendar.dayOf(nowMs) + 1);
    case "unixTime":
      return Math.floor(nowMs / 1000);
    case "year":
      return year;
    case "month":
      return month;
    case "day":
      return day;
    case "dayOfYear":
      return Math.round((today - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
    case "weekday":
      return new Date(today).getUTCDay();
    case "hour":
      return hour;
    case "minute":
      return minute;
    case "second":
      return second;
    case "minuteOfDay":
      return hour * 60 + minute;
  }
}

/** Seconds since local midnight. */
function sunOfDay(calendar: Calendar, kind: "sunrise" | "sunset", day: number): number | null {
  const atMs = calendar.instantOf({ kind, offsetS: 0, date: null, offsetDays: 0 }, day);
  if (atMs === null) return null;
  const { hour, minute, second } = calendar.zone.parts(atMs);
  return (hour * 60 + minute) * 60 + second;
}

const CALLS: Readonly<Record<"runif" | "runthen" | "runelse", StartMode>> = {
  runif: "if",
  runthen: "then",
  runelse: "else",
};

function control(work: Work, id: number, run: RunProgress, action: Control): void {
  const cause = ownCause(id, run);
  switch (action.control) {
    case "runif":
    case "runthen":
    case "runelse": {
      const trigger: Trigger = { kind: "call", programId: id, runId: run.runId, control: action.control };
      const mode = CALLS[action.control];
      work.leaveUnfinished(id, run.runId);
      causeStarts(work, { id, effort: run.effort }, [action.id], { mode, trigger, cause }, "call");
      break;
    }
    case "stop":
      work.dropStarts(action.id);
      endRun(work, action.id, "stopped");
      break;
    case "enable":
    case "disable":
      enableProgram(work, action.id, action.control === "enable", cause);
      break;
    case "rebootrun":
    case "rebootnotrun":
      setFlag(work, action.id, { runAtStartup: action.control === "rebootrun" }, cause);
  }
}

/** Events that it missed while disabled stay missed. */
export function enableProgram(work: Work, id: number, enabled: boolean, cause: Cause): void {
  if (!setFlag(work, id, { enabled }, cause)) return;
  if (enabled && work.progressOf(id).settledUntilMs !== null)
    work.patchProgress(id, { settledUntilMs: work.nowMs }, cause);
  work.reschedule(id, cause);
}

function setFlag(
  work: Work,
  id: number,
  flag: Partial<Pick<Program, "enabled" | "runAtStartup">>,
  cause: Cause,
): boolean {
  const program = work.program(id);
  if (program?.kind !== "program") return false;
  const isNew = Object.entries(flag).some(([name, value]) => Reflect.get(program, name) !== value);
  if (isNew) work.setProgram(id, flag, cause);
  return isNew;
}
