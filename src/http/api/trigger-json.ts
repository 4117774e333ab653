/**
 * A program's syntax tree in the interface's JSON, both ways: a row for each kind of condition and action. Reading is strict and
 * total: the result is a tree, or an error with its place. Kinds that the interface has and this controller does not carry out are
 * stored unchanged.
 *
 * @see docs/interface/triggers.md
 */

import {
  type Action,
  type ActionOperand,
  COMPARISONS,
  type Condition,
  type Foreign,
  isKeepable,
  SYNTAX_LIMITS as MAX,
  PROGRAM_CONTROLS,
  type ProgramTree,
  SYSTEM_VALUES,
  VARIABLE_OPERATORS,
  type VariableOperand,
  type VariableTest,
  type Weekday,
} from "../../home/program-syntax.ts";
import { type JsonSchema, list, object, partial } from "../schema.ts";
import {
  all,
  type Codec,
  choice,
  fixed,
  join,
  kindsOf,
  listOf,
  maybe,
  member,
  objectOf,
  oneOf,
  option,
  type Part,
  plainText,
  truth,
  usual,
  wholeNumber,
  within,
} from "./codec.ts";
import { LocatedValue, type Members } from "./located-value.ts";
import { ROLE_ACTION, ROLE_ACTION_ABOUT, ROLE_CONDITION, ROLE_CONDITION_ABOUT } from "./role-json.ts";
import {
  ADDRESS,
  DAYS,
  GIVEN,
  ID,
  LASTING,
  LINK,
  operandOptions,
  PARAMETER,
  RANDOM,
  SPAN,
  UNIT,
  VALUE,
  VARIABLE,
  WHEN,
  WORD,
} from "./syntax-codecs.ts";

type Test = Condition extends infer C ? (C extends Condition ? Omit<C, "andOr"> : never) : never;

const COMPARISON = member("op", oneOf(COMPARISONS));
const STATUS = {
  property: member("id", WORD, "Id of a property."),
  node: member("node", ADDRESS),
  comparison: COMPARISON,
};
const OPERAND: Part<VariableOperand> = choice(...operandOptions<VariableOperand>());
const VARIABLE_TEST: Part<Omit<VariableTest, "kind">> = all({ ...VARIABLE, comparison: COMPARISON, operand: OPERAND });
const IS = oneOf(["IS", "ISNOT"]);

const andOr = { type: "string", enum: ["and", "or"], description: "How it follows the one before it." } as const;

const CONDITIONS = kindsOf<Exclude<Test, Foreign>>({
  paren: {
    type: "paren",
    part: {
      required: {
        conditions: list(object({ type: { type: "string" }, andOr }, { additionalProperties: true }), {
          description: "Conditions of all of these kinds again.",
        }),
      },
      optional: {},
      write: ({ conditions }, into) => {
        into.conditions = conditions.map(conditionJson);
      },
      read: (members) => ({ conditions: parseConditions(members.get("conditions")) }),
    },
  },
  status: { type: "status", part: all({ ...STATUS, value: GIVEN }), about: "With `val` or `var`." },
  held: {
    type: "held",
    part: all({ ...STATUS, value: member("val", VALUE), lasting: member("for", LASTING) }),
    about: "A status that has been so without a break for a time.",
  },
  control: {
    type: "control",
    part: all({
      command: member("id", WORD, "A command that the node sends."),
      node: STATUS.node,
      comparison: member("op", IS),
    }),
  },
  variable: { type: "var", part: VARIABLE_TEST },
  program: { type: "triggerref", part: all({ id: member("refid", ID), is: member("is", truth) }) },
  schedule: {
    type: "schedule",
    part: all({
      days: maybe<readonly Weekday[] | null>("daysofweek", DAYS as Codec<readonly Weekday[] | null>, null),
      when: WHEN,
    }),
    about: "One of `at`, `from` with `to`, `from` with `for`.",
  },
  roles: { type: "roles", part: ROLE_CONDITION, about: ROLE_CONDITION_ABOUT },
});

const FOREIGN_CONDITIONS = ["x10", "inet", "ir", "unread"];
const FOREIGN_ACTIONS = ["sys", "x10", "unread"];

