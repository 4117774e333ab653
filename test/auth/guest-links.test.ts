import { expect, test } from "vitest";
import { GuestLinks } from "../../src/auth/guest-links.ts";
import { principalOf } from "../../src/auth/principal-of.ts";
import { type Limits, NO_ACCESS } from "../../src/home/limits.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { createLogBook, START_MS } from "./gate.ts";
import { MemoryAccounts } from "./memory-accounts.ts";

class CountingClock extends VirtualClock {
  waiting = 0;

  override setTimer(callback: () => void, delayMs: number) {
    let isWaiting = true;
    const done = () => {
      if (isWaiting) this.waiting -= 1;
      isWaiting = false;
    };
    this.waiting += 1;
    const timer = super.setTimer(() => {
      done();
      callback();
    }, delayMs);
    return {
      cancel: () => {
        done();
        timer.cancel();
      },
    };
  }
}

const ALWAYS = { check() {}, isOpenNow: () => true, follow() {} };

function create() {
  const clock = new CountingClock(START_MS);
  const accounts = new MemoryAccounts();
  const { log, lines } = createLogBook();
  const ended: string[] = [];
  const config = { guestLinksMax: 100, guestVisitMinutes: 10 };
  const views = { of: () => expect.unreachable() };
  const end = (id: string) => void ended.push(id);
  const parts = {
    config,
    accounts,
    clock,
    log,
    views,
    hours: ALWAYS,
    end,
    randomness: systemRandomness,
    visited: () => {},
  };
  const guests = new GuestLinks(parts);
  guests.start();
  const add = (name: string, lifetimeMs: number | null) =>
    guests.add({ name, role: "guest", lifetimeMs, limits: NO_ACCESS });
  return { clock, accounts, guests, lines, ended, add };
}

test("however many guest links end at times of their own, one timer waits, and none after the stop", async () => {
  const { clock, guests, add, ended } = create();
  for (let index = 1; index <= 20; index++) await add(`Walker ${index}`, index * 1000);
  await add("Sitter", null);
  expect(clock.waiting).toBe(1);
  await clock.advance(10_000);
  expect({ waiting: clock.waiting, ended: ended.length }).toEqual({ waiting: 1, ended: 10 });
  guests.stop();
  expect(clock.waiting).toBe(0);
});

test("a guest link that a full disk keeps ends on time, and is tried again for removal at the next end", async () => {
  const { clock, accounts, guests, add, ended, lines } = create();
  const { guest } = await add("Walker", 1000);
  await add("Sitter", 2000);
  accounts.diskFull = true;
  await clock.advance(1000);
  expect(ended).toEqual([guest.id]);
  expect(guests.list().map(({ name }) => name)).toEqual(["Sitter"]);
  expect(lines.map(({ level }) => level)).toEqual(["info", "warn"]);
  accounts.diskFull = false;
  await clock.advance(1000);
  expect(accounts.accounts()).toEqual([]);
});

test("a guest link whose stored account lost its limits sees nothing, and is listed so", async () => {
  const { accounts, guests, add } = create();
  await add("Walker", null);
  for (const { limits: _lost, ...account } of accounts.accounts()) await accounts.putAccount(account);
  expect(guests.list()).toMatchObject([{ name: "Walker", limits: NO_ACCESS }]);
  const asked: Limits[] = [];
  const views = {
    of(limits: Limits) {
      asked.push(limits);
      return expect.unreachable();
    },
  };
  for (const account of accounts.accounts())
    expect(() => principalOf({ views, hours: ALWAYS }, account, null)).toThrow();
  expect(asked).toEqual([NO_ACCESS]);
});
