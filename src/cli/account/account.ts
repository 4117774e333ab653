/** `domovoi account`: who may log in at a running controller. Passwords are printed only when they were generated, once. */

import type { ControllerSession } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { modeOf } from "../connection/find-access.ts";
import { dataOf, withSession } from "../connection/with-home.ts";
import { type ListOptions as ListFormat, printList } from "../home/list.ts";
import { CommandFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";

export type AccountRole = "owner" | "user" | "guest";
export type ListOptions = ConnectionOptions & ListFormat;
export type AddOptions = ConnectionOptions & { readonly role: AccountRole };

/** What the interface tells of an account. @see docs/interface/accounts.md */
type Account = {
  readonly id: string;
  readonly kind: "portal" | "local";
  readonly login: string;
  readonly role: AccountRole;
  readonly createdAt: string;
};
type Told = { readonly password: string | null };

export function listAccounts(options: ListOptions): Promise<void> {
  return withSession(options, async (session) => {
    const accounts = dataOf<readonly Account[]>(await session.request("GET", "/api/accounts"));
    const columns = [
      { title: "LOGIN", text: ({ login }: Account) => login },
      { title: "KIND", text: ({ kind }: Account) => kind },
      { title: "ROLE", text: ({ role }: Account) => role },
      { title: "SINCE", text: ({ createdAt }: Account) => createdAt.slice(0, 10) },
    ];
    printList(accounts, columns, (account) => account, options, "There are no accounts.");
  });
}

export function addAccount(login: string, options: AddOptions): Promise<void> {
  return withSession(options, async (session) => {
    const wanted = { kind: modeOf(login), login, role: options.role, ...newPassword() };
    tell(login, dataOf<Told>(await session.request("POST", "/api/accounts", wanted)));
  });
}

export function changeAccountPassword(login: string, options: ConnectionOptions): Promise<void> {
  return withSession(options, async (session) => {
    const { id } = await find(session, login);
    tell(login, dataOf<Told>(await session.request("POST", `/api/accounts/${id}/password`, newPassword())));
  });
}

export function changeAccountRole(login: string, role: string, options: ConnectionOptions): Promise<void> {
  return withSession(options, async (session) => {
    const { id } = await find(session, login);
    const { role: now } = dataOf<Account>(await session.request("POST", `/api/accounts/${id}`, { role }));
    process.stdout.write(`${plain(login)}   ${now}\n`);
  });
}

export function removeAccount(login: string, options: ConnectionOptions): Promise<void> {
  return withSession(options, async (session) => {
    const { id } = await find(session, login);
    await session.request("DELETE", `/api/accounts/${id}`);
    process.stdout.write(`${plain(login)} is removed.\n`);
  });
}

/** By login, whichever way its letters are written. @throws CommandFailure notFound */
async function find(session: ControllerSession, login: string): Promise<Account> {
  const accounts = dataOf<readonly Account[]>(await session.request("GET", "/api/accounts"));
  const wanted = login.toLowerCase();
  const found = accounts.find((account) => account.login.toLowerCase() === wanted && account.kind === modeOf(login));
  if (found) return found;
  throw new CommandFailure("notFound", `There is no account "${login}". "domovoi account list" shows them.`);
}

/** Empty: the controller generates one. */
function newPassword(): { readonly password?: string } {
  const password = process.env.DOMOVOI_NEW_PASSWORD;
  return password ? { password } : {};
}

function tell(login: string, { password }: Told): void {
  process.stdout.write(password === null ? `${plain(login)}\n` : `${plain(login)}   ${password}\n`);
}