type SystemOperand = Extract<ActionOperand, { readonly kind: "system" }>;
type StatusOperand = Extract<ActionOperand, { readonly kind: "status" }>;
const SYSTEM: Codec<SystemOperand> = {
  schema: { description: "A system value of the controller by its number; unknown numbers are returned as sent." },
  write: ({ value }) => ({ id: SYSTEM_VALUES.indexOf(value) + 1 }),
  read: (placed) => {
    const known = systemValueOf(placed.value);
    if (known) return known;
    throw placed.refuse("has to be a known system value");
  },
};
const UNIT_OF_STATUS: Part<Pick<StatusOperand, "uom">> = {
  required: {},
  optional: { uom: UNIT.schema },
  write: ({ uom }, into) => {
    if (uom !== undefined) into.uom = uom;
  },
  read: (members) => {
    const uom = members.find("uom");
    return uom ? { uom: UNIT.read(uom) } : {};
  },
};
const REPORTED: Codec<StatusOperand> = objectOf(
  join(all({ kind: fixed("status"), node: STATUS.node, property: STATUS.property }), UNIT_OF_STATUS),
);
const SOURCES: Part<ActionOperand> = choice<ActionOperand>(
  option<ActionOperand, SystemOperand>("sysval", SYSTEM, ({ kind }) => kind === "system"),
  option<ActionOperand, StatusOperand>("status", REPORTED, ({ kind }) => kind === "status"),
  ...operandOptions<ActionOperand>(),
);

type Assignment = Omit<Extract<Action, { readonly kind: "variable" }>, "kind">;
const TARGET = all({ ...VARIABLE, operator: member("op", oneOf(VARIABLE_OPERATORS)) });
/** Without a source a variable starts from the value that it has when the statement runs; clients write none then. */
const ASSIGNMENT: Part<Assignment> = {
  required: TARGET.required,
  optional: SOURCES.optional,
  write: (given, into) => {
    TARGET.write(given, into);
    if (!isOwnValue(given)) SOURCES.write(given.operand, into);
  },
  read: (members) => {
    const target = TARGET.read(members);
    const hasSource = Object.keys(SOURCES.optional).some((name) => members.find(name) !== null);
    const own = { kind: "variable", type: target.type, id: target.id } as const;
    return { ...target, operand: target.operator === "INIT" && !hasSource ? own : SOURCES.read(members) };
  },
};

function isOwnValue({ type, id, operator, operand }: Assignment): boolean {
  return operator === "INIT" && operand.kind === "variable" && operand.type === type && operand.id === id;
}

type Command = Extract<Action, { readonly kind: "command" }>;
type ProgramCommand = Extract<Action, { readonly kind: "program" }>;
const PROGRAM: Part<ProgramCommand> = all({
  kind: fixed("program"),
  control: member("type", oneOf(PROGRAM_CONTROLS)),
  id: member("id", ID, "Id of a program."),
});
const PROGRAM_CODEC = objectOf(PROGRAM);

const ACTIONS = kindsOf<Exclude<Action, Foreign | Command | ProgramCommand> | Omit<Command, "isGroupQuery">>({
  command: {
    type: "cmd",
    part: all({
      command: member("id", WORD),
      node: STATUS.node,
      parameters: usual("p", listOf(PARAMETER), []),
    }),
  },
  roles: { type: "roles", part: ROLE_ACTION, about: ROLE_ACTION_ABOUT },
  wait: { type: "wait", part: all({ span: SPAN, random: RANDOM }) },
  "repeat-times": {
    type: "repeat",
    when: "for",
    part: within("for", all({ times: member("times", wholeNumber(0, MAX.times)), random: RANDOM })),
  },
  "repeat-every": { type: "repeat", when: "every", part: within("every", all({ span: SPAN, random: RANDOM })) },
  "repeat-while": { type: "repeat", part: within("while", within("var", VARIABLE_TEST)) },
  variable: {
    type: "var",
    part: ASSIGNMENT,
    about: "Without a source it starts from the value of the variable itself.",
  },
  resource: { type: "net", part: all({ id: member("id", ID, "Id of a network resource.") }) },
  link: {
    type: "lp",
    part: all({
      group: member("group", ADDRESS, "Address of a scene."),
      controller: member("ctlId", ADDRESS, "Address of the controller."),
      link: member("rsp", LINK),
    }),
  },
  message: {
    type: "notify",
    when: "text",
    part: all({
      channel: member("to", ADDRESS, "Id of a notification channel."),
      text: member("text", plainText(MAX.messageLength), "The text, in which values are filled in."),
    }),
  },
  notify: {
    type: "notify",
    part: all({
      recipient: member("recipient", wholeNumber(0, MAX.id)),
      content: maybe<number | null>("content", wholeNumber(0, MAX.id) as Codec<number | null>, null),
    }),
  },
});

