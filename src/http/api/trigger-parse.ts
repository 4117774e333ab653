/**
 * Parses a program's syntax tree from the interface's JSON; trigger-json.ts is the inverse. Strict and total: the
 * result is a tree or an error with its place. Kinds that the interface has and this controller does not carry out
 * are stored unchanged.
 *
 * @see docs/interface/triggers.md
 */

import type { SceneLink } from "../../home/groups.ts";
import {
  type Action,
  type ActionOperand,
  COMPARISONS,
  type Condition,
  type GivenValue,
  isKeepable,
  PROGRAM_CONTROLS,
  type ProgramTree,
  type Schedule,
  SYNTAX_LIMITS,
  SYSTEM_VALUES,
  type SyntaxValue,
  type TimeOfDay,
  VARIABLE_OPERATORS,
  type VariableOperand,
  type VariableOperator,
  WEEKDAYS,
  type Weekday,
} from "../../home/program-syntax.ts";
import type { VariableType } from "../../home/variables.ts";
import { LocatedValue, type Members } from "./located-value.ts";
import { parseRoleAction, parseRoleCondition } from "./role-json.ts";
import { parseLasting, precision, rawValue, spanOf, syntaxValue } from "./syntax-value.ts";

const DAY_S = 86_400;
const MAX = SYNTAX_LIMITS;

/** @throws ControllerError BAD_BODY with the place. */
export function parseTree(members: Members): ProgramTree {
  return {
    if: parseConditions(members.get("if")),
    then: members.get("then").list(parseAction),
    else: members.get("else").list(parseAction),
  };
}

type WrittenTree = { readonly if: unknown; readonly then: unknown; readonly else: unknown };

/** @throws ControllerError BAD_BODY with the place. */
export function parseWrittenTree({ if: conditions, then, else: otherwise }: WrittenTree): ProgramTree {
  return new LocatedValue({ if: conditions, then, else: otherwise }, "").object(parseTree);
}

/** @throws ControllerError BAD_BODY with the place. */
export function parseConditions(conditions: LocatedValue): readonly Condition[] {
  return conditions.list(parseCondition);
}

/** @throws ControllerError BAD_BODY with the place. */
export function parseCondition(condition: LocatedValue): Condition {
  return condition.object((members) => {
    const andOr = members.find("andOr")?.oneOf(["and", "or"]) ?? "and";
    return { andOr, ...kindOf(members, CONDITIONS) } as Condition; // A test with its conjunction is a condition.
  });
}

type Test = Condition extends infer C ? (C extends Condition ? Omit<C, "andOr"> : never) : never;

const CONDITIONS: Readonly<Record<string, (members: Members) => Test>> = {
  paren: (members) => ({ kind: "paren", conditions: parseConditions(members.get("conditions")) }),
  status: (members) => ({
    kind: "status",
    property: word(members.get("id")),
    node: address(members.get("node")),
    comparison: members.get("op").oneOf(COMPARISONS),
    value: givenValue(members),
  }),
  held: (members) => ({
    kind: "held",
    property: word(members.get("id")),
    node: address(members.get("node")),
    comparison: members.get("op").oneOf(COMPARISONS),
    value: syntaxValue(members.get("val")),
    lasting: parseLasting(members.get("for")),
  }),
  control: (members) => ({
    kind: "control",
    command: word(members.get("id")),
    node: address(members.get("node")),
    comparison: members.get("op").oneOf(["IS", "ISNOT"]),
  }),
  var: (members) => ({ kind: "variable", ...variableTest(members) }),
  triggerref: (members) => ({ kind: "program", id: id(members.get("refid")), is: members.get("is").boolean() }),
  schedule: parseSchedule,
  roles: parseRoleCondition,
  x10: keep,
  inet: keep,
  ir: keep,
  unread: keep,
};

const ACTIONS: Readonly<Record<string, (members: Members) => Action>> = {
  cmd: (members) => ({
    kind: "command",
    command: word(members.get("id")),
    node: address(members.get("node")),
    parameters: members.find("p")?.list(givenParameter) ?? [],
  }),
  roles: parseRoleAction,
  wait: (members) => ({ kind: "wait", span: spanOf(members), random: random(members) }),
  repeat: parseRepeat,
  var: parseAssignment,
  ...Object.fromEntries(
    PROGRAM_CONTROLS.map((control) => [
      control,
      (members: Members): Action => ({ kind: "program", control, id: id(members.get("id")) }),
    ]),
  ),
  net: (members) => ({ kind: "resource", id: id(members.get("id")) }),
  notify: parseNotification,
  lp: (members) => ({
    kind: "link",
    group: address(members.get("group")),
    controller: address(members.get("ctlId")),
    link: members.get("rsp").object(parseLink),
  }),
  sys: keep,
  device: parseGroupQuery,
  x10: keep,
  unread: keep,
};

