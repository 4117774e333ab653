/** Clock times in the zone of the home, in which its programs and the sentences of the controller are. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Every change of an offset is smaller, and further from the next one. */
const SHIFT_MAX_MS = 12 * HOUR_MS;

/** IANA; undefined until the controller has said it: then the browser's. */
let zone: string | undefined;
let offsets: Intl.DateTimeFormat | null = null;

/** @param name IANA. One that this browser does not know is not used. */
export function setHomeZone(name: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return;
  }
  if (zone !== name) [zone, offsets] = [name, null];
}

export function homeZone(): string | undefined {
  return zone;
}

/** Milliseconds east of UTC. */
function offsetMs(atMs: number): number {
  offsets ??= new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const name = offsets.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
}

/** The times that a wall clock of the home shows as this one, the earliest first: none in the hour that is left out in spring. */
function instantsOf(wallMs: number): readonly number[] {
  const possible = [-1, 1].map((side) => wallMs - offsetMs(wallMs + side * SHIFT_MAX_MS));
  return [...new Set(possible)].filter((atMs) => atMs + offsetMs(atMs) === wallMs).sort((one, other) => one - other);
}

/** ` (UTC+2)` for a clock time that comes twice, else nothing. */
export function offsetText(atMs: number): string {
  const byMs = offsetMs(atMs);
  if (instantsOf(atMs + byMs).length < 2) return "";
  const minutes = Math.abs(byMs / MINUTE_MS);
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return ` (UTC${byMs < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest})`;
}

/** A day of the home; equal for all of its times. */
export function dayOf(atMs: number): string {
  return localInput(atMs).slice(0, 10);
}

export function hourOf(atMs: number): number {
  return Number(localInput(atMs).slice(11, 13));
}

/** In the form of a `datetime-local` field. */
export function localInput(atMs: number): string {
  return new Date(atMs + offsetMs(atMs)).toISOString().slice(0, 19);
}

/** The earlier one of a time that comes twice. @param text of a `datetime-local` field @returns NaN for no time */
export function fromLocalInput(text: string): number {
  const wallMs = Date.parse(`${text}Z`);
  if (!Number.isFinite(wallMs)) return Number.NaN;
  return instantsOf(wallMs)[0] ?? wallMs - offsetMs(wallMs - SHIFT_MAX_MS);
}
