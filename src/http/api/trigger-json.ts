/** A program's syntax tree in the interface's JSON. A new kind of condition or action is one case here. */

import type { SceneLink } from "../../home/groups.ts";
import {
  type Action,
  type ActionOperand,
  COMPARISONS,
  type Condition,
  constantOf,
  type GivenValue,
  PROGRAM_CONTROLS,
  type Schedule,
  SYSTEM_VALUES,
  type SyntaxValue,
  type TimeOfDay,
  VARIABLE_OPERATORS,
  type VariableOperand,
  type VariableTest,
} from "../../home/program-syntax.ts";
import type { VariableType } from "../../home/variables.ts";
import { type Fits, list, object, partial } from "../schema.ts";
import { roleActionData, roleActionJson, roleConditionData, roleConditionJson } from "./role-json.ts";
import { lastingData, spanJson } from "./syntax-value.ts";

const value = object(
  { value: { type: "integer", description: "Raw; displayed = value / 10^prec." } },
  { optional: { prec: { type: "integer" }, uom: { type: "integer", description: "Unit of measure." } } },
);
const variableType = { type: "string", enum: ["1", "2"], description: "1 integer, 2 state." } as const;
const comparison = { type: "string", enum: COMPARISONS } as const;
const constantParameterData = object({
  type: { const: "val" },
  id: { type: "string", description: "n/a for the unnamed first parameter." },
  val: value,
});
const variableValue = object(
  { id: { type: "integer" }, type: variableType },
  { optional: { uom: { type: "integer", description: "Unit of its value; left out: that of the other side." } } },
);
const parameterData = {
  anyOf: [
    constantParameterData,
    object(
      { type: { const: "var" }, id: { type: "string" }, var: variableValue },
      { description: "A variable's value." },
    ),
  ],
} as const;
const span = { hours: { type: "integer" }, minutes: { type: "integer" }, seconds: { type: "integer" } } as const;
const random = { const: true, description: "A random time, or number, up to this one." } as const;
const offsetDays = { type: "integer", description: "Days later." } as const;
const offsetSec = { type: "integer", description: "Seconds later, or earlier when negative." } as const;
const date = { type: "string", description: "YYYY/MM/DD; left out: every day." } as const;
const timeData = {
  anyOf: [
    object(
      { type: { const: "time" }, time: { type: "integer", description: "Second of the day." } },
      { optional: { date, offsetDays } },
    ),
    object({ type: { enum: ["sunrise", "sunset"] }, offsetSec }, { optional: { date, offsetDays } }),
    object(
      { type: { const: "lastruntime" }, refid: { type: "integer", description: "Id of a program." }, offsetSec },
      { optional: { daily: { const: true }, offsetDays } },
    ),
  ],
} as const;
/** Where a value comes from: one of these members, or of them and `status` in an assignment. */
const operand = {
  val: value,
  var: object({ id: { type: "integer" }, type: variableType }),
} as const;
const variableTest = { id: { type: "integer" }, varType: variableType, op: comparison } as const;
const variableTestData = object(variableTest, {
  optional: operand,
  description: "A variable compared with one of `val` and `var`.",
});
const andOr = { type: "string", enum: ["and", "or"], description: "How it follows the one before it." } as const;

export const conditionData = {
  anyOf: [
    object({
      type: { const: "paren" },
      andOr,
      conditions: list(object({ type: { type: "string" }, andOr }, { additionalProperties: true }), {
        description: "Conditions of all of these kinds again.",
      }),
    }),
    object(
      {
        type: { const: "status" },
        andOr,
        id: { type: "string", description: "Id of a property." },
        node: { type: "string" },
        op: comparison,
      },
      { optional: { val: value, var: variableValue }, description: "With `val` or `var`." },
    ),
    object(
      {
        type: { const: "held" },
        andOr,
        id: { type: "string", description: "Id of a property." },
        node: { type: "string" },
        op: comparison,
        val: value,
        for: lastingData,
      },
      { description: "A status that has been so without a break for a time." },
    ),
    object({
      type: { const: "control" },
      andOr,
      id: { type: "string", description: "A command that the node sends." },
      node: { type: "string" },
      op: { type: "string", enum: ["IS", "ISNOT"] },
    }),
    object({ type: { const: "var" }, andOr, ...variableTest }, { optional: operand }),
    object({ type: { const: "triggerref" }, andOr, refid: { type: "integer" }, is: { type: "boolean" } }),
    object(
      { type: { const: "schedule" }, andOr },
      {
        optional: {
          daysofweek: {
            type: "object",
            additionalProperties: { const: true },
            description: "mon to sun; left out: every day.",
          },
          at: timeData,
          from: timeData,
          to: timeData,
          for: partial({ type: { const: "for" }, ...span }),
        },
        description: "One of `at`, `from` with `to`, `from` with `for`.",
      },
    ),
    roleConditionData(andOr),
    object(
      { type: { enum: ["x10", "inet", "ir", "unread"] }, andOr },
      { additionalProperties: true, description: "Stored, and never true." },
    ),
  ],
} as const;

