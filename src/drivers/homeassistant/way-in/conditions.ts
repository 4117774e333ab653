/** The conditions of an automation. What cannot be said here is null, and its line says why. */

import type { Condition, Schedule, TimeOfDay, Weekday } from "../../../home/program-syntax.ts";
import { WEEKDAYS } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import { attributeIs, type Compared, type KnownEntity, numberIs, stateIs } from "./entity-words.ts";
import { allOf, anyOf, type Expression, opposite } from "./expression.ts";
import type { Context } from "./lines.ts";
import { type Fields, fieldsOf, listIn, numberIn, secondsIn, spanIn, textIn, timeAt, timeIn, wordsIn } from "./read.ts";
import { type TemplateTest, testsIn } from "./template.ts";

type Row = (context: Context, fields: Fields, at: string) => Expression | null;

const DEPTH_MAX = 12;
const NO_STATES: readonly string[] = ["unavailable", "unknown"];
/** What conditions of devices say of entities, by the end of their type. */
const DEVICE_STATES: Readonly<Record<string, string>> = {
  ...{ is_on: "on", is_off: "off", is_open: "open", is_closed: "closed", is_locked: "locked", is_unlocked: "unlocked" },
};

const ROWS: Readonly<Record<string, Row>> = {
  state,
  numeric_state: numericState,
  time,
  sun,
  template: ({ known, lines, triggerId }, fields, at) =>
    template({ known, lines, triggerId }, fields.value_template, at),
  device,
  trigger: ({ triggerId }, fields) => (triggerId === null ? null : wordsIn(fields.id).includes(triggerId)),
};

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
  for (const join of ["and", "or", "not"] as const) {
    const isShort = Object.hasOwn(fields, join);
    if (!isShort && fields.condition !== join) continue;
    const member = isShort ? join : "conditions";
    const parts = readConditions(context, isShort ? fields[join] : fields.conditions, `${at}.${member}`, depth + 1);
    if (parts === null) return lines.lose(at, message("wayIn.partMissing"));
    if (join !== "not") return join === "and" ? allOf(parts) : anyOf(parts);
    const turned = opposite(anyOf(parts));
    return turned === null ? lines.lose(at, message("wayIn.opposite")) : said(context, at, turned);
  }
  const kind = textIn(fields, "condition");
  if (kind.includes("{{")) return said(context, at, template(context, fields.condition, at));
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined;
  if (!row) return lines.lose(at, message("wayIn.otherCondition", { kind: kind.slice(0, 60) || "?" }));
  return said(context, at, row(context, fields, at));
}

/** null: one of them cannot be said; all of them are read for their lines. */
export function readConditions(context: Context, raw: unknown, at: string, depth = 0): readonly Expression[] | null {
  const parts = listIn(raw).map((each, index) => readCondition(context, each, `${at}[${index}]`, depth));
  const known = parts.filter((each) => each !== null);
  return known.length === parts.length ? known : null;
}

/** The line says what it became, or that the rest is lost without it. */
function said({ lines }: Context, at: string, expression: Expression | null): Expression | null {
  if (expression === null) lines.isLost = true;
  else if (typeof expression !== "boolean") lines.becomes(at, { conditions: [expression] });
  return expression;
}

/** null, and the line says so: no node shows it. */
export function findEntity({ known, lines }: Context, entity: string, at: string): KnownEntity | null {
  const found = known.find(entity);
  if (!found) lines.note(at, "out", entity === "" ? message("wayIn.device") : message("wayIn.noDevice", { entity }));
  return found;
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
  if (attribute === "" && NO_STATES.includes(word)) {
    context.lines.note(at, "out", message("wayIn.link"));
    return null;
  }
  const compared = attribute === "" ? stateIs(found, word) : attributeIs(found, attribute, numberIn(word) ?? word);
  if (!compared) context.lines.note(at, "out", message("wayIn.noState", { entity, state: word }));
  return compared;
}

function state(context: Context, fields: Fields, at: string): Expression | null {
  const entities = wordsIn(fields.entity_id);
  if (entities.length === 1 && entities[0] === "sun.sun") return night(wordsIn(fields.state));
  const words = wordsIn(fields.state);
  const lasting = fields.for === undefined ? null : spanIn(fields.for);
  if (fields.for !== undefined && lasting === null) {
    context.lines.note(at, "out", message("wayIn.span"));
    return null;
  }
  const each = entities.map((entity) => {
    const tests = words.map((word) =>
      comparedState(context, entity, at, { attribute: textIn(fields, "attribute"), word }),
    );
    const known = tests.filter((test) => test !== null).map(({ status }) => heldFor(status, lasting));
    return known.length === tests.length && known.length > 0 ? anyOf(known) : null;
  });
  const known = each.filter((test) => test !== null);
  if (known.length !== each.length || known.length === 0) return null;
  return fields.match === "any" ? anyOf(known) : allOf(known);
}

export function heldFor(status: Compared["status"], lasting: ReturnType<typeof spanIn>): Condition {
  return lasting === null ? status : { ...status, kind: "held", lasting };
}

function numericState(context: Context, fields: Fields, at: string): Expression | null {
  const each = wordsIn(fields.entity_id).map((entity) => comparedNumber(context, fields, entity, at));
  const known = each.filter((test) => test !== null);
  return known.length === each.length && known.length > 0
    ? allOf(known.map((tests) => allOf(tests.map(({ status }) => status))))
    : null;
}

