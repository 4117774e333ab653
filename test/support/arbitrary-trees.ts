/** Arbitrary syntax trees with every kind of condition and action, naming things by the addresses and ids that are given. */

import fc from "fast-check";
import type { SceneLink } from "../../src/home/groups.ts";
import {
  type Action,
  type ActionOperand,
  COMPARISONS,
  type Condition,
  type GivenValue,
  PROGRAM_CONTROLS,
  type ProgramTree,
  type Span,
  SYNTAX_LIMITS,
  SYSTEM_VALUES,
  type SyntaxValue,
  type TimeOfDay,
  VARIABLE_OPERATORS,
  type VariableOperand,
  WEEKDAYS,
  type Weekday,
} from "../../src/home/program-syntax.ts";
import type { VariableType } from "../../src/home/variables.ts";
import { arbitraryRoleAction, arbitraryRoleCondition } from "./arbitrary-roles.ts";

/** Things that a tree can name besides random ones; those of a home make texts with names. */
export type Names = {
  readonly addresses: readonly string[];
  readonly words: readonly string[];
  readonly ids: readonly number[];
};

const NO_NAMES: Names = { addresses: [], words: [], ids: [] };
const FOREIGN_CONDITIONS = [
  { type: "x10", hc: "A", cc: 2, uc: 1, op: "IS" },
  { type: "ir", code: 6, op: "IS", control: "HLD" },
  { type: "inet", id: "oadr", control: "price", op: "GT", action: "a 'quoted' \\ text" },
];
const FOREIGN_ACTIONS = [
  { type: "sys", cmd: 17 },
  { type: "unread", xml: '<siren level="3" />' },
  { type: "device", group: "31004", control: "DON" },
  { type: "var", varType: "1", id: 1, op: "EQ", sysval: 3 },
];

const oneOf = <T>(known: readonly T[], random: fc.Arbitrary<T>) =>
  known.length > 0 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, random) : random;
/** Texts for addresses and words: no control characters, not empty. */
const plain = (maxLength: number) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength })
    .filter((text) => text.length <= 100 && !/\p{Cc}/u.test(text));

/** @returns trees as the service accepts them: whole numbers within the documented ranges. */
export function arbitraryTree(names: Names = NO_NAMES): fc.Arbitrary<ProgramTree> {
  const { conditions, actions } = statements(names);
  return fc.record({
    if: conditions,
    then: fc.array(actions, { maxLength: 6 }),
    else: fc.array(actions, { maxLength: 3 }),
  });
}

export function arbitraryConditions(names: Names = NO_NAMES): fc.Arbitrary<readonly Condition[]> {
  return statements(names).conditions;
}

function statements(names: Names) {
  const address = oneOf(names.addresses, plain(20));
  const word = oneOf(names.words, plain(10)).filter((text) => text !== "n/a");
  const id = oneOf(names.ids, fc.integer({ min: 1, max: 65_535 }));
  const leaves = { address, word, id };
  return { conditions: arbitraryIf(leaves), actions: arbitraryAction(leaves) };
}

type Leaves = {
  readonly address: fc.Arbitrary<string>;
  readonly word: fc.Arbitrary<string>;
  readonly id: fc.Arbitrary<number>;
};

const andOr = fc.constantFrom("and" as const, "or" as const);
const comparison = fc.constantFrom(...COMPARISONS);
const variableType: fc.Arbitrary<VariableType> = fc.constantFrom(1, 2);
const prec = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, 1) }, fc.integer({ min: 0, max: 9 }));
const raw = fc.oneof(fc.integer({ min: -3000, max: 3000 }), fc.maxSafeInteger());
const number = fc.record({ value: raw, prec });
const value: fc.Arbitrary<SyntaxValue> = fc.record({
  value: fc.oneof(raw, fc.constantFrom(0, 1, 2, 100)),
  prec,
  uom: fc.oneof(fc.integer({ min: 0, max: 160 }), fc.constantFrom(0, 4, 14, 25, 51, 78, 98, 100, 9999)),
});
const spanPart = fc.oneof(fc.constantFrom(0, 1, 5), fc.integer({ min: 0, max: 99_999 }));
const lasting: fc.Arbitrary<Span> = fc.record({
  hours: fc.constantFrom(0, 1),
  minutes: fc.constantFrom(0, 90),
  seconds: fc.constantFrom(1, 30),
});
const span: fc.Arbitrary<Span> = fc.record({ hours: spanPart, minutes: spanPart, seconds: spanPart });

