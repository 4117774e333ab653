/**
 * Limits how often a password may be guessed, by the failures of the last hour.
 *
 * - A stranger is a source from which the account never logged in. Its tries count against two budgets: that of the
 * account, over all strangers, and that of the source, over all accounts. A thousand addresses get no more tries at
 * an account than one.
 * - A known device has a budget of its own per account and source, so others cannot use it up.
 * - A name without an account has a budget like an account, so that refusals do not reveal which accounts exist.
 *
 * A try reserves its place in the budgets before its hash is computed, until its outcome is known, so simultaneous
 * tries cannot get past the limit. A try that finds only reserved places waits for them, because they may all turn
 * out right. The counters are our own: they follow the injected clock and are bounded in memory, unlike those of
 * rate-limiter libraries.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { RecentlyUsed } from "../util/recently-used.ts";

/** The name whose password is tried, and the source of the try. */
export type Guess = {
  /** null for a name without an account. */
  readonly accountId: string | null;
  /** Stands for a name without an account; of fixed length. */
  readonly nameFingerprint: string;
  readonly source: string;
  readonly isKnownDevice: boolean;
};

/** A place in the budgets. Exactly one of the two is called, once. */
type Try = {
  /** Keeps the place for an hour. @returns true when this was the last try that a budget had. */
  failed(): boolean;
  /** Gives the place back. */
  withdraw(): void;
};

type Budget = {
  readonly triesMax: number;
  /** By the monotonic clock. */
  readonly failedAtMs: number[];
  held: number;
  readonly waiting: (() => void)[];
};

type Limits = Pick<Config, "loginFailuresPerHour" | "loginFailuresPerAddressPerHour" | "passwordHashQueueMax">;

const HOUR_MS = 3_600_000;
/** Sources and unknown names that are remembered; accounts and their known devices always are. */
const STRANGERS_MAX = 32_768;

export class GuessLimit {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #ofAccounts = new Map<string, Budget>();
  readonly #ofSources = new RecentlyUsed<Budget>(STRANGERS_MAX);
  readonly #ofUnknownNames = new RecentlyUsed<Budget>(STRANGERS_MAX);

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @throws ControllerError TOO_MANY_TRIES with the seconds to wait; LOGINS_BUSY when too many wait for held places. */
  async admit(guess: Guess): Promise<Try> {
    const budgets = this.#budgetsOf(guess);
    for (let full = this.#findFull(budgets); full; full = this.#findFull(budgets)) await this.#placeGivenUp(full);
    for (const budget of budgets) budget.held++;
    return {
      failed: () => {
        for (const budget of budgets) budget.failedAtMs.push(this.#clock.elapsed());
        release(budgets);
        return budgets.some(({ failedAtMs, triesMax }) => failedAtMs.length >= triesMax);
      },
      withdraw: () => release(budgets),
    };
  }

  #budgetsOf({ accountId, nameFingerprint, source, isKnownDevice }: Guess): readonly Budget[] {
    const perAccount = this.#limits.loginFailuresPerHour;
    if (accountId && isKnownDevice) return [budgetIn(this.#ofAccounts, `${accountId} ${source}`, perAccount)];
    return [
      accountId
        ? budgetIn(this.#ofAccounts, accountId, perAccount)
        : budgetIn(this.#ofUnknownNames, nameFingerprint, perAccount),
      budgetIn(this.#ofSources, source, this.#limits.loginFailuresPerAddressPerHour),
    ];
  }

  /** A budget whose last places are held by others; null when the try may go ahead. @throws when one is spent. */
  #findFull(budgets: readonly Budget[]): Budget | null {
    const waitMs = Math.max(...budgets.map((budget) => this.#waitOf(budget)));
    if (waitMs > 0) throw new ControllerError("TOO_MANY_TRIES", { retryAfterS: Math.ceil(waitMs / 1000) });
    return budgets.find(({ failedAtMs, held, triesMax }) => failedAtMs.length + held >= triesMax) ?? null;
  }

  /** Milliseconds until a spent budget has a place again; 0 when it has one. Forgets failures older than an hour. */
  #waitOf({ failedAtMs, triesMax }: Budget): number {
    const now = this.#clock.elapsed();
    while (failedAtMs[0] !== undefined && failedAtMs[0] + HOUR_MS <= now) failedAtMs.shift();
    const oldest = failedAtMs[0];
    return oldest === undefined || failedAtMs.length < triesMax ? 0 : oldest + HOUR_MS - now;
  }

  #placeGivenUp({ waiting }: Budget): Promise<void> {
    if (waiting.length >= this.#limits.passwordHashQueueMax) throw new ControllerError("LOGINS_BUSY");
    return new Promise((resolve) => waiting.push(resolve));
  }
}

type BudgetTable = { get(key: string): Budget | undefined; set(key: string, budget: Budget): unknown };

function budgetIn(table: BudgetTable, key: string, triesMax: number): Budget {
  const known = table.get(key);
  if (known) return known;
  const budget: Budget = { triesMax, failedAtMs: [], held: 0, waiting: [] };
  table.set(key, budget);
  return budget;
}

function release(budgets: readonly Budget[]): void {
  for (const budget of budgets) {
    budget.held--;
    for (const wake of budget.waiting.splice(0)) wake();
  }
}