const ANY = { additionalProperties: true } as const;
const GROUP = { group: { type: "string" }, control: { type: "string", description: "ST queries the group." } } as const;

export const conditionData: JsonSchema = {
  anyOf: [
    ...CONDITIONS.schemas({ andOr }),
    object({ type: { enum: FOREIGN_CONDITIONS }, andOr }, { ...ANY, description: "Stored, and never true." }),
  ],
};

export const actionData: JsonSchema = {
  anyOf: [
    ...ACTIONS.schemas(),
    PROGRAM_CODEC.schema,
    object({ type: { const: "device" } }, { optional: GROUP, ...ANY }),
    object({ type: { enum: FOREIGN_ACTIONS } }, { ...ANY, description: "Stored, and not carried out." }),
  ],
};

/** A statement in a request: the parser names the place of what is wrong. */
export const writtenStatements = list(partial({ type: { type: "string" } }, { additionalProperties: true }), {
  description: "Statements of the kinds that answers describe.",
});

type Json = Readonly<Record<string, unknown>> & { readonly type: string };

export function conditionJson(condition: Condition): Json {
  const { andOr: joined } = condition;
  if (condition.kind === "foreign") return { ...JSON.parse(condition.json), andOr: joined };
  return CONDITIONS.write(condition, { andOr: joined }) as Json;
}

export function actionJson(action: Action): Json {
  if (action.kind === "foreign") return JSON.parse(action.json);
  if (action.kind === "program") return PROGRAM_CODEC.write(action) as Json;
  if (action.kind === "command" && action.isGroupQuery) return { type: "device", group: action.node, control: "ST" };
  return ACTIONS.write(action) as Json;
}

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
    const joined = members.find("andOr")?.oneOf(["and", "or"]) ?? "and";
    const type = members.get("type").value;
    const test = FOREIGN_CONDITIONS.some((each) => each === type)
      ? keep(members)
      : CONDITIONS.read(members, FOREIGN_CONDITIONS);
    return { andOr: joined, ...test } as Condition; // A test with its conjunction is a condition.
  });
}

/** @throws ControllerError BAD_BODY with the place. */
export function parseAction(action: LocatedValue): Action {
  return action.object((members) => {
    const type = members.get("type").value;
    if (type === "device") return parseGroupQuery(members);
    if (PROGRAM_CONTROLS.some((each) => each === type)) return PROGRAM.read(members);
    if (FOREIGN_ACTIONS.some((each) => each === type)) return keep(members);
    const system = type === "var" ? members.find("sysval") : null;
    if (system && !systemValueOf(system.value)) return keep(members);
    return ACTIONS.read(members, ["device", ...PROGRAM_CONTROLS, ...FOREIGN_ACTIONS]);
  });
}

/** A statement of the interface that is not carried out here. */
function keep(members: Members): Foreign {
  const { andOr: _andOr, ...own } = members.takeAll();
  if (!isKeepable(own)) throw members.refuse(`nests deeper than ${MAX.foreignDepth} levels`);
  return { kind: "foreign", json: JSON.stringify(own) };
}

/** The query of a group; other commands of this form are not carried out here. */
function parseGroupQuery(members: Members): Action {
  if (members.get("control").value !== "ST") return keep(members);
  const node = ADDRESS.read(members.get("group"));
  return { kind: "command", command: "QUERY", node, parameters: [], isGroupQuery: true };
}

/** By its name, or as an object with its number. null: one that this controller does not know. */
function systemValueOf(value: unknown): SystemOperand | null {
  const number = typeof value === "object" && value !== null ? Reflect.get(value, "id") : null;
  const known = SYSTEM_VALUES.find((name, index) => name === value || index + 1 === number);
  return known ? { kind: "system", value: known } : null;
}
