/** A program's syntax tree in the interface's JSON. A new kind of condition or action is one case here. */

import type { SceneLink } from "../../home/groups.ts";
import {
  type Action,
  type ActionOperand,
  type Condition,
  type Schedule,
  type Span,
  SYSTEM_VALUES,
  type TimeOfDay,
  type VariableOperand,
} from "../../home/program-syntax.ts";

export function conditionJson(condition: Condition): object {
  const { andOr } = condition;
  switch (condition.kind) {
    case "paren":
      return { type: "paren", andOr, conditions: condition.conditions.map(conditionJson) };
    case "status": {
      const { property, node, comparison, value } = condition;
      return { type: "status", andOr, id: property, node, op: comparison, val: value };
    }
    case "control":
      return { type: "control", andOr, id: condition.command, node: condition.node, op: condition.comparison };
    case "variable":
      return { type: "var", andOr, ...variableTest(condition) };
    case "program":
      return { type: "triggerref", andOr, refid: condition.id, is: condition.is };
    case "schedule":
      return { type: "schedule", andOr, ...daysMember(condition.days), ...scheduleJson(condition.when) };
    case "foreign":
      return { ...JSON.parse(condition.json), andOr };
  }
}

export function actionJson(action: Action): object {
  switch (action.kind) {
    case "command":
      if (action.isGroupQuery) return { type: "device", group: action.node, control: "ST" };
      return { type: "cmd", id: action.command, node: action.node, p: action.parameters.map(parameterJson) };
    case "wait":
      return { type: "wait", ...spanJson(action.span), ...randomMember(action.random) };
    case "repeat-times":
      return { type: "repeat", for: { times: action.times, ...randomMember(action.random) } };
    case "repeat-every":
      return { type: "repeat", every: { ...spanJson(action.span), ...randomMember(action.random) } };
    case "repeat-while":
      return { type: "repeat", while: { var: variableTest(action) } };
    case "variable": {
      const { type, id, operator, operand } = action;
      const source = isOwnValue(action) ? {} : operandJson(operand);
      return { type: "var", varType: String(type), id, op: operator, ...source };
    }
    case "program":
      return { type: action.control, id: action.id };
    case "resource":
      return { type: "net", id: action.id };
    case "link":
      return { type: "lp", group: action.group, ctlId: action.controller, rsp: linkJson(action.link) };
    case "notify": {
      const content = action.content === null ? {} : { content: action.content };
      return { type: "notify", recipient: action.recipient, ...content };
    }
    case "foreign":
      return JSON.parse(action.json);
  }
}

type VariableTest = Pick<Extract<Condition, { kind: "variable" }>, "type" | "id" | "comparison" | "operand">;

function variableTest({ type, id, comparison, operand }: VariableTest): object {
  return { id, varType: String(type), op: comparison, ...operandJson(operand) };
}

function operandJson(operand: VariableOperand | ActionOperand): object {
  switch (operand.kind) {
    case "value":
      return { val: { value: operand.value, prec: operand.prec } };
    case "variable":
      return { var: { id: operand.id, type: String(operand.type) } };
    case "status":
      return {
        status: {
          node: operand.node,
          id: operand.property,
          ...(operand.uom === undefined ? {} : { uom: operand.uom }),
        },
      };
    case "system":
      return { sysval: { id: SYSTEM_VALUES.indexOf(operand.value) + 1 } };
  }
}

/** The variable starts from the value that it has now; clients write no source then. */
function isOwnValue({ type, id, operator, operand }: Extract<Action, { kind: "variable" }>): boolean {
  return operator === "INIT" && operand.kind === "variable" && operand.type === type && operand.id === id;
}

function scheduleJson(schedule: Schedule): object {
  switch (schedule.kind) {
    case "at":
      return { at: timeJson(schedule.at) };
    case "from-to":
      return { from: timeJson(schedule.from), to: timeJson(schedule.to) };
    case "from-for":
      return { from: timeJson(schedule.from), for: { type: "for", ...spanJson(schedule.lasting) } };
  }
}

function timeJson(time: TimeOfDay): object {
  if (time.kind === "last-run") {
    const daily = time.isDaily ? { daily: true } : {};
    const days = time.offsetDays === 0 ? {} : { offsetDays: time.offsetDays };
    return { type: "lastruntime", refid: time.program, offsetSec: time.offsetS, ...daily, ...days };
  }
  const date = time.date === null ? {} : { date: time.date };
  const days = time.offsetDays === 0 ? {} : { offsetDays: time.offsetDays };
  if (time.kind === "time") return { type: "time", time: time.secondOfDay, ...date, ...days };
  return { type: time.kind, offsetSec: time.offsetS, ...date, ...days };
}

function daysMember(days: readonly string[] | null): object {
  return days ? { daysofweek: Object.fromEntries(days.map((day) => [day, true])) } : {};
}

function spanJson({ hours, minutes, seconds }: Span): object {
  return { ...(hours ? { hours } : {}), ...(minutes ? { minutes } : {}), ...(seconds ? { seconds } : {}) };
}

function randomMember(random: boolean): object {
  return random ? { random: true } : {};
}

function linkJson(link: SceneLink): object {
  switch (link.kind) {
    case "native":
      return { type: "native", node: link.node, linkdef: link.linkdef, params: link.parameters.map(parameterJson) };
    case "cmd":
      return { type: "cmd", node: link.node, cmd: { cmdId: link.command, p: link.parameters.map(parameterJson) } };
    case "default":
    case "ignore":
      return { type: link.kind, node: link.node };
  }
}

function parameterJson({ id, value, prec, uom }: Extract<Action, { kind: "command" }>["parameters"][number]): object {
  return { type: "val", id: id === "" ? "n/a" : id, val: { value, prec, uom } };
}
