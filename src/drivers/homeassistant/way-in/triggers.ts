/** The triggers of an automation. A trigger fires at a crossing; a condition here starts an evaluation at every change, so it is put so that both are the same. */

import type { Condition, Span, TimeOfDay } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import { listOf } from "../entity.ts";
import { comparedNumber, comparedState, daysIn, findEntity, heldFor, sunTime, template } from "./conditions.ts";
import { type Compared, eventIs } from "./entity-words.ts";
import { allOf, anyOf, conditionsOf } from "./expression.ts";
import type { Context } from "./lines.ts";
import { type Fields, fieldsOf, numberIn, secondsIn, spanIn, textIn, timeAt, timeIn, wordsIn } from "./read.ts";

/** `instant`: true only in the evaluation that it starts. A level stays true. */
export type Start =
  | {
      readonly kind: "when";
      readonly condition: Condition;
      readonly isInstant: boolean;
      /** The comparison behind it, of two values. */
      readonly compared: Compared | null;
    }
  | { readonly kind: "startup" }
  | { readonly kind: "every"; readonly from: TimeOfDay; readonly span: Span };

type Row = (context: Context, fields: Fields, at: string) => readonly Start[] | null;

const WORDS_MAX = 20;
const A_SECOND: Span = { hours: 0, minutes: 0, seconds: 1 };
/** What triggers of devices say of entities. */
const DEVICE_STATES: Readonly<Record<string, string>> = {
  ...{ turned_on: "on", turned_off: "off", motion: "on", no_motion: "off", occupied: "on", not_occupied: "off" },
  ...{ opened: "on", not_opened: "off", moist: "on", not_moist: "off", smoke: "on", no_smoke: "off", locked: "locked" },
  ...{ unlocked: "unlocked", open: "open", closed: "closed", problem: "on", no_problem: "off" },
};

const ROWS: Readonly<Record<string, Row>> = {
  state,
  numeric_state: numericState,
  time,
  time_pattern: timePattern,
  sun,
  homeassistant: (context, fields, at) => {
    if (fields.event !== "start")
      return out(context, at, message("wayIn.otherTrigger", { kind: "homeassistant shutdown" }));
    context.lines.note(at, "differs", message("wayIn.startup"));
    return [{ kind: "startup" }];
  },
  template: (context, fields, at) => {
    const expression = template(context, fields.value_template, at);
    if (expression === null || typeof expression === "boolean") return null;
    return crossing(context, conditionsOf(expression), spanIn(fields.for), at);
  },
  device,
};

/** null: it was left out, and its line says why. */
export function readTrigger(context: Context, raw: unknown, at: string): readonly Start[] | null {
  const { lines } = context;
  lines.begin(at, raw);
  const fields = fieldsOf(raw);
  if (fields.enabled === false) {
    lines.note(at, "same", message("wayIn.disabled"));
    return [];
  }
  const kind = textIn(fields, "trigger", "platform");
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined;
  if (!row) return out(context, at, message("wayIn.otherTrigger", { kind: kind.slice(0, 60) || "?" }));
  const starts = row(context, fields, at);
  for (const start of starts ?? []) if (start.kind === "when") lines.becomes(at, { conditions: [start.condition] });
  return starts;
}

function out({ lines }: Context, at: string, note: Parameters<Context["lines"]["note"]>[2]): null {
  lines.note(at, "out", note);
  return null;
}

function instant(condition: Condition, compared: Compared | null = null): Start {
  return { kind: "when", condition, isInstant: true, compared };
}

function level(condition: Condition, compared: Compared | null = null): Start {
  return { kind: "when", condition, isInstant: false, compared };
}

