/** Authentication on a virtual clock with two accounts: what the tests of this folder stand on. */

import { createAuth } from "../../src/auth/create-auth.ts";
import { ensureFirstAccounts } from "../../src/auth/first-accounts.ts";
import type { PasswordCost } from "../../src/auth/passwords.ts";
import { parseConfig } from "../../src/config.ts";
import { newController } from "../../src/demo/new-controller.ts";
import { ControllerError } from "../../src/errors.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import { LimitedHomes } from "../../src/home/limited-home.ts";
import type { Log, LogFields } from "../../src/util/log.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { MemoryAccounts } from "./memory-accounts.ts";

export const OWNER = "pat@example.org";
export const OWNER_PASSWORD = "correct horse";
export const LOCAL_USER = "admin";
export const LOCAL_PASSWORD = "pass:wörd 鍵";
export const HOME = "192.168.1.20";
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const START_MS = Date.UTC(2026, 5, 1, 12);
export const UUID = "02:00:00:00:00:01";

type GateOptions = {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly accounts?: MemoryAccounts;
  readonly clock?: VirtualClock;
  readonly uuid?: string;
  readonly /** Left out: the cheapest there is. */ passwordCost?: PasswordCost;
};

/** For tests that compare how much work two logins take. */
export const MEASURABLE_COST: PasswordCost = { memoryKiB: 8192, passes: 2, parallelism: 1 };
/** Microseconds of the processor that `work` takes, which a busy machine hardly changes. */
export async function effortOf(work: () => Promise<unknown>): Promise<number> {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}

const CHEAP: PasswordCost = { memoryKiB: 8, passes: 1, parallelism: 1 };

export type Gate = Awaited<ReturnType<typeof createGate>>;

export async function createGate({ settings = {}, uuid = UUID, passwordCost = CHEAP, ...given }: GateOptions = {}) {
  const config = parseConfig(settings);
  const accounts = given.accounts ?? new MemoryAccounts();
  const clock = given.clock ?? new VirtualClock(START_MS);
  const { log, lines } = createLogBook();
  const randomness = systemRandomness;
  await ensureFirstAccounts(
    { accounts, clock, randomness, config, passwordCost },
    { ownerEmail: OWNER, ownerPassword: OWNER_PASSWORD, localUser: LOCAL_USER, localPassword: LOCAL_PASSWORD },
  );
  const home = new Home(newController(config, randomness));
  const views = new LimitedHomes(home, config.limitedViewsMax);
  const feed = new ChangeFeed(home, clock, 0);
  const auth = createAuth({
    home: { controller: { timeZone: "Europe/Berlin" } },
    config,
    accounts,
    clock,
    randomness,
    log,
    uuid,
    views,
    feed,
    passwordCost,
    brokerKeys: async () => ({}),
  });
  return { auth, accounts, clock, config, lines };
}

export const basic = (login: string, password: string) =>
  `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;

export const bearer = (token: string) => `Bearer ${token}`;

/** The error code that a promise ends with, or "ok". */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "ok";
  } catch (error) {
    return error instanceof ControllerError ? error.code : String(error);
  }
}

/** How often each outcome occurs. */
export async function outcomes(promises: readonly Promise<unknown>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const code of await Promise.all(promises.map(outcome))) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

type LogLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

export function createLogBook(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  const log: Log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), child: () => log };
  return { log, lines };
}
