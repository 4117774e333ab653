/**
 * The hours in which an account may be used, by the local time of the home. They are asked at every request, whatever its
 * credentials are; what is open when they end is ended.
 */

import { badValue, ControllerError } from "../errors.ts";
import { WEEKDAYS, type Weekday } from "../home/program-syntax.ts";
import type { Clock, Timer } from "../util/clock.ts";
import { createZone, usableZone, type Zone } from "../util/zone.ts";
import type { Account, AccountStore, Hours, OpenSpan } from "./records.ts";

const SPANS_MAX = 14;
const MINUTE_MS = 60_000;

/** @throws ControllerError BAD_VALUE */
export function checkHours(hours: Hours): void {
  if (hours.length === 0 || hours.length > SPANS_MAX) {
    throw badValue(`The hours of an account are 1 to ${SPANS_MAX} spans.`);
  }
  if (hours.some(({ days }) => days.length === 0)) throw badValue("Each span of hours names a day.");
}

/** @param weekday 0 is Monday */
export function isOpen(hours: Hours, weekday: number, minute: number): boolean {
  const [today, yesterday] = [WEEKDAYS[weekday], WEEKDAYS[(weekday + 6) % 7]];
  return hours.some(({ days, fromMinute, toMinute }) => {
    const isOn = (day: Weekday | undefined) => day !== undefined && days.includes(day);
    if (toMinute > fromMinute) return isOn(today) && minute >= fromMinute && minute < toMinute;
    return (isOn(today) && minute >= fromMinute) || (isOn(yesterday) && minute < toMinute);
  });
}

/** `mon tue 07:00–19:30`; several spans with commas. */
export function hoursText(hours: Hours): string {
  const span = ({ days, fromMinute, toMinute }: OpenSpan) => {
    const which = days.length === WEEKDAYS.length ? "daily" : days.join(" ");
    return `${which} ${timeText(fromMinute)}–${timeText(toMinute)}`;
  };
  return hours.map(span).join(", ");
}

/** `07:05` */
export function timeText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;
}

type Parts = {
  readonly accounts: Pick<AccountStore, "accounts">;
  readonly clock: Clock;
  readonly home: { readonly controller: { readonly timeZone: string } };
  /** Ends what the account has open. */
  readonly end: (accountId: string) => void;
};

export class AccountHours {
  readonly #parts: Parts;
  #zone: { readonly name: string; readonly zone: Zone } | null = null;
  #timer: Timer | null = null;
  #open: ReadonlySet<string> = new Set();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  isOpenNow({ hours }: Pick<Account, "hours">): boolean {
    if (!hours) return true;
    const { year, month, day, hour, minute } = this.#now();
    return isOpen(hours, (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7, hour * 60 + minute);
  }

  /** @throws ControllerError OUT_OF_HOURS */
  check(account: Pick<Account, "hours">): void {
    if (this.isOpenNow(account)) return;
    const { hour, minute } = this.#now();
    const [now, hours] = [timeText(hour * 60 + minute), hoursText(account.hours ?? [])];
    throw new ControllerError("OUT_OF_HOURS", `Your account can be used ${hours}. At home it is ${now}.`);
  }

  #now() {
    const name = this.#parts.home.controller.timeZone;
    if (this.#zone?.name !== name) this.#zone = { name, zone: createZone(usableZone(name)) };
    return this.#zone.zone.parts(this.#parts.clock.now());
  }

  /** Looks at each full minute for accounts whose hours ended. Call it when an account got hours. */
  follow(): void {
    const { accounts, clock, end } = this.#parts;
    this.#timer?.cancel();
    const limited = accounts.accounts().filter(({ hours }) => hours !== undefined);
    const open = new Set(limited.filter((account) => this.isOpenNow(account)).map(({ id }) => id));
    for (const { id } of limited) if (this.#open.has(id) && !open.has(id)) end(id);
    this.#open = open;
    if (limited.length > 0) this.#timer = clock.setTimer(() => this.follow(), MINUTE_MS - (clock.now() % MINUTE_MS));
  }
}