function state(context: Context, fields: Fields, at: string): readonly Start[] | null {
  const attribute = textIn(fields, "attribute");
  const words = wordsIn(fields.to);
  const lasting = fields.for === undefined ? null : spanIn(fields.for);
  if (fields.for !== undefined && lasting === null && secondsIn(fields.for) !== 0)
    return out(context, at, message("wayIn.span"));
  const all = wordsIn(fields.entity_id).map((entity) => {
    if (entity.startsWith("event.")) return events(context, entity, { words, attribute }, at);
    if (entity === "sun.sun") return horizon(context, words, at);
    const tests = words.length > 0 ? words : bothWords(context, entity, fields, at);
    const each = tests.map((word) => comparedState(context, entity, at, { attribute, word }));
    const known = each.filter((test) => test !== null);
    if (known.length === 0) return null;
    // Every change of what has two values is one or the other.
    const either = anyOf(known.map(({ status }) => status));
    if (words.length === 0 && !lasting && typeof either !== "boolean") return [level(either)];
    if (fields.from !== undefined && fields.from !== null && known.some(({ isTwoValued }) => !isTwoValued))
      context.lines.note(at, "differs", message("wayIn.from"));
    return known.flatMap((test) => becoming(context, test, lasting, at) ?? []);
  });
  const known = all.filter((each) => each !== null);
  return known.length === 0 ? null : known.flat();
}

/** Any change: of what has two values, the one or the other. */
function bothWords(context: Context, entity: string, fields: Fields, at: string): readonly string[] {
  const words = ["on", "off", "open", "closed", "locked", "unlocked"];
  const found = context.known.find(entity);
  const listed = found ? ["options", "hvac_modes"].flatMap((name) => listOf(found.state.attributes, name)) : [];
  if (listed.length > 0) return listed.slice(0, WORDS_MAX);
  const domain = entity.slice(0, entity.indexOf("."));
  const pair =
    domain === "cover" || domain === "valve"
      ? words.slice(2, 4)
      : domain === "lock"
        ? words.slice(4)
        : words.slice(0, 2);
  if (!found || ["sensor", "number", "input_number", "climate", "select", "input_select"].includes(domain)) {
    context.lines.note(at, "out", found ? message("wayIn.anyChange") : message("wayIn.noDevice", { entity }));
    return [];
  }
  if (!Object.hasOwn(fields, "to") && !Object.hasOwn(fields, "from"))
    context.lines.note(at, "differs", message("wayIn.attributes"));
  return pair;
}

function becoming(context: Context, compared: Compared, lasting: Span | null, at: string): readonly Start[] | null {
  const { status, control, isTwoValued } = compared;
  if (lasting) return [level(heldFor(status, lasting))];
  if (control) return [instant(control, isTwoValued ? compared : null)];
  // A value that is one of many is reached by a change; a limit is crossed.
  if (status.comparison === "IS") return [level(status, isTwoValued ? compared : null)];
  return crossing(context, [status], null, at);
}

/** Status comparisons start at every change while they hold; with a time, at the crossing alone. */
function crossing(
  context: Context,
  conditions: readonly Condition[],
  lasting: Span | null,
  at: string,
): readonly Start[] | null {
  const held = conditions.map((each): Condition | null => {
    if (each.kind !== "status" || "variable" in each.value) return null;
    return { ...each, kind: "held", value: each.value, lasting: lasting ?? A_SECOND };
  });
  const known = held.filter((each) => each !== null);
  if (known.length !== held.length) return out(context, at, message("wayIn.template"));
  if (!lasting) context.lines.note(at, "differs", message("wayIn.crossing"));
  const isOr = known.some(({ andOr }) => andOr === "or");
  const whole = isOr ? anyOf(known) : allOf(known);
  return typeof whole === "boolean" ? null : [level(whole)];
}

function events(
  context: Context,
  entity: string,
  { words, attribute }: { readonly words: readonly string[]; readonly attribute: string },
  at: string,
): readonly Start[] | null {
  const found = findEntity(context, entity, at);
  if (!found) return null;
  const types = words.length > 0 ? words : wordsIn(found.state.attributes.event_types);
  const controls = types.map((type) => eventIs(found, type)).filter((each) => each !== null);
  if (controls.length < types.length || controls.length === 0)
    return out(context, at, message("wayIn.noControl", { entity }));
  if (attribute !== "") context.lines.note(at, "differs", message("wayIn.eachPress"));
  return controls.map((each) => instant(each));
}

function horizon(context: Context, words: readonly string[], at: string): readonly Start[] | null {
  const times = words.map((word) =>
    word === "below_horizon" ? "sunset" : word === "above_horizon" ? "sunrise" : null,
  );
  const known = times.filter((each) => each !== null);
  if (known.length !== times.length || known.length === 0) return out(context, at, message("wayIn.sun"));
  return known.map((kind) => instant(moment(sunTime(kind, 0))));
}

