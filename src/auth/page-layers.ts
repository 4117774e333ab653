/**
 * A person's own arrangement of the page: favorites, the order of rooms, hidden things, and times of use. Stored with
 * the account, so it is the same on every device. It never changes the home.
 */

import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import { type AccountStore, findAccountById, PAGE_LAYER_MEMBERS, type PageLayer } from "./records.ts";

export type PageLayers = {
  /** Empty lists where nothing was marked. */
  of(accountId: string): PageLayer;
  /** Replaces the lists that are given. On disk when it settles. @throws ControllerError ACCOUNT_NOT_FOUND, BAD_VALUE */
  change(accountId: string, change: Partial<PageLayer>): Promise<PageLayer>;
};

const EMPTY: PageLayer = { favorites: [], order: [], hidden: [], used: [] };

export function createPageLayers(accounts: AccountStore, config: Pick<Config, "pageLayerEntriesMax">): PageLayers {
  const of = (accountId: string): PageLayer => ({ ...EMPTY, ...findAccountById(accounts, accountId)?.pageLayer });
  return {
    of,
    async change(accountId, change) {
      const account = findAccountById(accounts, accountId);
      if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
      for (const name of PAGE_LAYER_MEMBERS) checkLength(name, change[name] ?? [], config.pageLayerEntriesMax);
      const pageLayer = { ...of(accountId), ...change };
      await accounts.putAccount({ ...account, pageLayer });
      return pageLayer;
    },
  };
}

function checkLength(name: string, entries: readonly string[], max: number): void {
  if (entries.length > max) throw badValue(`${name} has more than ${max} entries.`);
}