/** @throws ControllerError BAD_BODY with the place. */
export function parseAction(action: LocatedValue): Action {
  return action.object((members) => kindOf(members, ACTIONS));
}

function kindOf<T>(members: Members, kinds: Readonly<Record<string, (members: Members) => T>>): T {
  const type = members.get("type");
  const name = word(type);
  const read = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!read) throw type.refuse(`has to be one of ${Object.keys(kinds).join(", ")}`);
  return read(members);
}

/** A statement of the interface that is not carried out here. */
function keep(members: Members): { readonly kind: "foreign"; readonly json: string } {
  const { andOr: _andOr, ...own } = members.takeAll();
  if (!isKeepable(own)) throw members.refuse(`nests deeper than ${MAX.foreignDepth} levels`);
  return { kind: "foreign", json: JSON.stringify(own) };
}

function variableTest(members: Members) {
  return {
    type: variableType(members.get("varType")),
    id: id(members.get("id")),
    comparison: members.get("op").oneOf(COMPARISONS),
    operand: variableOperand(members),
  };
}

function parseRepeat(members: Members): Action {
  const times = members.find("for");
  if (times) {
    return times.object((each) => ({
      kind: "repeat-times",
      times: each.get("times").integer(0, MAX.times),
      random: random(each),
    }));
  }
  const every = members.find("every");
  if (every) return every.object((each) => ({ kind: "repeat-every", span: spanOf(each), random: random(each) }));
  return members
    .get("while")
    .object((condition) =>
      condition.get("var").object((test) => ({ kind: "repeat-while" as const, ...variableTest(test) })),
    );
}

/** The query of a group; other commands of this form are not carried out here. */
function parseGroupQuery(members: Members): Action {
  if (members.get("control").value !== "ST") return keep(members);
  return { kind: "command", command: "QUERY", node: address(members.get("group")), parameters: [], isGroupQuery: true };
}

/** By numbers, as on the original controllers, or a text to a channel. */
function parseNotification(members: Members): Action {
  const text = members.find("text");
  if (text) return { kind: "message", text: text.text(MAX.messageLength), channel: address(members.get("to")) };
  return {
    kind: "notify",
    recipient: members.get("recipient").integer(0, MAX.id),
    content: members.find("content")?.integer(0, MAX.id) ?? null,
  };
}

function parseAssignment(members: Members): Action {
  const system = members.find("sysval");
  const systemOperand = system && systemValueOf(system.value);
  if (system && !systemOperand) return keep(members);
  const variable = { type: variableType(members.get("varType")), id: id(members.get("id")) };
  const operator = members.get("op").oneOf(VARIABLE_OPERATORS);
  const operand =
    systemOperand ??
    (hasSource(members, operator) ? actionOperand(members) : ({ kind: "variable", ...variable } as const));
  return { kind: "variable", ...variable, operator, operand };
}

/** By its name, or as an object with its number. null: one that this controller does not know. */
function systemValueOf(value: unknown): Extract<ActionOperand, { kind: "system" }> | null {
  const number = typeof value === "object" && value !== null ? Reflect.get(value, "id") : null;
  const known = SYSTEM_VALUES.find((name, index) => name === value || index + 1 === number);
  return known ? { kind: "system", value: known } : null;
}

/** Without a source a variable starts from the value that it has when the statement runs. */
function hasSource(members: Members, operator: VariableOperator): boolean {
  return operator !== "INIT" || ["val", "var", "status"].some((name) => members.find(name) !== null);
}

function actionOperand(members: Members): ActionOperand {
  const status = members.find("status");
  if (!status) return variableOperand(members);
  return status.object((each) => ({
    kind: "status",
    node: address(each.get("node")),
    property: word(each.get("id")),
    ...unitOf(each),
  }));
}

function unitOf(members: Members): { readonly uom?: number } {
  const uom = members.find("uom")?.integer(0, MAX.uom);
  return uom === undefined ? {} : { uom };
}

function variableOperand(members: Members): VariableOperand {
  const other = members.find("var");
  if (other) {
    return other.object((each) => ({
      kind: "variable",
      type: variableType(each.get("type")),
      id: id(each.get("id")),
    }));
  }
  return members.get("val").object((each) => ({ kind: "value", value: rawValue(each), prec: precision(each) }));
}

