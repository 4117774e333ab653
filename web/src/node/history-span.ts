/** The span of a chart: a day, week, month or year until now, or a part that the user selected. */

export const SPANS = ["day", "week", "month", "year"] as const;
export type SpanName = (typeof SPANS)[number];

/** @property isLive ends now, and moves on */
export type Span = { readonly fromMs: number; readonly toMs: number; readonly isLive: boolean };

const DAY_MS = 86_400_000;
const LENGTH_MS: Readonly<Record<SpanName, number>> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
};
/** Shorter ones show nothing more: values are stored in milliseconds, but reports take longer. */
const SHORTEST_MS = 10_000;
const LONGEST_MS = LENGTH_MS.year;
const ZOOM = 2;
const STEP = 0.25;

export function spanUntil(name: SpanName, toMs: number): Span {
  return { fromMs: toMs - LENGTH_MS[name], toMs, isLive: true };
}

function spanOf(fromMs: number, toMs: number): Span {
  const tooShortMs = Math.max(0, SHORTEST_MS - (toMs - fromMs));
  return { fromMs: fromMs - tooShortMs / 2, toMs: toMs + tooShortMs / 2, isLive: false };
}

/** As fingers chose it: no longer than a year, and not beyond `untilMs`. */
export function chosen(fromMs: number, toMs: number, untilMs: number): Span {
  const endMs = Math.min(toMs, untilMs);
  return spanOf(endMs - Math.min(LONGEST_MS, toMs - fromMs), endMs);
}

function lengthOf({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}

export function isWhole(span: Span, name: SpanName): boolean {
  return span.isLive && lengthOf(span) === LENGTH_MS[name];
}

/** @param direction 1: in, around the middle, or to the end of a span that is live; -1: out */
export function zoomed(span: Span, direction: 1 | -1, untilMs: number): Span {
  const lengthMs = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, lengthOf(span) * ZOOM ** -direction));
  if (span.isLive) return { fromMs: untilMs - lengthMs, toMs: untilMs, isLive: true };
  const middleMs = (span.fromMs + span.toMs) / 2;
  const toMs = Math.min(untilMs, middleMs + lengthMs / 2);
  return spanOf(toMs - lengthMs, toMs);
}

/** @param direction 1: later, never beyond `untilMs`; -1: earlier */
export function moved(span: Span, direction: 1 | -1, untilMs: number): Span {
  const toMs = Math.min(untilMs, span.toMs + direction * STEP * lengthOf(span));
  return spanOf(toMs - lengthOf(span), toMs);
}
