/** Times of the past as people write them, in the zone of the home. */

import { Temporal } from "temporal-polyfill";
import { attempt } from "../util/attempt.ts";
import { usageFailure } from "./outcome.ts";

const SPAN_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * @param option its name, for a refusal
 * @param zone IANA zone of the home
 * @throws CommandFailure usage
 */
export function readTime(written: string, option: string, zone: string, nowMs: number): number {
  const text = written.trim();
  const atMs = agoOf(text, nowMs) ?? clockTimeOf(text, zone, nowMs) ?? dayTimeOf(text, zone, nowMs) ?? isoTimeOf(text);
  if (atMs !== null) return atMs;
  throw usageFailure(`${option} is a time such as 14:00, "yesterday 14:00", -24h or 2026-05-01T12:00:00Z.`);
}

/** `-24h`, `now`. */
function agoOf(text: string, nowMs: number): number | null {
  if (text === "now") return nowMs;
  const [, count, unit = ""] = /^-(\d{1,6})(s|m|min|h|d)$/.exec(text) ?? [];
  return count === undefined ? null : nowMs - Number(count) * (SPAN_MS[unit] ?? 0);
}

/** `14:00`: today, or yesterday when that is still to come. */
function clockTimeOf(text: string, zone: string, nowMs: number): number | null {
  const time = plainTime(text);
  if (!time) return null;
  const today = dayOf(zone, nowMs);
  const atMs = onDay(today, time, zone);
  return atMs <= nowMs ? atMs : onDay(today.subtract({ days: 1 }), time, zone);
}

/** `yesterday`, `yesterday 14:00`, `2026-05-01`, `2026-05-01 14:00`, `2026-05-01T14:00`. */
function dayTimeOf(text: string, zone: string, nowMs: number): number | null {
  const [, dayText = "", timeText] = /^(\S[^\sT]*)(?:[ T](\S+))?$/.exec(text) ?? [];
  const time = timeText === undefined ? new Temporal.PlainTime() : plainTime(timeText);
  const ago = DAYS[dayText.toLowerCase()];
  if (!time) return null;
  if (ago !== undefined) return onDay(dayOf(zone, nowMs).subtract({ days: ago }), time, zone);
  if (!DATE.test(dayText)) return null;
  return attempt(() => onDay(Temporal.PlainDate.from(dayText), time, zone));
}

/** Requires an offset, because a time without one would be in the zone of this machine. */
function isoTimeOf(text: string): number | null {
  const atMs = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? atMs : null;
}

function plainTime(text: string): Temporal.PlainTime | null {
  const [, hour, minute, second = "0"] = TIME.exec(text) ?? [];
  return hour === undefined ? null : new Temporal.PlainTime(Number(hour), Number(minute), Number(second));
}

function dayOf(zone: string, nowMs: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
}

function onDay(day: Temporal.PlainDate, plainTime: Temporal.PlainTime, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}
