/** The triggers of an automation. A trigger fires at a crossing; a condition here starts an evaluation at every change, so it is put so that both are the same. */

import type { Condition, Span, TimeOfDay } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import { ownMember } from "../../../util/foreign-value.ts";
import { listOf } from "../entity.ts";
import {
  comparedNumber,
  comparedState,
  daysIn,
  findEntity,
  HORIZON,
  heldFor,
  out,
  sunTime,
  template,
} from "./conditions.ts";
import { deviceState } from "./device-words.ts";
import { type Compared, eventIs, type KnownEntity, stateIs } from "./entity-words.ts";
import { allOf, anyOf, conditionsOf } from "./expression.ts";
import type { Context } from "./lines.ts";
import {
  allKnown,
  type Fields,
  fieldsOf,
  numberIn,
  secondsIn,
  spanIn,
  textIn,
  timeAt,
  timeIn,
  wordsIn,
} from "./read.ts";

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

type Starts = readonly Start[] | null;
type Row = (context: Context, fields: Fields, at: string) => Starts;

const WORDS_MAX = 20;
const A_SECOND: Span = { hours: 0, minutes: 0, seconds: 1 };
const DAY_S = 86_400;
const PAIRS = [
  ["on", "off"],
  ["open", "closed"],
  ["locked", "unlocked"],
  ["home", "not_home"],
];

const ROWS: Readonly<Record<string, Row>> = {
  state,
  numeric_state: numericState,
  time,
  time_pattern: timePattern,
  sun,
  homeassistant: (context, { event }, at) => {
    if (event !== "start") return out(context, at, message("wayIn.otherTrigger", { kind: "homeassistant shutdown" }));
    context.lines.note(at, "differs", message("wayIn.startup"));
    return [{ kind: "startup" }];
  },
  template: (context, fields, at) => {
    const expression = template(context, fields.value_template, at);
    if (expression === null || typeof expression === "boolean") return null;
    return crossing(context, conditionsOf(expression), spanIn(fields.for), at);
  },
  device: (context, fields, at) => {
    const own = deviceState(context.known, fields, "to");
    if (!own) return out(context, at, message("wayIn.device"));
    return (own.to === undefined ? numericState : state)(context, own, at);
  },
};

/** null: it was left out, and its line says why. */
export function readTrigger(context: Context, raw: unknown, at: string): Starts {
  const { lines } = context;
  lines.begin(at, raw);
  const fields = fieldsOf(raw);
  if (fields.enabled === false) {
    lines.note(at, "same", message("wayIn.disabled"));
    return [];
  }
  const kind = textIn(fields, "trigger", "platform");
  const row = ownMember(ROWS, kind);
  if (!row) return out(context, at, message("wayIn.otherTrigger", { kind: kind.slice(0, 60) || "?" }));
  const starts = row(context, fields, at);
  for (const start of starts ?? []) if (start.kind === "when") lines.becomes(at, { conditions: [start.condition] });
  return starts;
}

function instant(condition: Condition, compared: Compared | null = null): Start {
  return { kind: "when", condition, isInstant: true, compared };
}

function level(condition: Condition, compared: Compared | null = null): Start {
  return { kind: "when", condition, isInstant: false, compared };
}

/** Those of the entities that are here. */
function ofEach(fields: Fields, startsOf: (entity: string) => Starts): Starts {
  const known = wordsIn(fields.entity_id)
    .map(startsOf)
    .filter((each) => each !== null);
  return known.length === 0 ? null : known.flat();
}

