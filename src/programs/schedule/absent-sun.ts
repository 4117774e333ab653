/** Where the sun does not rise or set: what a program waits for that does not happen today, for its page to say so. */

import type { Condition } from "../../home/program-syntax.ts";
import { leafConditions, timesOf } from "../references.ts";
import type { Calendar } from "./calendar.ts";

/** `nextMs`: when it happens again, null when not within 400 days. */
type AbsentSun = { readonly sun: "sunrise" | "sunset"; readonly nextMs: number | null };

const SEARCH_DAYS = 400;

/** @param conditions of a program or folder. @returns at most one entry each, only for what they name. */
export function absentSun(conditions: readonly Condition[], nowMs: number, calendar: Calendar): readonly AbsentSun[] {
  const named = new Set(
    leafConditions(conditions)
      .flatMap((condition) => (condition.kind === "schedule" ? timesOf(condition.when) : []))
      .map(({ kind }) => kind),
  );
  const today = calendar.dayOf(nowMs);
  return SUNS.filter((sun) => named.has(sun) && instantOf(sun, today, calendar) === null).map((sun) => {
    return { sun, nextMs: nextAfter(sun, today, calendar) };
  });
}

const SUNS = ["sunrise", "sunset"] as const;

function nextAfter(sun: AbsentSun["sun"], today: number, calendar: Calendar): number | null {
  for (let day = today + 1; day <= today + SEARCH_DAYS; day += 1) {
    const atMs = instantOf(sun, day, calendar);
    if (atMs !== null) return atMs;
  }
  return null;
}

function instantOf(kind: AbsentSun["sun"], day: number, calendar: Calendar): number | null {
  return calendar.instantOf({ kind, offsetS: 0, date: null, offsetDays: 0 }, day);
}
