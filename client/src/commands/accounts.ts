/** Accounts and backups, in portal mode, for owners. @see docs/interface/accounts.md, backup.md */

import { readAccount, readAccounts, readBackup, readBackups, readPassword } from "../documents/accounts.ts";
import { readEnvelope } from "../documents/json.ts";
import type { Accounts, Backups } from "../model/accounts.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

type Method = Parameters<typeof write>[1];

export function createAccounts(session: Session): Accounts {
  const send = (method: Method, path: string, body?: object, password?: string) => {
    requirePortal(session, "Work on accounts");
    return write(session, method, path, body, password === undefined ? [] : [password]);
  };
  const one = (id: string) => `/api/accounts/${segment(id)}`;
  return {
    async list() {
      requirePortal(session, "Work on accounts");
      return readAccounts(readEnvelope(await session.get("/api/accounts"), "/api/accounts"));
    },
    async add(account) {
      const data = await send("POST", "/api/accounts", account, account.password);
      return { ...readAccount(data), ...readPassword(data) };
    },
    setRole: async (id, role) => readAccount(await send("POST", one(id), { role })),
    setPassword: async (id, password) =>
      readPassword(await send("POST", `${one(id)}/password`, password === undefined ? {} : { password }, password)),
    async remove(id) {
      await send("DELETE", one(id));
    },
  };
}

/** A controller answers after 15 seconds at the latest. */
const WAIT_S = 1;

export function createBackups(session: Session): Backups {
  const one = (id: string) => `/api/backup/${segment(id)}`;
  const read = async (path: string) => {
    requirePortal(session, "Work on backups");
    return readEnvelope(await session.get(path), path);
  };
  return {
    list: async () => readBackups(await read("/api/backup")),
    async begin(order = {}) {
      requirePortal(session, "Work on backups");
      const { passphrase } = order;
      return readBackup(await write(session, "POST", "/api/backup", order, passphrase ? [passphrase] : []));
    },
    follow: async (id) => readBackup(await read(`${one(id)}?wait=${WAIT_S}`)),
    test: async (id) => readBackup(await write(session, "POST", `${one(id)}/test`)),
    download: (id) => session.download(`${one(id)}/file`),
    async remove(id) {
      await write(session, "DELETE", one(id));
    },
  };
}
