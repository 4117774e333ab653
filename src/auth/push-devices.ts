/** Browsers that show notifications: a person allows it in each one, so they are stored with the account and removed with it. */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { type Account, type AccountStore, findAccountById, type PushDevice } from "./records.ts";

export type PushDevices = {
  /** In the order in which they were added. */
  of(accountId: string): readonly PushDevice[];
  /** The browsers of all accounts with this login. */
  ofLogin(login: string): readonly PushDevice[];
  /**
   * Replaces a browser that is known already, also one of another account. On disk when it settles.
   * @throws ControllerError ACCOUNT_NOT_FOUND, LIMIT_REACHED
   */
  add(accountId: string, device: Omit<PushDevice, "id" | "createdAtMs">): Promise<PushDevice>;
  /** Removes a browser from whichever account has it. An unknown id is ignored. */
  remove(id: string): Promise<void>;
};

type Parts = {
  readonly accounts: AccountStore;
  readonly config: Pick<Config, "pushDevicesPerAccountMax" | "pushDevicesMax">;
  readonly clock: Clock;
  readonly randomness: Randomness;
};

export function createPushDevices({ accounts, config, clock, randomness }: Parts): PushDevices {
  const devicesOf = (account: Account | null) => account?.pushDevices ?? [];
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
    ofLogin: (login) => accounts.accounts().flatMap((account) => (account.login === login ? devicesOf(account) : [])),
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
  };
}
