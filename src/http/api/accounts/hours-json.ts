/** The hours of an account as JSON. @see docs/interface/accounts.md */

import { timeText } from "../../../auth/hours.ts";
import type { Hours } from "../../../auth/records.ts";
import { WEEKDAYS } from "../../../home/program-syntax.ts";
import { type Fits, list, object, orNull } from "../../schema.ts";

const time = {
  type: "string",
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
  description: "Local time of the home, such as 07:30.",
} as const;
const day = { type: "string", enum: WEEKDAYS } as const;
const span = object(
  { days: list(day), from: time, to: { ...time, description: "At or before `from`: on the next day." } },
  { additionalProperties: false },
);

/** Both in bodies and in answers. */
export const hoursData = orNull(list(span), { description: "When the account can be used; null: at all times." });

export function parseHours(given: Fits<typeof hoursData>): Hours | null {
  if (!given) return null;
  return given.map(({ days, from, to }) => ({ days, fromMinute: minuteOf(from), toMinute: minuteOf(to) }));
}

export function hoursJson(hours: Hours | null): Fits<typeof hoursData> {
  if (!hours) return null;
  return hours.map(({ days, fromMinute, toMinute }) => ({ days, from: timeText(fromMinute), to: timeText(toMinute) }));
}

function minuteOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}
