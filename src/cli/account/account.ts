/** `domovoi account`: who may log in at a running controller. Passwords are printed only when they were generated, once. */

import type { Account, AccountRole, Accounts, ControllerSession, Home, WithPassword } from "@domovoi/client";
import { modeOfUser } from "../../util/controller-address.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { type LimitOptions, limitsOf, namesSomething, reachText } from "./limit-options.ts";

type AssistantOptions = ConnectionOptions & { readonly allow?: readonly AllowedKind[]; readonly off?: boolean };
type AddOptions = ConnectionOptions & { readonly role: AccountRole; readonly assistant?: boolean };
type AllowedKind = NonNullable<Account["assistant"]>[number];

export async function listAccounts(home: Home, options: ConnectionOptions): Promise<void> {
  printList(await home.accounts.list(), options, "There are no accounts.", {
    LOGIN: ({ login }) => login,
    KIND: ({ kind }) => kind,
    ROLE: ({ role }) => role,
    SINCE: ({ createdAt }) => createdAt.slice(0, 10),
    HOURS: ({ hours }) => (hours ? hours.map(spanText).join(", ") : "always"),
    REACHES: ({ limits }) => (limits ? reachText(home, limits) : "everything"),
  });
}

export async function addAccount({ accounts }: ControllerSession, login: string, options: AddOptions): Promise<Done> {
  const password = newPassword();
  const about = { kind: modeOfUser(login), login, role: options.role };
  const wanted = options.assistant ? { ...about, assistant: [] } : about;
  return passworded(login, await accounts.add(password === undefined ? wanted : { ...wanted, password }));
}

export async function changeAccountPassword({ accounts }: ControllerSession, login: string): Promise<Done> {
  const { id } = await find(accounts, login);
  return passworded(login, await accounts.setPassword(id, newPassword()));
}

export async function changeAccountRole(
  { accounts }: ControllerSession,
  login: string,
  role: AccountRole,
): Promise<Done> {
  const { id } = await find(accounts, login);
  const changed = await accounts.setRole(id, role);
  return done(`${login}   ${changed.role}`, changed);
}

type Span = NonNullable<Account["hours"]>[number];

function spanText({ days, from, to }: Span): string {
  return `${days.length === DAYS.length ? "daily" : days.join(",")} ${from}-${to}`;
}

type HoursOptions = ConnectionOptions & { readonly always?: boolean };

export async function setHours(
  { accounts, request }: ControllerSession,
  login: string,
  spans: readonly string[],
  { always = false }: HoursOptions,
): Promise<Done> {
  if (always === spans.length > 0) throw usageFailure("Give the hours, such as 'mon-fri 07:00-20:00', or --always.");
  const hours = always ? null : spans.map(readSpan);
  const { id, login: known } = await find(accounts, login);
  const { data } = await request("POST", `/api/accounts/${encodeURIComponent(id)}`, { hours });
  return done(always ? `"${known}" can be used at all times.` : `"${known}" can be used ${spans.join(", ")}.`, {
    ...(data as object),
  });
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** `mon-fri 07:00-20:00`, `sat,sun 08:00-21:30`, `daily 08:00-12:00`. @throws CommandFailure usage */
function readSpan(written: string) {
  const [, which = "", from, to] = /^\s*(\S{1,40})\s+(\d\d:\d\d)\s?[-–]\s?(\d\d:\d\d)\s*$/.exec(written) ?? [];
  const days = which === "daily" ? DAYS : which.toLowerCase().split(",").flatMap(daysOf);
  if (from !== undefined && days.length > 0) return { days, from, to };
  throw usageFailure(
    `"${written}" is not hours. They are written 'mon-fri 07:00-20:00', 'sat,sun 08:00-12:00' or 'daily 08:00-20:00'.`,
  );
}

/** `mon`, or `mon-fri` */
function daysOf(written: string): readonly string[] {
  const [first = "", last = first] = written.split("-");
  const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
  return from < 0 || to < from ? [] : DAYS.slice(from, to + 1);
}

/** What it changes without asking, in place of what was allowed before. */
export async function allowAssistant(
  { accounts, request }: ControllerSession,
  login: string,
  { allow = [], off = false }: AssistantOptions,
): Promise<Done> {
  const { id } = await find(accounts, login);
  const path = `/api/accounts/${encodeURIComponent(id)}`;
  const { data } = await request("POST", path, { assistant: off ? null : allow });
  const asks = allow.length === 0 ? "proposes every change." : `changes without asking: ${allow.join(", ")}.`;
  return done(off ? `"${login}" is the account of a person.` : `The assistant "${login}" ${asks}`, data as object);
}

export async function removeAccount({ accounts }: ControllerSession, login: string): Promise<Done> {
  const { id } = await find(accounts, login);
  await accounts.remove(id);
  return done(`${login} is removed.`, { login });
}

/** The limits replace those that were before. */
export async function limitAccount(
  home: Home,
  login: string,
  options: ConnectionOptions & LimitOptions & { readonly none?: boolean },
): Promise<Done> {
  if (options.none && namesSomething(options))
    throw usageFailure("--none removes all limits, so it cannot be combined with other options.");
  const limits = options.none ? null : limitsOf(home, options);
  const { id, login: known } = await find(home.accounts, login);
  const sentence = limits ? `"${known}" reaches this part of the home only.` : `"${known}" has no limits.`;
  return done(sentence, await home.accounts.setLimits(id, limits));
}

/** By login, whichever way its letters are written. @throws CommandFailure notFound */
async function find(accounts: Accounts, login: string): Promise<Account> {
  const wanted = login.toLowerCase();
  const found = (await accounts.list()).find(
    (account) => account.login.toLowerCase() === wanted && account.kind === modeOfUser(login),
  );
  if (found) return found;
  throw new CommandFailure("notFound", `There is no account "${login}". "domovoi account list" shows them.`);
}

/** Undefined: the controller generates one. */
function newPassword(): string | undefined {
  return process.env.DOMOVOI_NEW_PASSWORD || undefined;
}

function passworded(login: string, account: WithPassword): Done {
  return done(account.password === null ? login : `${login}   ${account.password}`, account);
}