function state(context: Context, fields: Fields, at: string): Starts {
  const attribute = textIn(fields, "attribute");
  const words = wordsIn(fields.to);
  const lasting = fields.for === undefined ? null : spanIn(fields.for);
  if (fields.for !== undefined && lasting === null && secondsIn(fields.for) !== 0)
    return out(context, at, message("wayIn.span"));
  return ofEach(fields, (entity) => {
    if (entity === "sun.sun") return sun(context, { event: ownMember(HORIZON, words.join())?.[0] }, at);
    const found = findEntity(context, entity, at);
    if (!found) return null;
    if (found.domain === "event") return events(context, found, { words, attribute }, at);
    const tests = words.length > 0 ? words : allWords(context, found, fields, at);
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
}

/** Any change: of what has two values, the one or the other. */
function allWords(context: Context, found: KnownEntity, fields: Fields, at: string): readonly string[] {
  const listed = ["options", "hvac_modes"].flatMap((name) => listOf(found.state.attributes, name));
  const words = listed.length > 0 ? listed : PAIRS.find((pair) => pair.every((word) => stateIs(found, word)));
  if (!words) context.lines.note(at, "out", message("wayIn.anyChange"));
  else if (!Object.hasOwn(fields, "to") && !Object.hasOwn(fields, "from"))
    context.lines.note(at, "differs", message("wayIn.attributes"));
  return words?.slice(0, WORDS_MAX) ?? [];
}

function becoming(context: Context, compared: Compared, lasting: Span | null, at: string): Starts {
  const { status, control, isTwoValued } = compared;
  const own = isTwoValued ? compared : null;
  if (lasting) return [level(heldFor(status, lasting))];
  if (control) return [instant(control, own)];
  // A value that is one of many is reached by a change; a limit is crossed.
  return status.comparison === "IS" ? [level(status, own)] : crossing(context, [status], null, at);
}

/** Status comparisons start at every change while they hold; with a time, at the crossing alone. */
function crossing(context: Context, conditions: readonly Condition[], lasting: Span | null, at: string): Starts {
  const held = conditions.map((each): Condition | null => {
    if (each.kind !== "status" || "variable" in each.value) return null;
    return { ...each, kind: "held", value: each.value, lasting: lasting ?? A_SECOND };
  });
  const known = allKnown(held);
  if (!known) return out(context, at, message("wayIn.template"));
  if (!lasting) context.lines.note(at, "differs", message("wayIn.crossing"));
  const whole = known.some(({ andOr }) => andOr === "or") ? anyOf(known) : allOf(known);
  return typeof whole === "boolean" ? null : [level(whole)];
}

function events(
  context: Context,
  found: KnownEntity,
  { words, attribute }: { readonly words: readonly string[]; readonly attribute: string },
  at: string,
): Starts {
  const types = words.length > 0 ? words : listOf(found.state.attributes, "event_types");
  const controls = allKnown(types.map((type) => eventIs(found, type))) ?? [];
  if (controls.length === 0) return out(context, at, message("wayIn.noControl", { entity: found.entity }));
  if (attribute !== "") context.lines.note(at, "differs", message("wayIn.eachPress"));
  return controls.map((each) => instant(each));
}

function sun(context: Context, fields: Fields, at: string): Starts {
  const when = sunTime(textIn(fields, "event"), fields.offset);
  return when ? [moment(when)] : out(context, at, message("wayIn.sun"));
}

function numericState(context: Context, fields: Fields, at: string): Starts {
  const lasting = fields.for === undefined ? null : spanIn(fields.for);
  if (fields.for !== undefined && lasting === null) return out(context, at, message("wayIn.span"));
  return ofEach(fields, (entity) => {
    const limits = comparedNumber(context, fields, entity, at)?.map(({ status }) => status);
    return limits ? crossing(context, limits, lasting, at) : null;
  });
}

function moment(at: TimeOfDay, days: ReturnType<typeof daysIn> = null): Start {
  return instant({ kind: "schedule", andOr: "and", days: days ?? null, when: { kind: "at", at } });
}

function time(context: Context, fields: Fields, at: string): Starts {
  const days = daysIn(fields.weekday);
  const times = wordsIn(fields.at).map(timeIn);
  const known = times.filter((each) => each !== null);
  if (known.length < times.length || days === null)
    context.lines.note(at, known.length === 0 ? "out" : "differs", message("wayIn.helperTime"));
  return known.length === 0 || days === null ? null : known.map((each) => moment(each, days));
}

/** Each unit with how many make the next one, the coarsest first. */
const UNITS = [
  { name: "hours", seconds: 3600, count: 24 },
  { name: "minutes", seconds: 60, count: 60 },
  { name: "seconds", seconds: 1, count: 60 },
] as const;

/** Turns since midnight are aligned to the clock, as there. */
function timePattern(context: Context, fields: Fields, at: string): Starts {
  const told = UNITS.map(({ name }) => wordsIn(fields[name])[0]);
  const finest = told.findLastIndex((text) => text !== undefined);
  // Finer units that are not told are zero, coarser ones are every.
  const parts = told.map((text, index) => text ?? (index > finest ? "0" : "*"));
  const moving = parts.findLastIndex((text) => text === "*" || text.startsWith("/"));
  const unit = UNITS[moving];
  const step = parts[moving] === "*" ? 1 : numberIn(parts[moving]?.slice(1));
  const isFixed = (text: string) => /^\d{1,2}$/.test(text);
  const isEven = parts.every((text, index) => (index < moving ? text === "*" : index === moving || isFixed(text)));
  const offset = UNITS.reduce(
    (sum, { seconds }, index) => sum + (index > moving ? Number(parts[index]) * seconds : 0),
    0,
  );
  if (finest < 0 || !isEven || offset >= DAY_S) return out(context, at, message("wayIn.pattern"));
  if (!unit) return [moment(timeAt(offset))];
  const span = step !== null && unit.count % step === 0 ? spanIn(step * unit.seconds) : null;
  if (!span) return out(context, at, message("wayIn.pattern"));
  context.lines.note(at, "differs", message("wayIn.midnight"));
  return [{ kind: "every", from: timeAt(offset), span }];
}
