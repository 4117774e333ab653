/** Accounts and backups, in portal mode, for owners. @see docs/interface/accounts.md, backup.md */

import type { Accounts, Backups } from "../model/accounts.ts";
import type { Session } from "../transport/session.ts";
import { segment } from "./paths.ts";
import { portalRequest } from "./portal-request.ts";

export function createAccounts(session: Session): Accounts {
  const request = portalRequest(session, "Work on accounts");
  return {
    list: () => request("GET /api/accounts", {}),
    add: (account) => request("POST /api/accounts", {}, { body: account, secrets: secretsOf(account.password) }),
    setRole: (id, role) => request("POST /api/accounts/:id", { id }, { body: { role } }),
    setLimits: (id, limits) => request("POST /api/accounts/:id", { id }, { body: { limits } }),
    setPassword: (id, password) =>
      request(
        "POST /api/accounts/:id/password",
        { id },
        { body: password === undefined ? {} : { password }, secrets: secretsOf(password) },
      ),
    remove: async (id) => void (await request("DELETE /api/accounts/:id", { id })),
    sessions: (id) => request("GET /api/accounts/:id/sessions", { id }),
    endSession: async (id, session) =>
      void (await request("DELETE /api/accounts/:id/sessions/:session", { id, session })),
  };
}

/** A controller answers after 15 seconds at the latest. */
const WAIT_S = 1;

export function createBackups(session: Session): Backups {
  const request = portalRequest(session, "Work on backups");
  return {
    list: () => request("GET /api/backup", {}),
    begin: (order = {}) => request("POST /api/backup", {}, { body: order, secrets: secretsOf(order.passphrase) }),
    follow: (id) => request("GET /api/backup/:id", { id }, { query: { wait: WAIT_S } }),
    test: (id) => request("POST /api/backup/:id/test", { id }),
    download: (id) => session.download(`/api/backup/${segment(id)}/file`),
    remove: async (id) => void (await request("DELETE /api/backup/:id", { id })),
  };
}

function secretsOf(secret: string | undefined): readonly string[] {
  return secret ? [secret] : [];
}