const linkData = object(
  { type: { type: "string", enum: ["native", "cmd", "default", "ignore"] }, node: { type: "string" } },
  {
    optional: {
      linkdef: { type: "string" },
      params: list(constantParameterData),
      cmd: object({ cmdId: { type: "string" }, p: list(constantParameterData) }),
    },
  },
);

export const actionData = {
  anyOf: [
    object({ type: { const: "cmd" }, id: { type: "string" }, node: { type: "string" }, p: list(parameterData) }),
    object(
      { type: { const: "device" } },
      {
        optional: { group: { type: "string" }, control: { type: "string", description: "ST queries the group." } },
        additionalProperties: true,
      },
    ),
    object({ type: { const: "wait" } }, { optional: { ...span, random } }),
    object(
      { type: { const: "repeat" } },
      {
        optional: {
          for: object({ times: { type: "integer" } }, { optional: { random } }),
          every: partial({ ...span, random }),
          while: object({ var: variableTestData }),
        },
        description: "One of `for`, `every` and `while`.",
      },
    ),
    object(
      {
        type: { const: "var" },
        varType: variableType,
        id: { type: "integer" },
        op: { type: "string", enum: VARIABLE_OPERATORS },
      },
      {
        optional: {
          ...operand,
          status: object(
            { node: { type: "string" }, id: { type: "string", description: "Id of a property." } },
            { optional: { uom: { type: "integer" } } },
          ),
          sysval: {
            description: "A system value of the controller by its number; unknown numbers are returned as sent.",
          },
        },
        description: "Without a source it starts from the value of the variable itself.",
      },
    ),
    roleActionData,
    object({ type: { enum: PROGRAM_CONTROLS }, id: { type: "integer", description: "Id of a program." } }),
    object({ type: { const: "net" }, id: { type: "integer", description: "Id of a network resource." } }),
    object({
      type: { const: "lp" },
      group: { type: "string", description: "Address of a scene." },
      ctlId: { type: "string", description: "Address of the controller." },
      rsp: linkData,
    }),
    object(
      { type: { const: "notify" }, recipient: { type: "integer" } },
      { optional: { content: { type: "integer" } } },
    ),
    object({
      type: { const: "notify" },
      to: { type: "string", description: "Id of a notification channel." },
      text: { type: "string", description: "The text, in which values are filled in." },
    }),
    object(
      { type: { enum: ["sys", "x10", "unread"] } },
      { additionalProperties: true, description: "Stored, and not carried out." },
    ),
  ],
} as const;

/** A statement in a request: the parser names the place of what is wrong. */
export const writtenStatements = list(partial({ type: { type: "string" } }, { additionalProperties: true }), {
  description: "Statements of the kinds that answers describe.",
});

export function conditionJson(condition: Condition): Fits<typeof conditionData> {
  const { andOr } = condition;
  switch (condition.kind) {
    case "paren":
      return { type: "paren", andOr, conditions: condition.conditions.map(conditionJson) };
    case "status": {
      const { property, node, comparison, value } = condition;
      return { type: "status", andOr, id: property, node, op: comparison, ...givenJson(value) };
    }
    case "held": {
      const { property, node, comparison, value, lasting } = condition;
      return { type: "held", andOr, id: property, node, op: comparison, val: value, for: spanJson(lasting) };
    }
    case "control":
      return { type: "control", andOr, id: condition.command, node: condition.node, op: condition.comparison };
    case "variable":
      return { type: "var", andOr, ...variableTestJson(condition) };
    case "program":
      return { type: "triggerref", andOr, refid: condition.id, is: condition.is };
    case "schedule":
      return { type: "schedule", andOr, ...daysMember(condition.days), ...scheduleJson(condition.when) };
    case "roles":
      return { ...roleConditionJson(condition), andOr };
    case "foreign":
      return { ...JSON.parse(condition.json), andOr };
  }
}