/** Its limits, below and above. null: no numbers, or not here. */
export function comparedNumber(
  context: Context,
  fields: Fields,
  entity: string,
  at: string,
): readonly Compared[] | null {
  const limits = (["above", "below"] as const).filter((name) => fields[name] !== undefined && fields[name] !== null);
  const ofTemplate = OF_ATTRIBUTE.exec(textIn(fields, "value_template"))?.[1];
  const attribute = textIn(fields, "attribute") || (ofTemplate ?? null);
  const isOther = fields.value_template !== undefined && ofTemplate === undefined;
  if (isOther) context.lines.note(at, "out", message("wayIn.template"));
  const found = isOther ? null : findEntity(context, entity, at);
  const compared = limits.map((name) => {
    const limit = numberIn(fields[name]);
    if (!found) return null;
    if (limit === null) context.lines.note(at, "out", message("wayIn.limitOfEntity"));
    const test = limit === null ? null : numberIs(found, attribute, name === "above" ? "GT" : "LT", limit);
    if (limit !== null && !test)
      context.lines.note(at, "out", message("wayIn.noState", { entity, state: attribute ?? String(limit) }));
    return test;
  });
  const known = compared.filter((test) => test !== null);
  return known.length === compared.length && known.length > 0 ? known : null;
}

const OF_ATTRIBUTE = /^\{\{\s{0,5}state\.attributes\.(\w{1,100})\s{0,5}\}\}$/;
const DAY_START = timeAt(0);

/** @param days null: every day */
function window(from: TimeOfDay, to: TimeOfDay, days: readonly Weekday[] | null): Condition {
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
  if (after === null || before === null || days === null) {
    context.lines.note(at, "out", message("wayIn.helperTime"));
    return null;
  }
  if (days && after && before && secondOf(after) >= secondOf(before))
    context.lines.note(at, "differs", message("wayIn.nightDays"));
  return window(after ?? DAY_START, before ?? DAY_START, days ?? null);
}

function secondOf(time: TimeOfDay): number {
  return time.kind === "time" ? time.secondOfDay : 0;
}

/** Until midnight where only one end is named; from sunset to sunrise is through the night. */
function sun(context: Context, fields: Fields, at: string): Expression | null {
  const [after, before] = (["after", "before"] as const).map((name) => {
    const kind = textIn(fields, name);
    const offsetS = fields[`${name}_offset`] === undefined ? 0 : secondsIn(fields[`${name}_offset`]);
    return kind === "sunrise" || kind === "sunset" ? (offsetS === null ? null : sunTime(kind, offsetS)) : undefined;
  });
  if (after === null || before === null || (!after && !before)) {
    context.lines.note(at, "out", message("wayIn.sun"));
    return null;
  }
  return window(after ?? DAY_START, before ?? DAY_START, null);
}

export function sunTime(kind: "sunrise" | "sunset", offsetS: number): TimeOfDay {
  return { kind, offsetS, date: null, offsetDays: 0 };
}

function night(words: readonly string[]): Expression | null {
  const [sunrise, sunset] = [sunTime("sunrise", 0), sunTime("sunset", 0)];
  const known = words.flatMap((word) =>
    word === "below_horizon"
      ? window(sunset, sunrise, null)
      : word === "above_horizon"
        ? window(sunrise, sunset, null)
        : [],
  );
  return known.length === words.length ? anyOf(known) : null;
}

function device(context: Context, fields: Fields, at: string): Expression | null {
  const entity = context.known.entityOf(textIn(fields, "entity_id"));
  const type = textIn(fields, "type");
  const word = Object.hasOwn(DEVICE_STATES, type) ? DEVICE_STATES[type] : undefined;
  if (entity !== "" && word !== undefined)
    return state(context, { entity_id: entity, state: word, for: fields.for }, at);
  if (entity !== "" && (fields.above !== undefined || fields.below !== undefined)) {
    return numericState(context, { ...fields, entity_id: entity }, at);
  }
  context.lines.note(at, "out", message("wayIn.device"));
  return null;
}

/** Alternatives of tests, each as a condition. */
export function template(context: Context, text: unknown, at: string): Expression | null {
  const alternatives = typeof text === "string" ? testsIn(text) : null;
  if (!alternatives) {
    context.lines.note(at, "out", message("wayIn.template"));
    return null;
  }
  const all = alternatives.map((tests) => {
    const read = tests.map((test) => templateTest(context, test, at));
    const known = read.filter((each) => each !== null);
    return known.length === read.length ? allOf(known) : null;
  });
  const known = all.filter((each) => each !== null);
  return known.length === all.length ? anyOf(known) : null;
}

function templateTest(context: Context, test: TemplateTest, at: string): Expression | null {
  switch (test.kind) {
    case "state": {
      const { entity, attribute, word, is } = test;
      const compared = comparedState(context, entity, at, { attribute: attribute ?? "", word });
      return compared && (is ? compared.status : opposite(compared.status));
    }
    case "number": {
      const found = findEntity(context, test.entity, at);
      const compared = found && numberIs(found, test.attribute, test.comparison, test.number);
      if (found && !compared)
        context.lines.note(at, "out", message("wayIn.noState", { entity: test.entity, state: String(test.number) }));
      return compared?.status ?? null;
    }
    case "hour":
      return hours(test);
    case "known":
      return true;
    case "trigger":
      return context.triggerId === null ? null : (context.triggerId === test.id) === test.is;
  }
}

function hours({ comparison, number }: Extract<TemplateTest, { kind: "hour" }>): Expression | null {
  const hour = comparison === "GT" || comparison === "LE" ? number + 1 : number;
  const isFrom = comparison === "GT" || comparison === "GE";
  if (hour <= 0 || hour >= 24) return hour <= 0 === isFrom;
  const at = timeAt(hour * 3600);
  const when: Schedule = isFrom
    ? { kind: "from-to", from: at, to: DAY_START }
    : { kind: "from-to", from: DAY_START, to: at };
  return { kind: "schedule", andOr: "and", days: null, when };
}