const date = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
    .map(([year, month, day]) => [String(year).padStart(4, "0"), two(month), two(day)].join("/")),
);
const offsetDays = fc.oneof(fc.constantFrom(0, 0, 1), fc.integer({ min: 0, max: 366 }));
const time: fc.Arbitrary<TimeOfDay> = fc.oneof(
  fc.record({
    kind: fc.constant("time" as const),
    secondOfDay: fc.integer({ min: 0, max: 86_399 }),
    date,
    offsetDays,
  }),
  fc.record({
    kind: fc.constantFrom("sunrise" as const, "sunset" as const),
    offsetS: fc.oneof(fc.constantFrom(0, 900, -1800), fc.integer({ min: -86_400, max: 86_400 })),
    date,
    offsetDays,
  }),
  fc.record({
    kind: fc.constant("last-run" as const),
    program: fc.integer({ min: 1, max: 40 }),
    offsetS: fc.integer({ min: -SYNTAX_LIMITS.lastRunOffsetS, max: SYNTAX_LIMITS.lastRunOffsetS }),
    isDaily: fc.boolean(),
    date: fc.constant(null),
    offsetDays,
  }),
);
const days: fc.Arbitrary<readonly Weekday[] | null> = fc.option(fc.shuffledSubarray([...WEEKDAYS]));
const schedule = fc.oneof(
  fc.record({ kind: fc.constant("at" as const), at: time }),
  fc.record({ kind: fc.constant("from-to" as const), from: time, to: time }),
  fc.record({ kind: fc.constant("from-for" as const), from: time, lasting: span }),
);

function operandOf({ id }: Leaves): fc.Arbitrary<VariableOperand> {
  return fc.oneof(
    number.map((given) => ({ kind: "value" as const, ...given })),
    fc.record({ kind: fc.constant("variable" as const), type: variableType, id }),
  );
}

function actionOperand(leaves: Leaves): fc.Arbitrary<ActionOperand> {
  const { address, word } = leaves;
  return fc.oneof(
    operandOf(leaves),
    fc.record({ kind: fc.constant("status" as const), node: address, property: word }),
    fc.record({
      kind: fc.constant("status" as const),
      node: address,
      property: word,
      uom: fc.constantFrom(4, 17, 51, 9999),
    }),
    fc.record({ kind: fc.constant("system" as const), value: fc.constantFrom(...SYSTEM_VALUES) }),
  );
}

function arbitraryIf(leaves: Leaves): fc.Arbitrary<readonly Condition[]> {
  const { address, word, id } = leaves;
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({
      andOr,
      kind: fc.constant("status" as const),
      node: address,
      property: word,
      comparison,
      value: givenValue(id),
    }),
    fc.record({
      andOr,
      kind: fc.constant("control" as const),
      node: address,
      command: word,
      comparison: fc.constantFrom("IS" as const, "ISNOT" as const),
    }),
    fc.record({
      andOr,
      kind: fc.constant("variable" as const),
      type: variableType,
      id,
      comparison,
      operand: operandOf(leaves),
    }),
    fc.record({ andOr, kind: fc.constant("program" as const), id, is: fc.boolean() }),
    fc.record({ andOr, kind: fc.constant("schedule" as const), days, when: schedule }),
    arbitraryRoleCondition(address, word, value, lasting),
    fc.record({
      andOr,
      kind: fc.constant("held" as const),
      node: address,
      property: word,
      comparison,
      value,
      lasting,
    }),
    fc.constantFrom(...FOREIGN_CONDITIONS).chain((given) => andOr.map((joined) => ({ andOr: joined, ...kept(given) }))),
  );
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4, depthIdentifier: "parentheses" },
      { weight: 5, arbitrary: leaf },
      {
        weight: 1,
        arbitrary: fc.record({
          andOr,
          kind: fc.constant("paren" as const),
          conditions: fc.array(tie("condition"), { maxLength: 3 }),
        }),
      },
    ),
  }));
  return fc.array(condition, { maxLength: 5 });
}