function parseLink(members: Members): SceneLink {
  const type = members.get("type").oneOf(["native", "cmd", "default", "ignore"]);
  const node = address(members.get("node"));
  switch (type) {
    case "native": {
      const parameters = members.find("params")?.list(parameter) ?? [];
      return { kind: type, node, linkdef: word(members.get("linkdef")), parameters };
    }
    case "cmd":
      return members.get("cmd").object((command) => ({
        kind: type,
        node,
        command: word(command.get("cmdId")),
        parameters: command.find("p")?.list(parameter) ?? [],
      }));
    case "default":
    case "ignore":
      return { kind: type, node };
  }
}

function parseSchedule(members: Members): Test {
  return { kind: "schedule", days: weekdays(members.find("daysofweek")), when: scheduleOf(members) };
}

function scheduleOf(members: Members): Schedule {
  const at = members.find("at");
  if (at) {
    for (const name of ["from", "to", "for"]) {
      if (members.find(name)) throw at.refuse(`cannot stand beside "${name}"`);
    }
    return { kind: "at", at: at.object(timeOfDay) };
  }
  const from = members.get("from").object(timeOfDay);
  const lasting = members.find("for");
  if (!lasting) return { kind: "from-to", from, to: members.get("to").object(timeOfDay) };
  if (members.find("to")) throw lasting.refuse('cannot stand beside "to"');
  const span = lasting.object((each) => {
    each.find("type")?.oneOf(["for"]);
    return spanOf(each);
  });
  return { kind: "from-for", from, lasting: span };
}

function timeOfDay(members: Members): TimeOfDay {
  const kind = members.get("type").oneOf(["time", "sunrise", "sunset", "lastruntime"]);
  if (kind === "lastruntime") {
    return {
      kind: "last-run",
      program: id(members.get("refid")),
      offsetS: members.find("offsetSec")?.integer(-MAX.lastRunOffsetS, MAX.lastRunOffsetS) ?? 0,
      isDaily: members.find("daily")?.boolean() ?? false,
      date: null,
      offsetDays: members.find("offsetDays")?.integer(0, MAX.offsetDays) ?? 0,
    };
  }
  const date = members.find("date");
  const common = {
    date: date === null ? null : calendarDate(date),
    offsetDays: members.find("offsetDays")?.integer(0, MAX.offsetDays) ?? 0,
  };
  if (kind === "time") return { kind, secondOfDay: members.get("time").integer(0, DAY_S - 1), ...common };
  return { kind, offsetS: members.find("offsetSec")?.integer(-MAX.offsetS, MAX.offsetS) ?? 0, ...common };
}

function calendarDate(date: LocatedValue): string {
  const text = date.text(MAX.wordLength);
  if (!/^\d{4}\/(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])$/.test(text)) throw date.refuse('has to be a day "YYYY/MM/DD"');
  return text;
}

/** In the order in which they stand. */
function weekdays(days: LocatedValue | null): readonly Weekday[] | null {
  if (days === null) return null;
  return days.object((members) =>
    Object.keys(members.takeAll()).flatMap((name) => {
      const day = WEEKDAYS.find((each) => each === name);
      if (!day) throw days.refuse(`has to have members of ${WEEKDAYS.join(", ")}`);
      return members.get(day).boolean() ? [day] : [];
    }),
  );
}

function parameter(placed: LocatedValue): SyntaxValue & { readonly id: string } {
  return placed.object((members) => {
    members.find("type")?.oneOf(["val"]);
    const name = word(members.get("id"));
    return { id: name === "n/a" ? "" : name, ...syntaxValue(members.get("val")) };
  });
}

function givenParameter(placed: LocatedValue): GivenValue & { readonly id: string } {
  return placed.object((members) => {
    members.find("type")?.oneOf(["val", "var"]);
    const name = word(members.get("id"));
    return { id: name === "n/a" ? "" : name, ...givenValue(members) };
  });
}

/** `val`, or `var` for the value that the variable has when it is needed. */
function givenValue(members: Members): GivenValue {
  const variable = members.find("var");
  if (!variable) return syntaxValue(members.get("val"));
  return variable.object((each) => ({
    variable: { type: variableType(each.get("type")), id: id(each.get("id")) },
    uom: each.find("uom")?.integer(0, MAX.uom) ?? 0,
  }));
}

function variableType(placed: LocatedValue): VariableType {
  return placed.oneOf(["1", "2"]) === "1" ? 1 : 2;
}

function id(placed: LocatedValue): number {
  return placed.integer(1, MAX.id);
}

function address(placed: LocatedValue): string {
  return placed.text(MAX.addressLength);
}

function word(placed: LocatedValue): string {
  return placed.text(MAX.wordLength);
}

function random(members: Members): boolean {
  return members.find("random")?.boolean() ?? false;
}
