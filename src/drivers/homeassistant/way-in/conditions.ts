/** The conditions of an automation. What cannot be said here is null, and its line says why. */

import type { Comparison, Condition, TimeOfDay, Weekday } from "../../../home/program-syntax.ts";
import { WEEKDAYS } from "../../../home/program-syntax.ts";
import { type Message, message } from "../../../messages.ts";
import { ownMember } from "../../../util/foreign-value.ts";
import { deviceState } from "./device-words.ts";
import { attributeIs, type Compared, type KnownEntity, numberIs, stateIs } from "./entity-words.ts";
import { allOf, anyOf, type Expression, opposite } from "./expression.ts";
import { type Context, Lines } from "./lines.ts";
import * as read from "./read.ts";
import { conditionIn } from "./template.ts";

const { allKnown, fieldsOf, listIn, numberIn, secondsIn, spanIn, textIn, timeAt, timeIn, wordsIn } = read;
type Fields = read.Fields;
type Row = (context: Context, fields: Fields, at: string) => Expression | null;

const DEPTH_MAX = 12;
const NO_STATES: readonly string[] = ["unavailable", "unknown"];
/** The first two are those of Home Assistant; templates have the others, too. */
const LIMITS: readonly (readonly [name: string, comparison: Comparison])[] = [
  ...([
    ["above", "GT"],
    ["below", "LT"],
    ["from", "GE"],
    ["to", "LE"],
    ["is", "IS"],
    ["isnot", "ISNOT"],
  ] as const),
];
const DAY_START = timeAt(0);

const ROWS: Readonly<Record<string, Row>> = {
  state,
  numeric_state: numericState,
  time,
  sun,
  template: (context, fields, at) => template(context, fields.value_template, at),
  device(context, fields, at) {
    const own = deviceState(context.known, fields, "state");
    if (!own) return out(context, at, message("wayIn.device"));
    return (own.state === undefined ? numericState : state)(context, own, at);
  },
  trigger: ({ triggerId }, fields) => (triggerId === null ? null : wordsIn(fields.id).includes(triggerId)),
};

export function out({ lines }: Context, at: string, why: Message): null {
  lines.note(at, "out", why);
  return null;
}

export function readCondition(context: Context, raw: unknown, at: string, depth = 0): Expression | null {
  const { lines } = context;
  lines.begin(at, raw);
  if (depth > DEPTH_MAX) return lines.lose(at, message("wayIn.tooMuch"));
  if (typeof raw === "string") return said(context, at, template(context, raw, at));
  const fields = fieldsOf(raw);
  if (fields.enabled === false) {
    lines.note(at, "same", message("wayIn.disabled"));
    return true;
  }
  const kind = textIn(fields, "condition");
  const join = ["and", "or", "not"].find((each) => Object.hasOwn(fields, each) || kind === each);
  if (join !== undefined) {
    const member = Object.hasOwn(fields, join) ? join : "conditions";
    const parts = readConditions(context, fields[member], `${at}.${member}`, depth + 1);
    if (parts === null) return lines.lose(at, message("wayIn.partMissing"));
    if (join !== "not") return join === "and" ? allOf(parts) : anyOf(parts);
    const turned = opposite(anyOf(parts));
    return turned === null ? lines.lose(at, message("wayIn.opposite")) : said(context, at, turned);
  }
  if (kind.includes("{{")) return said(context, at, template(context, fields.condition, at));
  const row = ownMember(ROWS, kind);
  if (!row) return lines.lose(at, message("wayIn.otherCondition", { kind: kind.slice(0, 60) || "?" }));
  return said(context, at, row(context, fields, at));
}

/** null: one of them cannot be said; all of them are read for their lines. */
export function readConditions(context: Context, raw: unknown, at: string, depth = 0): readonly Expression[] | null {
  return allKnown(listIn(raw).map((each, index) => readCondition(context, each, `${at}[${index}]`, depth)));
}

/** The line says what it became, or that the rest is lost without it. */
function said({ lines }: Context, at: string, expression: Expression | null): Expression | null {
  if (expression === null) lines.isLost = true;
  else if (typeof expression !== "boolean") lines.becomes(at, { conditions: [expression] });
  return expression;
}

/** null, and the line says so: no node shows it. */
export function findEntity(context: Context, entity: string, at: string): KnownEntity | null {
  return context.known.find(entity) ?? out(context, at, message("wayIn.noDevice", { entity }));
}

/** One of the states of one entity. */
export function comparedState(
  context: Context,
  entity: string,
  at: string,
  { attribute, word }: { readonly attribute: string; readonly word: string },
): Compared | null {
  const found = findEntity(context, entity, at);
  if (!found) return null;
  if (attribute === "" && NO_STATES.includes(word)) return out(context, at, message("wayIn.link"));
  if (word === "not_home") context.lines.note(at, "differs", message("wayIn.zones"));
  const compared = attribute === "" ? stateIs(found, word) : attributeIs(found, attribute, numberIn(word) ?? word);
  return compared ?? out(context, at, message("wayIn.noState", { entity, state: word }));
}

