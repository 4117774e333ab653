/** Parts of statements in the interface's JSON: constants, variables, spans, times, links of scenes. */

import type { SceneLink } from "../../home/groups.ts";
import {
  type GivenValue,
  SYNTAX_LIMITS as MAX,
  type Schedule,
  type Span,
  type SyntaxValue,
  type TimeOfDay,
  type VariableOperand,
  WEEKDAYS,
  type Weekday,
} from "../../home/program-syntax.ts";
import type { VariableType } from "../../home/variables.ts";
import {
  all,
  type Codec,
  choice,
  fixed,
  join,
  kindsOf,
  listOf,
  mapped,
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
import type { LocatedValue, Members } from "./located-value.ts";

const DAY_S = 86_400;

export const ID = wholeNumber(1, MAX.id);
export const ADDRESS = plainText(MAX.addressLength);
export const WORD = plainText(MAX.wordLength);
const WHOLE = wholeNumber(-MAX.value, MAX.value);
export const UNIT = wholeNumber(0, MAX.uom);
const DECIMALS = usual("prec", wholeNumber(0, MAX.prec), 0);

const RAW = member("value", WHOLE, "Raw; displayed = value / 10^prec.");
const unit = usual("uom", UNIT, 0, "Unit of measure.");
const CONSTANT_VALUE: Part<SyntaxValue> = all({ value: RAW, prec: DECIMALS, uom: unit });
export const VALUE: Codec<SyntaxValue> = objectOf(CONSTANT_VALUE);

const VARIABLE_TYPE = mapped(
  oneOf(["1", "2"]),
  (type: VariableType) => (type === 1 ? "1" : "2"),
  (name) => (name === "1" ? 1 : 2),
);
const VARIABLE_ID = { type: member("type", VARIABLE_TYPE, "1 integer, 2 state."), id: member("id", ID) };
export const VARIABLE = { type: member("varType", VARIABLE_TYPE, "1 integer, 2 state."), id: member("id", ID) };

type VariableValue = Exclude<GivenValue, SyntaxValue>;
const VARIABLE_VALUE: Codec<VariableValue> = objectOf(
  all({
    variable: all(VARIABLE_ID),
    uom: maybe("uom", UNIT, 0, "Unit of its value; left out: that of the other side."),
  }),
);
const VARIABLE_GIVEN = option<GivenValue, VariableValue>("var", VARIABLE_VALUE, (given) => "variable" in given);
const CONSTANT_GIVEN = option<GivenValue, SyntaxValue>("val", VALUE, (given) => !("variable" in given));
/** `val`, or `var` for the value that the variable has when it is needed. */
export const GIVEN: Part<GivenValue> = choice(VARIABLE_GIVEN, CONSTANT_GIVEN);

const PARAMETER_NAME = mapped(
  WORD,
  (id: string) => (id === "" ? "n/a" : id),
  (name) => (name === "n/a" ? "" : name),
);
const NAME = member("id", PARAMETER_NAME, "n/a for the unnamed first parameter.");
/** Says again which member there is; a reader does not need it. */
const TYPE: Part<GivenValue> = {
  required: { type: { enum: ["val", "var"] } },
  optional: {},
  write: (given, into) => {
    into.type = "variable" in given ? "var" : "val";
  },
  read: (members) => {
    members.find("type")?.oneOf(["val", "var"]);
    return {} as GivenValue; // Nothing of the value is in it.
  },
};
type Named = { readonly id: string };
export const PARAMETER: Codec<GivenValue & Named> = objectOf(join(join(TYPE, all({ id: NAME })), GIVEN));
const CONSTANT: Codec<SyntaxValue & Named> = objectOf(
  join(join(TYPE, all({ id: NAME })), within("val", CONSTANT_VALUE)),
);

type ConstantOperand = Extract<VariableOperand, { readonly kind: "value" }>;
type OtherVariable = Extract<VariableOperand, { readonly kind: "variable" }>;
const CONSTANT_OPERAND: Codec<ConstantOperand> = objectOf(all({ kind: fixed("value"), value: RAW, prec: DECIMALS }));
const OTHER_VARIABLE: Codec<OtherVariable> = objectOf(all({ kind: fixed("variable"), ...VARIABLE_ID }));
/** Options of any union of operands. */
export const operandOptions = <U extends { readonly kind: string }>() => [
  option<U | VariableOperand, OtherVariable>("var", OTHER_VARIABLE, ({ kind }) => kind === "variable"),
  option<U | VariableOperand, ConstantOperand>("val", CONSTANT_OPERAND, ({ kind }) => kind === "value"),
];

const spanPart = (name: string) => maybe(name, wholeNumber(0, MAX.spanPart), 0);
export const SPAN: Part<Span> = all({
  hours: spanPart("hours"),
  minutes: spanPart("minutes"),
  seconds: spanPart("seconds"),
});
/** How long something has been so. */
export const LASTING: Codec<Span> = {
  ...objectOf(SPAN, "At least a second."),
  read: (placed) => {
    const span = placed.object(SPAN.read);
    if (span.hours + span.minutes + span.seconds === 0) throw placed.refuse("has to be at least a second");
    return span;
  },
};
export const RANDOM = maybe("random", truth, false, "A random time, or number, up to this one.");

const DATE: Codec<string> = {
  ...WORD,
  read: (placed) => {
    const text = WORD.read(placed);
    if (/^\d{4}\/(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])$/.test(text)) return text;
    throw placed.refuse('has to be a day "YYYY/MM/DD"');
  },
};
const offset = (maxS: number) =>
  usual("offsetSec", wholeNumber(-maxS, maxS), 0, "Seconds later, or earlier when negative.");