function arbitraryLink({ address, word }: Leaves): fc.Arbitrary<SceneLink> {
  const parameters = parametersOf(word);
  return fc.oneof(
    fc.record({ kind: fc.constant("native" as const), node: address, linkdef: word, parameters }),
    fc.record({ kind: fc.constant("cmd" as const), node: address, command: word, parameters }),
    fc.record({ kind: fc.constantFrom("default" as const, "ignore" as const), node: address }),
  );
}

/** Mostly a number, sometimes a variable. */
function givenValue(id: fc.Arbitrary<number>): fc.Arbitrary<GivenValue> {
  const variable = fc.record({ type: variableType, id });
  return fc.oneof(
    { weight: 3, arbitrary: value },
    { weight: 1, arbitrary: fc.record({ variable, uom: fc.constantFrom(0, 0, 17, 51, 9999) }) },
  );
}

function givenParameters(word: fc.Arbitrary<string>, id: fc.Arbitrary<number>) {
  const parameter = fc
    .tuple(fc.oneof(fc.constant(""), word), givenValue(id))
    .map(([name, given]) => ({ id: name, ...given }));
  return fc.array(parameter, { maxLength: 2 });
}

function parametersOf(word: fc.Arbitrary<string>) {
  const parameter = fc.tuple(fc.oneof(fc.constant(""), word), value).map(([name, given]) => ({ id: name, ...given }));
  return fc.array(parameter, { maxLength: 2 });
}

function arbitraryAction(leaves: Leaves): fc.Arbitrary<Action> {
  const { address, word, id } = leaves;
  return fc.oneof(
    fc.record({
      kind: fc.constant("command" as const),
      node: address,
      command: word,
      parameters: givenParameters(word, id),
    }),
    arbitraryRoleAction(address, value),
    fc.record({ kind: fc.constant("wait" as const), span, random: fc.boolean() }),
    fc.record({
      kind: fc.constant("repeat-times" as const),
      times: fc.integer({ min: 0, max: 99_999 }),
      random: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("repeat-every" as const), span, random: fc.boolean() }),
    fc.record({
      kind: fc.constant("repeat-while" as const),
      type: variableType,
      id,
      comparison,
      operand: operandOf(leaves),
    }),
    fc.record({
      kind: fc.constant("variable" as const),
      type: variableType,
      id,
      operator: fc.constantFrom(...VARIABLE_OPERATORS),
      operand: actionOperand(leaves),
    }),
    fc.record({ kind: fc.constant("program" as const), id, control: fc.constantFrom(...PROGRAM_CONTROLS) }),
    fc.record({ kind: fc.constant("resource" as const), id }),
    fc.record({
      kind: fc.constant("notify" as const),
      recipient: fc.integer({ min: 0, max: 65_535 }),
      content: fc.option(fc.integer({ min: 0, max: 65_535 })),
    }),
    fc.record({ kind: fc.constant("message" as const), channel: address, text: address }),
    fc.record({
      kind: fc.constant("link" as const),
      group: address,
      controller: address,
      link: arbitraryLink(leaves),
    }),
    fc.constantFrom(...FOREIGN_ACTIONS).map(kept),
  );
}

function kept(statement: object) {
  return { kind: "foreign" as const, json: JSON.stringify(statement) };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