export function actionJson(action: Action): Fits<typeof actionData> {
  switch (action.kind) {
    case "command":
      if (action.isGroupQuery) return { type: "device", group: action.node, control: "ST" };
      return { type: "cmd", id: action.command, node: action.node, p: action.parameters.map(givenParameterJson) };
    case "roles":
      return roleActionJson(action);
    case "wait":
      return { type: "wait", ...spanJson(action.span), ...randomMember(action.random) };
    case "repeat-times":
      return { type: "repeat", for: { times: action.times, ...randomMember(action.random) } };
    case "repeat-every":
      return { type: "repeat", every: { ...spanJson(action.span), ...randomMember(action.random) } };
    case "repeat-while":
      return { type: "repeat", while: { var: variableTestJson(action) } };
    case "variable": {
      const { type, id, operator, operand } = action;
      const source = isOwnValue(action) ? {} : operandJson(operand);
      return { type: "var", varType: typeName(type), id, op: operator, ...source };
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
    case "message":
      return { type: "notify", to: action.channel, text: action.text };
    case "foreign":
      return JSON.parse(action.json);
  }
}

function variableTestJson({ type, id, comparison, operand }: VariableTest): Fits<typeof variableTestData> {
  return { id, varType: typeName(type), op: comparison, ...variableOperandJson(operand) };
}

function variableOperandJson(operand: VariableOperand) {
  if (operand.kind === "value") return { val: { value: operand.value, prec: operand.prec } };
  return { var: { id: operand.id, type: typeName(operand.type) } };
}

function typeName(type: VariableType): "1" | "2" {
  return type === 1 ? "1" : "2";
}

function operandJson(operand: ActionOperand) {
  switch (operand.kind) {
    case "value":
    case "variable":
      return variableOperandJson(operand);
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

function scheduleJson(schedule: Schedule) {
  switch (schedule.kind) {
    case "at":
      return { at: timeJson(schedule.at) };
    case "from-to":
      return { from: timeJson(schedule.from), to: timeJson(schedule.to) };
    case "from-for":
      return { from: timeJson(schedule.from), for: { type: "for" as const, ...spanJson(schedule.lasting) } };
  }
}

function timeJson(time: TimeOfDay): Fits<typeof timeData> {
  if (time.kind === "last-run") {
    const daily = time.isDaily ? { daily: true as const } : {};
    const days = time.offsetDays === 0 ? {} : { offsetDays: time.offsetDays };
    return { type: "lastruntime", refid: time.program, offsetSec: time.offsetS, ...daily, ...days };
  }
  const date = time.date === null ? {} : { date: time.date };
  const days = time.offsetDays === 0 ? {} : { offsetDays: time.offsetDays };
  if (time.kind === "time") return { type: "time", time: time.secondOfDay, ...date, ...days };
  return { type: time.kind, offsetSec: time.offsetS, ...date, ...days };
}

function daysMember(days: readonly string[] | null): { readonly daysofweek?: Readonly<Record<string, true>> } {
  return days ? { daysofweek: Object.fromEntries(days.map((day) => [day, true] as const)) } : {};
}

function randomMember(random: boolean): { readonly random?: true } {
  return random ? { random: true } : {};
}

function linkJson(link: SceneLink): Fits<typeof linkData> {
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

function givenJson(given: GivenValue) {
  if (!("variable" in given)) return { val: { value: given.value, prec: given.prec, uom: given.uom } };
  const { variable, uom } = given;
  return { var: { id: variable.id, type: typeName(variable.type), ...(uom === 0 ? {} : { uom }) } };
}

function givenParameterJson(parameter: GivenValue & { readonly id: string }): Fits<typeof parameterData> {
  const constant = constantOf(parameter);
  if (constant) return parameterJson(constant);
  const given = givenJson(parameter);
  return { type: "var", id: parameterId(parameter), ...given } as Fits<typeof parameterData>; // It has `var`.
}

function parameterJson(parameter: SyntaxValue & { readonly id: string }): Fits<typeof constantParameterData> {
  const { value, prec, uom } = parameter;
  return { type: "val", id: parameterId(parameter), val: { value, prec, uom } };
}

function parameterId({ id }: { readonly id: string }): string {
  return id === "" ? "n/a" : id;
}
