/** `domovoi account`: who may log in at a running controller. Passwords are printed only when they were generated, once. */

import type { Account, AccountRole, Accounts, WithPassword } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { modeOf } from "../connection/find-access.ts";
import { withHome, withSession } from "../connection/with-home.ts";
import { printList } from "../home/list.ts";
import { say } from "../edit/edit-output.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { type LimitOptions, limitsOf, namesSomething } from "./limit-options.ts";

type AddOptions = ConnectionOptions & { readonly role: AccountRole };

export function listAccounts(options: ConnectionOptions): Promise<void> {
  return withSession(options, async ({ accounts }) => {
    printList(await accounts.list(), options, "There are no accounts.", {
      LOGIN: ({ login }) => login,
      KIND: ({ kind }) => kind,
      ROLE: ({ role }) => role,
      SINCE: ({ createdAt }) => createdAt.slice(0, 10),
    });
  });
}

export function addAccount(login: string, options: AddOptions): Promise<void> {
  return withSession(options, async ({ accounts }) => {
    const password = newPassword();
    const wanted = { kind: modeOf(login), login, role: options.role };
    tell(login, await accounts.add(password === undefined ? wanted : { ...wanted, password }));
  });
}

export function changeAccountPassword(login: string, options: ConnectionOptions): Promise<void> {
  return withSession(options, async ({ accounts }) => {
    const { id } = await find(accounts, login);
    tell(login, await accounts.setPassword(id, newPassword()));
  });
}

export function changeAccountRole(login: string, role: AccountRole, options: ConnectionOptions): Promise<void> {
  return withSession(options, async ({ accounts }) => {
    const { id } = await find(accounts, login);
    const { role: now } = await accounts.setRole(id, role);
    process.stdout.write(`${plain(login)}   ${now}\n`);
  });
}

export function removeAccount(login: string, options: ConnectionOptions): Promise<void> {
  return withSession(options, async ({ accounts }) => {
    const { id } = await find(accounts, login);
    await accounts.remove(id);
    process.stdout.write(`${plain(login)} is removed.\n`);
  });
}

/** The limits replace those that were before. */
export function limitAccount(
  login: string,
  options: ConnectionOptions & LimitOptions & { readonly none?: boolean },
): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    if (options.none && namesSomething(options))
      throw usageFailure("--none removes all limits, so it cannot be combined with other options.");
    const limits = options.none ? null : limitsOf(home, options);
    const { id, login: known } = await find(home.accounts, login);
    const sentence = limits ? `"${known}" reaches this part of the home only.` : `"${known}" has no limits.`;
    say(options, sentence, await home.accounts.setLimits(id, limits));
  });
}

/** By login, whichever way its letters are written. @throws CommandFailure notFound */
async function find(accounts: Accounts, login: string): Promise<Account> {
  const wanted = login.toLowerCase();
  const found = (await accounts.list()).find(
    (account) => account.login.toLowerCase() === wanted && account.kind === modeOf(login),
  );
  if (found) return found;
  throw new CommandFailure("notFound", `There is no account "${login}". "domovoi account list" shows them.`);
}

/** Undefined: the controller generates one. */
function newPassword(): string | undefined {
  return process.env.DOMOVOI_NEW_PASSWORD || undefined;
}

function tell(login: string, { password }: WithPassword): void {
  process.stdout.write(password === null ? `${plain(login)}\n` : `${plain(login)}   ${password}\n`);
}
