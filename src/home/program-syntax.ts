/**
 * The syntax tree of a program: conditions and actions, as the triggers page of the interface shows them.
 * Node addresses and program ids are kept as they were given; a reference may dangle.
 *
 * @see docs/interface/triggers.md
 */

import type { Measure, RoleCommand, RoleWord } from "../profile/role-words.ts";
import type { StatusWord } from "../profile/status-words.ts";
import type { UnionOf } from "../util/union.ts";
import type { SceneLink } from "./groups.ts";
import type { VariableType } from "./variables.ts";

export const COMPARISONS = ["GT", "GE", "LT", "LE", "IS", "ISNOT"] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** displayed = value / 10^prec */
export type SyntaxValue = { readonly value: number; readonly prec: number; readonly uom: number };
/** The value that a variable has when it is needed. `uom`: the unit that it counts as; 0 as the other side has. */
type VariableValue = {
  readonly variable: { readonly type: VariableType; readonly id: number };
  readonly uom: number;
};
export type GivenValue = SyntaxValue | VariableValue;

/** null when the value is that of a variable. */
export function constantOf<T extends GivenValue>(given: T): Exclude<T, VariableValue> | null {
  return "variable" in given ? null : (given as Exclude<T, VariableValue>); // The compiler does not narrow T.
}
type Joined = { readonly andOr: "and" | "or" };

/** `date`: null for times of every day, and always for those after a last run. */
type Dated = { readonly date: string | null; readonly offsetDays: number };

export type TimeOfDay =
  | (Dated & { readonly kind: "time"; readonly secondOfDay: number })
  | (Dated & { readonly kind: "sunrise" | "sunset"; readonly offsetS: number })
  | LastRunTime;

/**
 * A time in seconds after the last run of a program began; may be negative. `isDaily`: at that time of the day on
 * every following day.
 */
export type LastRunTime = Dated & {
  readonly kind: "last-run";
  readonly program: number;
  readonly offsetS: number;
  readonly isDaily: boolean;
};

export type Span = { readonly hours: number; readonly minutes: number; readonly seconds: number };
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * A statement of the interface that this controller does not carry out (X10, tariffs …), as JSON text without `andOr`. It is
 * kept for its owner; the program that holds it is invalid and never runs.
 */
export type Foreign = { readonly kind: "foreign"; readonly json: string };

/**
 * Nodes by what they are and where they lie, without some. Which ones these are is looked up when it is needed, so it stays true
 * when the home changes. Names decide nothing.
 */
export type Selector = {
  readonly role: RoleWord | Measure;
  /** Addresses of folders, with all that lies below them; none: the whole home. */
  readonly places: readonly string[];
  /** Addresses of nodes. */
  readonly except: readonly string[];
};

/** What is asked of the nodes of a selector. With none of them, the condition is false. */
export type RoleTest =
  | { readonly how: "any" | "all" | "none"; readonly is: StatusWord; readonly lasting?: Span }
  | { readonly how: "number"; readonly is: StatusWord; readonly comparison: Comparison; readonly number: number }
  | { readonly how: RoleSummary; readonly comparison: Comparison; readonly value: SyntaxValue }
  | { readonly how: "sends"; readonly command: string; readonly comparison: "IS" | "ISNOT" };

export const ROLE_SUMMARIES = ["average", "min", "max"] as const;
type RoleSummary = (typeof ROLE_SUMMARIES)[number];

type Conditions = {
  paren: { conditions: readonly Condition[] };
  status: { node: string; property: string; comparison: Comparison; value: GivenValue };
  control: { node: string; command: string; comparison: "IS" | "ISNOT" };
  variable: { type: VariableType; id: number; comparison: Comparison; operand: VariableOperand };
  program: { id: number; is: boolean };
  schedule: { days: readonly Weekday[] | null; when: Schedule };
  /** A status that has held without a break for a time. */
  held: { node: string; property: string; comparison: Comparison; value: SyntaxValue; lasting: Span };
  /** By room and role. With `lasting`, each node by itself has been so for that time. */
  roles: { selector: Selector; test: RoleTest };
};

/** Also the end of a repetition. */
export type VariableTest = Readonly<Conditions["variable"]>;
export type Condition = Joined & (UnionOf<"kind", Conditions> | Foreign);

