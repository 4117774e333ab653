/**
 * Browsers that show notifications: a person allows it in each one, so they are stored with the account and removed with it. A new
 * password, limits and a role without the right remove them (`withoutDevices`), and so does the early end of their session. The
 * end of a session by time does not: notifications are for people who do not look at the page.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import type { AccountHours } from "./hours.ts";
import { roleAllows } from "./policy.ts";
import { type Account, type AccountStore, findAccountById, type PushDevice } from "./records.ts";

export type PushDevices = {
  /** In the order in which they were added. */
  of(accountId: string): readonly PushDevice[];
  /** The browsers of all accounts with this login that may have them now. */
  ofLogin(login: string): readonly PushDevice[];
  /** Of these, the ones whose account can be used now. */
  openNow(login: string): readonly PushDevice[];
  /** Whether one of them belongs to an owner. */
  areOwners(login: string): boolean;
  /**
   * Replaces a browser that is known already, also one of another account. On disk when it settles.
   * @throws ControllerError ACCOUNT_NOT_FOUND, LIMIT_REACHED
   */
  add(accountId: string, device: Omit<PushDevice, "id" | "createdAtMs">): Promise<PushDevice>;
  /** Removes a browser from whichever account has it. An unknown id is ignored. */
  remove(id: string): Promise<void>;
  /** Removes the browsers that were added in these sessions. */
  endOfSessions(sessionIds: readonly string[]): Promise<void>;
};

/** What POST /api/me/push requires. */
export function mayHaveDevices({ role, limits, kind }: Account): boolean {
  return roleAllows(role, "run-program") && !limits && kind !== "guest";
}

export function withoutDevices({ pushDevices: _removed, ...account }: Account): Account {
  return account;
}

type Parts = {
  readonly accounts: AccountStore;
  readonly config: Pick<Config, "pushDevicesPerAccountMax" | "pushDevicesMax">;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly hours: Pick<AccountHours, "isOpenNow">;
};

export function createPushDevices({ accounts, config, clock, randomness, hours }: Parts): PushDevices {
  const devicesOf = (account: Account | null) => account?.pushDevices ?? [];
  const reachable = (login: string) =>
    accounts.accounts().filter((account) => account.login === login && mayHaveDevices(account));
  const removeWhere = async (isRemoved: (device: PushDevice) => boolean) => {
    const changed = accounts.accounts().filter((account) => devicesOf(account).some(isRemoved));
    const without = (account: Account) => devicesOf(account).filter((device) => !isRemoved(device));
    await Promise.all(changed.map((account) => accounts.putAccount({ ...account, pushDevices: without(account) })));
  };
  const checkLimits = (account: Account) => {
    const { pushDevicesPerAccountMax, pushDevicesMax } = config;
    const all = accounts.accounts().flatMap(devicesOf);
    if (devicesOf(account).length < pushDevicesPerAccountMax && all.length < pushDevicesMax) return;
    throw new ControllerError(
      "LIMIT_REACHED",
      `At most ${pushDevicesPerAccountMax} browsers of an account (pushDevicesPerAccountMax) and ${pushDevicesMax} of all accounts (pushDevicesMax) show notifications. Remove one first.`,
    );
  };
  return {
    of: (accountId) => devicesOf(findAccountById(accounts, accountId)),
    ofLogin: (login) => reachable(login).flatMap(devicesOf),
    openNow: (login) =>
      reachable(login)
        .filter((account) => hours.isOpenNow(account))
        .flatMap(devicesOf),
    areOwners: (login) => reachable(login).some((account) => account.role === "owner" && devicesOf(account).length > 0),
    async add(accountId, wanted) {
      await removeWhere(({ endpoint }) => endpoint === wanted.endpoint);
      const account = findAccountById(accounts, accountId);
      if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
      checkLimits(account);
      const device = { ...wanted, id: randomId(randomness), createdAtMs: clock.now() };
      await accounts.putAccount({ ...account, pushDevices: [...devicesOf(account), device] });
      return device;
    },
    remove: (id) => removeWhere((device) => device.id === id),
    endOfSessions: (ids) => removeWhere(({ sessionId }) => sessionId !== undefined && ids.includes(sessionId)),
  };
}