function state(context: Context, fields: Fields, at: string): Expression | null {
  const entities = wordsIn(fields.entity_id);
  const words = wordsIn(fields.state);
  if (entities.length === 1 && entities[0] === "sun.sun") {
    const [after, before] = ownMember(HORIZON, words.join()) ?? [];
    return sun(context, { after, before }, at);
  }
  const lasting = fields.for === undefined ? null : spanIn(fields.for);
  if (fields.for !== undefined && lasting === null) return out(context, at, message("wayIn.span"));
  const attribute = textIn(fields, "attribute");
  const each = entities.map((entity) => {
    const tests = allKnown(words.map((word) => comparedState(context, entity, at, { attribute, word })));
    return tests && tests.length > 0 ? anyOf(tests.map(({ status }) => heldFor(status, lasting))) : null;
  });
  const known = allKnown(each);
  if (!known || known.length === 0) return null;
  return fields.match === "any" ? anyOf(known) : allOf(known);
}

export function heldFor(status: Compared["status"], lasting: ReturnType<typeof spanIn>): Condition {
  return lasting === null ? status : { ...status, kind: "held", lasting };
}

function numericState(context: Context, fields: Fields, at: string): Expression | null {
  const each = allKnown(wordsIn(fields.entity_id).map((entity) => comparedNumber(context, fields, entity, at)));
  return each && each.length > 0 ? allOf(each.flat().map(({ status }) => status)) : null;
}

/** Its limits. null: no numbers, or not here. */
export function comparedNumber(
  context: Context,
  fields: Fields,
  entity: string,
  at: string,
): readonly Compared[] | null {
  const attribute = textIn(fields, "attribute") || null;
  if (fields.value_template !== undefined) return out(context, at, message("wayIn.template"));
  const found = findEntity(context, entity, at);
  const limits = LIMITS.filter(([name]) => fields[name] !== undefined && fields[name] !== null);
  const compared = limits.map(([name, comparison]) => {
    const limit = numberIn(fields[name]);
    if (!found) return null;
    if (limit === null) return out(context, at, message("wayIn.limitOfEntity"));
    const test = numberIs(found, attribute, comparison, limit);
    return test ?? out(context, at, message("wayIn.noState", { entity, state: attribute ?? String(limit) }));
  });
  return compared.length > 0 ? allKnown(compared) : null;
}

function window(from: TimeOfDay, to: TimeOfDay, days: readonly Weekday[] | null = null): Expression {
  return { kind: "schedule", andOr: "and", days, when: { kind: "from-to", from, to } };
}

/** undefined: not told; null: not known. */
export function daysIn(value: unknown): readonly Weekday[] | null | undefined {
  if (value === undefined || value === null) return undefined;
  const words = wordsIn(value);
  const days = WEEKDAYS.filter((day) => words.includes(day));
  return days.length === words.length ? days : null;
}

function time(context: Context, fields: Fields, at: string): Expression | null {
  const [after, before] = [fields.after, fields.before].map((each) => (each === undefined ? undefined : timeIn(each)));
  const days = daysIn(fields.weekday);
  if (after === null || before === null || days === null) return out(context, at, message("wayIn.helperTime"));
  if (days && after && before && secondOf(after) >= secondOf(before))
    context.lines.note(at, "differs", message("wayIn.nightDays"));
  return window(after ?? DAY_START, before ?? DAY_START, days);
}

function secondOf(time: TimeOfDay): number {
  return time.kind === "time" ? time.secondOfDay : 0;
}

/** Until midnight where only one end is named; from sunset to sunrise is through the night. */
function sun(context: Context, fields: Fields, at: string): Expression | null {
  const ends = (["after", "before"] as const).map((name) =>
    fields[name] === undefined ? DAY_START : sunTime(textIn(fields, name), fields[`${name}_offset`]),
  );
  const [after, before] = ends;
  if (!after || !before || ends.every((each) => each === DAY_START)) return out(context, at, message("wayIn.sun"));
  return window(after, before);
}

/** null: it is no time of the sun, or its offset is a template. */
export function sunTime(kind: string, offset: unknown = 0): TimeOfDay | null {
  const offsetS = secondsIn(offset);
  if ((kind !== "sunrise" && kind !== "sunset") || offsetS === null) return null;
  return { kind, offsetS, date: null, offsetDays: 0 };
}

/** What begins with each state of the sun, and what ends it. */
export const HORIZON: Readonly<Record<string, readonly [string, string]>> = {
  below_horizon: ["sunset", "sunrise"],
  above_horizon: ["sunrise", "sunset"],
};

/** It has one line, whatever is in it. */
export function template(context: Context, text: unknown, at: string): Expression | null {
  const fields = typeof text === "string" ? conditionIn(text) : null;
  if (!fields) return out(context, at, message("wayIn.template"));
  const lines = new Lines();
  const expression = readCondition({ ...context, lines }, fields, at);
  for (const { fate, notes } of lines.all()) for (const note of notes) context.lines.note(at, fate, note);
  return expression;
}
