/** Conditions for changes of one's own ways to sign in: the account of a person, and a session that has just begun. */

import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import type { Principal } from "./principal.ts";
import { type Account, type AccountStore, findAccountById } from "./records.ts";
import type { Sessions } from "./sessions.ts";

type Parts = { readonly accounts: AccountStore; readonly clock: Clock; readonly sessions: Sessions };

/** A passkey outlasts a session, so a stranger at an open page must not be able to add one. */
const FRESH_SESSION_MS = 600_000;

/** @throws ControllerError FORBIDDEN for accounts of programs, assistants and guests */
export function requirePerson(accounts: AccountStore, accountId: string): Account {
  const account = findAccountById(accounts, accountId);
  if (account?.kind === "portal" && !account.assistant) return account;
  const sentence = "Only accounts of people who sign in on the page have passkeys and a second factor.";
  throw new ControllerError("FORBIDDEN", sentence);
}

/** @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN when the session is older than ten minutes */
export function requireFreshPerson({ accounts, clock, sessions }: Parts, { accountId, sessionId }: Principal): Account {
  const account = requirePerson(accounts, accountId);
  const session = sessionId === null ? null : sessions.find(sessionId);
  if (session && clock.now() - session.createdAtMs < FRESH_SESSION_MS) return account;
  throw new ControllerError("SIGN_IN_AGAIN");
}