function numericState(context: Context, fields: Fields, at: string): readonly Start[] | null {
  const lasting = fields.for === undefined ? null : spanIn(fields.for);
  if (fields.for !== undefined && lasting === null) return out(context, at, message("wayIn.span"));
  const all = wordsIn(fields.entity_id).map((entity) => {
    const limits = comparedNumber(context, fields, entity, at);
    return (
      limits &&
      crossing(
        context,
        limits.map(({ status }) => status),
        lasting,
        at,
      )
    );
  });
  const known = all.filter((each) => each !== null);
  return known.length === 0 ? null : known.flat();
}

function moment(at: TimeOfDay, days: ReturnType<typeof daysIn> = null): Condition {
  return { kind: "schedule", andOr: "and", days: days ?? null, when: { kind: "at", at } };
}

function time(context: Context, fields: Fields, at: string): readonly Start[] | null {
  const days = daysIn(fields.weekday);
  const times = wordsIn(fields.at).map(timeIn);
  const known = times.filter((each) => each !== null);
  if (known.length < times.length || days === null)
    context.lines.note(at, known.length === 0 ? "out" : "differs", message("wayIn.helperTime"));
  return known.length === 0 || days === null ? null : known.map((each) => instant(moment(each, days)));
}

function sun(context: Context, fields: Fields, at: string): readonly Start[] | null {
  const kind = textIn(fields, "event");
  const offsetS = fields.offset === undefined ? 0 : secondsIn(fields.offset);
  if ((kind !== "sunrise" && kind !== "sunset") || offsetS === null) return out(context, at, message("wayIn.sun"));
  return [instant(moment(sunTime(kind, offsetS)))];
}

const UNITS = [
  { name: "hours", seconds: 3600, count: 24 },
  { name: "minutes", seconds: 60, count: 60 },
  { name: "seconds", seconds: 1, count: 60 },
] as const;

/** Turns since midnight are aligned to the clock, as there. */
function timePattern(context: Context, fields: Fields, at: string): readonly Start[] | null {
  const texts = UNITS.map(({ name }) =>
    fields[name] === undefined || fields[name] === null ? "" : (wordsIn(fields[name])[0] ?? "?"),
  );
  const finest = texts.findLastIndex((text) => text !== "");
  // Finer units that are not told are zero, coarser ones are every.
  const parts = texts.map((text, unit) => (text === "" ? (unit > finest ? "0" : "*") : text));
  const moving = parts.findLastIndex((text) => text === "*" || text.startsWith("/"));
  const fixed = parts.map((text) => (/^\d{1,2}$/.test(text) ? Number(text) : null));
  if (finest < 0) return out(context, at, message("wayIn.pattern"));
  const offset = UNITS.reduce((sum, { seconds }, unit) => sum + (fixed[unit] ?? 0) * seconds, 0);
  if (moving < 0)
    return offset < 86_400 ? [instant(moment(timeAt(offset)))] : out(context, at, message("wayIn.pattern"));
  const unit = UNITS[moving];
  const step = parts[moving] === "*" ? 1 : numberIn(parts[moving]?.slice(1));
  const isWhole = unit !== undefined && step !== null && step >= 1 && unit.count % step === 0;
  const isEven = parts.every((text, index) =>
    index < moving ? text === "*" : index === moving || fixed[index] !== null,
  );
  if (!isWhole || !isEven) return out(context, at, message("wayIn.pattern"));
  context.lines.note(at, "differs", message("wayIn.midnight"));
  const span = spanIn(step * unit.seconds);
  return span && [{ kind: "every", from: timeAt(offset), span }];
}

function device(context: Context, fields: Fields, at: string): readonly Start[] | null {
  const entity = context.known.entityOf(textIn(fields, "entity_id"));
  const type = textIn(fields, "type");
  if (entity === "") return out(context, at, message("wayIn.device"));
  if (fields.above !== undefined || fields.below !== undefined)
    return numericState(context, { ...fields, entity_id: entity }, at);
  const word = Object.hasOwn(DEVICE_STATES, type) ? DEVICE_STATES[type] : undefined;
  if (word === undefined) return out(context, at, message("wayIn.device"));
  return state(context, { entity_id: entity, to: word, from: null, for: fields.for }, at);
}