export type VariableOperand =
  | { readonly kind: "value"; readonly value: number; readonly prec: number }
  | { readonly kind: "variable"; readonly type: VariableType; readonly id: number };

export type Schedule =
  | { readonly kind: "at"; readonly at: TimeOfDay }
  | { readonly kind: "from-to"; readonly from: TimeOfDay; readonly to: TimeOfDay }
  | { readonly kind: "from-for"; readonly from: TimeOfDay; readonly lasting: Span };

export const PROGRAM_CONTROLS = [
  "runif",
  "runthen",
  "runelse",
  "enable",
  "disable",
  "stop",
  "rebootrun",
  "rebootnotrun",
] as const;
export type ProgramControl = (typeof PROGRAM_CONTROLS)[number];

type Actions = {
  command: {
    node: string;
    command: string;
    parameters: readonly (GivenValue & { readonly id: string })[];
    /** Some clients write the query of a group as a statement of its own, and read only that. */
    isGroupQuery?: true;
  };
  /** To all nodes of a selector that take it. `value`: a level or a set-point. */
  roles: { selector: Selector; command: RoleCommand; value: SyntaxValue | null };
  wait: { span: Span; random: boolean };
  "repeat-times": { times: number; random: boolean };
  "repeat-every": { span: Span; random: boolean };
  "repeat-while": VariableTest;
  variable: { type: VariableType; id: number; operator: VariableOperator; operand: ActionOperand };
  program: { id: number; control: ProgramControl };
  resource: { id: number };
  /** Sets what a responder of a scene does when this controller of the scene is used. */
  link: { group: string; controller: string; link: SceneLink };
  notify: { recipient: number; content: number | null };
  /** A text of the program itself to one channel, by its id. */
  message: { channel: string; text: string };
};

export type Action = UnionOf<"kind", Actions> | Foreign;

export const VARIABLE_OPERATORS = [
  "EQ",
  "ADD=",
  "SUB=",
  "MUL=",
  "DIV=",
  "REM=",
  "AND=",
  "OR=",
  "XOR=",
  "RDM=",
  "INIT",
] as const;
export type VariableOperator = (typeof VARIABLE_OPERATORS)[number];

export type ActionOperand =
  | VariableOperand
  /** `uom`: the unit to convert the value to; absent: as the device reports it. */
  | { readonly kind: "status"; readonly node: string; readonly property: string; readonly uom?: number }
  | { readonly kind: "system"; readonly value: SystemValue };

/**
 * Parts of the local date and time, numbered from 1 in the interface. `weekday`: 0 = Sunday. Seconds and minutes of
 * the day, also those of the sun, count from local midnight by the wall clock.
 */
export const SYSTEM_VALUES = [
  "secondOfDay",
  "minuteOfDay",
  "dayOfYear",
  "day",
  "weekday",
  "year",
  "month",
  "hour",
  "minute",
  "second",
  "sunriseToday",
  "sunsetToday",
  "sunriseTomorrow",
  "sunsetTomorrow",
  "unixTime",
] as const;
export type SystemValue = (typeof SYSTEM_VALUES)[number];

/** Limits of a tree in every spelling. Lower bounds are 0, of ids 1; `value` may be negative. */
export const SYNTAX_LIMITS = {
  id: 65_535,
  uom: 9999,
  prec: 9,
  value: Number.MAX_SAFE_INTEGER,
  addressLength: 100,
  wordLength: 100,
  messageLength: 1000,
  /** Hours, minutes or seconds of a span. */
  spanPart: 99_999,
  times: 99_999,
  /** Folders, and excepted nodes, of a selector. */
  places: 64,
  except: 64,
  offsetDays: 366,
  /** Seconds before or after sunrise and sunset. */
  offsetS: 86_400,
  /** Seconds before or after the last run of a program. */
  lastRunOffsetS: 366 * 86_400,
  /** Nesting of lists and objects in a stored foreign statement, so that every form can print it. */
  foreignDepth: 32,
} as const;

/** Whether a statement that is not carried out here may be kept. */
export function isKeepable(statement: object): boolean {
  return isShallow(statement, SYNTAX_LIMITS.foreignDepth);
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

export type ProgramTree = {
  readonly if: readonly Condition[];
  readonly then: readonly Action[];
  readonly else: readonly Action[];
};

export const EMPTY_TREE: ProgramTree = { if: [], then: [], else: [] };