const offsetDays = maybe("offsetDays", wholeNumber(0, MAX.offsetDays), 0, "Days later.");
const dated = { date: maybe<string | null>("date", DATE as Codec<string | null>, null, "YYYY/MM/DD"), offsetDays };
const ofSun = all({ offsetS: offset(MAX.offsetS), ...dated });
const TIMES = kindsOf<TimeOfDay>({
  time: {
    type: "time",
    part: all({ secondOfDay: member("time", wholeNumber(0, DAY_S - 1), "Second of the day."), ...dated }),
  },
  sunrise: { type: "sunrise", part: ofSun },
  sunset: { type: "sunset", part: ofSun },
  "last-run": {
    type: "lastruntime",
    part: all({
      program: member("refid", ID, "Id of a program."),
      offsetS: offset(MAX.lastRunOffsetS),
      isDaily: maybe("daily", truth, false),
      date: fixed<string | null>(null),
      offsetDays,
    }),
  },
});
const TIME = TIMES.codec;

/** In the order in which they stand. */
export const DAYS: Codec<readonly Weekday[]> = {
  schema: { type: "object", additionalProperties: { const: true }, description: "mon to sun; left out: every day." },
  write: (days) => Object.fromEntries(days.map((day) => [day, true])),
  read: (placed) =>
    placed.object((members) =>
      Object.keys(members.takeAll()).flatMap((name) => {
        const day = WEEKDAYS.find((each) => each === name);
        if (!day) throw placed.refuse(`has to have members of ${WEEKDAYS.join(", ")}`);
        return members.get(day).boolean() ? [day] : [];
      }),
    ),
};

const LENGTH = objectOf(all({ type: usual("type", oneOf(["for"]), "for"), span: SPAN }));

/** One of `at`, `from` with `to`, `from` with `for`. */
export const WHEN: Part<Schedule> = {
  required: {},
  optional: { at: TIME.schema, from: TIME.schema, to: TIME.schema, for: LENGTH.schema },
  write: (when, into) => {
    if (when.kind === "at") into.at = TIME.write(when.at);
    else into.from = TIME.write(when.from);
    if (when.kind === "from-to") into.to = TIME.write(when.to);
    if (when.kind === "from-for") into.for = LENGTH.write({ type: "for", span: when.lasting });
  },
  read: (members) => {
    const at = members.find("at");
    if (at) {
      refuseBeside(members, at, ["from", "to", "for"]);
      return { kind: "at", at: TIME.read(at) };
    }
    const from = TIME.read(members.get("from"));
    const lasting = members.find("for");
    if (!lasting) return { kind: "from-to", from, to: TIME.read(members.get("to")) };
    refuseBeside(members, lasting, ["to"]);
    return { kind: "from-for", from, lasting: LENGTH.read(lasting).span };
  },
};

function refuseBeside(members: Members, given: LocatedValue, names: readonly string[]): void {
  for (const name of names) if (members.find(name)) throw given.refuse(`cannot stand beside "${name}"`);
}

const LINK_NODE = { node: member("node", ADDRESS) };
const PARAMETERS = listOf(CONSTANT);
/** What a responder of a scene does. */
export const LINK: Codec<SceneLink> = kindsOf<SceneLink>({
  native: {
    type: "native",
    part: all({ ...LINK_NODE, linkdef: member("linkdef", WORD), parameters: usual("params", PARAMETERS, []) }),
  },
  cmd: {
    type: "cmd",
    part: join(
      all(LINK_NODE),
      within("cmd", all({ command: member("cmdId", WORD), parameters: usual("p", PARAMETERS, []) })),
    ),
  },
  default: { type: "default", part: all(LINK_NODE) },
  ignore: { type: "ignore", part: all(LINK_NODE) },
}).codec;
