/** Times for people, by default in the zone of the machine on which they read. The hour that comes twice has its offset. */

import { repeatedOffset } from "../../util/repeated-hour.ts";

/** The language of Sweden writes `2026-05-02 14:00:00`. */
const LANGUAGE = "sv-SE";
const DATE_AND_TIME = { dateStyle: "short", timeStyle: "medium" } as const;
const TIME_OF_DAY = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 } as const;

/**
 * `2026-05-02 14:00:00`; empty without a time, and unchanged when it cannot be read.
 *
 * @param iso ISO 8601
 * @param timeZone IANA zone; absent: the zone of this machine
 */
export function readableTime(iso: string | null, timeZone?: string): string {
  if (iso === null || iso === "") return "";
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return at.toLocaleString(LANGUAGE, { ...DATE_AND_TIME, timeZone }) + offsetText(at, timeZone);
}

/** `14:00:00.250`; now when it cannot be read. Parameters as `readableTime`. */
export function timeOfDay(iso: string, timeZone?: string): string {
  const at = new Date(iso);
  const known = Number.isNaN(at.getTime()) ? new Date() : at;
  return (
    known.toLocaleTimeString(LANGUAGE, { ...TIME_OF_DAY, timeZone }).replace(",", ".") + offsetText(known, timeZone)
  );
}

function offsetText(at: Date, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return repeatedOffset(at.getTime(), (atMs) => {
    const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  });
}
