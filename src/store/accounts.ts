/** Accounts, sessions and known devices: in memory, and as rows that are written through. */

import type { Account, AccountStore, Session } from "../auth/records.ts";
import { ControllerError } from "../errors.ts";
import type { StateTable } from "./database/tables.ts";
import type { Secrets } from "./secrets.ts";

type AccountTable = "accounts" | "sessions" | "known_devices";
type RowMaps = Readonly<Record<AccountTable, Map<string, string>>>;

type AccountPorts = {
  /** The rows as loaded; kept up to date, the writer reads them. */
  readonly rows: RowMaps;
  readonly touch: (table: StateTable, key: string) => void;
  readonly saved: () => Promise<void>;
  readonly secrets: Secrets;
};

export function createAccountStore({ rows, touch, saved, secrets }: AccountPorts): AccountStore {
  const accounts = parseRows<Account>(rows.accounts);
  const sessions = parseRows<Session>(rows.sessions);
  const knownDevices = parseRows<number>(rows.known_devices);
  const put = <R>(table: AccountTable, records: Map<string, R>, key: string, record: R) => {
    records.set(key, record);
    rows[table].set(key, JSON.stringify(record));
    touch(table, key);
  };
  const remove = (table: AccountTable, records: Map<string, unknown>, key: string) => {
    records.delete(key);
    rows[table].delete(key);
    touch(table, key);
  };
  return {
    accounts: () => [...accounts.values()],
    putAccount(account) {
      put("accounts", accounts, account.id, account);
      return saved();
    },
    removeAccount(id) {
      remove("accounts", accounts, id);
      for (const device of knownDevices.keys())
        if (device.startsWith(`${id} `)) remove("known_devices", knownDevices, device);
      return saved();
    },
    sessions: () => [...sessions.values()],
    async putSession(session) {
      put("sessions", sessions, session.id, session);
      try {
        await saved();
      } catch (error) {
        // While the disk refuses, a session lives in memory: its owner must get in to see what is wrong.
        if (!(error instanceof ControllerError) || error.code !== "STORE_UNAVAILABLE") throw error;
      }
    },
    removeSessions(ids) {
      for (const id of ids) remove("sessions", sessions, id);
      return ids.length > 0 ? saved() : Promise.resolve();
    },
    knownDevices: () => knownDevices,
    putKnownDevice: (id, seenAtMs) => put("known_devices", knownDevices, id, seenAtMs),
    ...secrets,
  };
}

function parseRows<R>(rows: ReadonlyMap<string, string>): Map<string, R> {
  return new Map([...rows].map(([key, body]) => [key, JSON.parse(body) as R]));
}
