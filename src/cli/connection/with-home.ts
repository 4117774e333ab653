/** The home of a running controller, or only a login, for the time of one command. */

import { ClientError, type ClientErrorCode, type ControllerSession, connect, type Home, login } from "@domovoi/client";
import { CommandFailure, type Outcome } from "../outcome.ts";
import { ask } from "./ask-password.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { type Access, findAccess } from "./find-access.ts";

export type HowToConnect = {
  /** `off`: what is loaded stays as it is. */
  readonly stream: "rest" | "off";
  /** Timeout of a request. */
  readonly deadlineMs?: number;
};

/** Loads a home, runs the command, logs out. @throws CommandFailure */
export function withHome<T>(
  options: ConnectionOptions,
  how: HowToConnect,
  use: (home: Home) => Promise<T>,
): Promise<T> {
  return withOpened(options, (access) => openHome(access, how), use);
}

/** Like `withHome`, for commands that need only some paths of the home. */
export function withSession<T>(
  options: ConnectionOptions,
  use: (session: ControllerSession, access: Access) => Promise<T>,
): Promise<T> {
  return withOpened(options, openSession, use);
}

/** @throws CommandFailure */
export async function openHome(access: Access, how: HowToConnect): Promise<Home> {
  try {
    return await connect({ ...loginOf(access), ...how });
  } catch (error) {
    throw failureOf(error, access);
  }
}

/** @throws ClientError */
export function openSession(access: Access): Promise<ControllerSession> {
  return login(loginOf(access));
}

/** Without a password only the saved login can be used, which the library takes without a user. */
export function loginOf(access: Access) {
  const { tokenStore, password, user } = access;
  const isSaved = tokenStore && password === "";
  return { ...access, user: isSaved ? "" : user, secondFactor: askDigits, keepLogin: tokenStore !== undefined };
}

/** A saved login needs them once; a script uses a local account. */
function askDigits(): Promise<string> {
  return ask(
    "Six digits of the second factor, or a recovery code: ",
    "Not a terminal, so the digits of the second factor cannot be entered. Save the login once with domovoi login, or use a local account.",
  );
}

async function withOpened<Opened extends AsyncDisposable, T>(
  options: ConnectionOptions,
  open: (access: Access) => Promise<Opened>,
  use: (opened: Opened, access: Access) => Promise<T>,
): Promise<T> {
  const access = await findAccess(options);
  try {
    await using opened = await open(access);
    return await use(opened, access);
  } catch (error) {
    throw failureOf(error, access);
  }
}

const OUTCOMES: Readonly<Record<ClientErrorCode, Outcome>> = {
  AUTH_FAILED: "credentials",
  HTTP_STATUS: "failed",
  REFUSED: "failed",
  BAD_DOCUMENT: "unreachable",
  DEADLINE_PASSED: "unreachable",
  CONNECTION_FAILED: "unreachable",
  NOT_FOUND: "notFound",
  AMBIGUOUS: "usage",
  COMMAND_NOT_ACCEPTED: "notFound",
  BAD_PARAMETER: "usage",
  BAD_OPTIONS: "usage",
  NOT_IN_LOCAL_MODE: "usage",
  CLOSED: "unreachable",
  TOO_SLOW: "failed",
};
const OUTCOMES_OF_STATUS: Readonly<Record<number, Outcome>> = {
  401: "credentials",
  404: "notFound",
  429: "credentials",
};
const CERTIFICATE_ERRORS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

const AT_THE_PORTAL = "Use an account of the portal: domovoi login --url URL --user NAME@EXAMPLE.ORG";

/** Errors that are not the library's are rethrown. */
function failureOf(error: unknown, { url, mode, user, password, tokenStore }: Access): unknown {
  if (!(error instanceof ClientError)) return error;
  const misplaced = otherListener(error, mode, url);
  if (misplaced !== null) return misplaced;
  if (error.code === "AUTH_FAILED" && tokenStore && password === "")
    return new CommandFailure(
      "credentials",
      `The login of ${user} at ${url} has ended. Log in again: domovoi login`,
      error,
    );
  if (error.code === "NOT_IN_LOCAL_MODE")
    return new CommandFailure("usage", `${error.message} ${AT_THE_PORTAL}`, error);
  const outcome = OUTCOMES_OF_STATUS[error.status ?? 0] ?? OUTCOMES[error.code];
  if (error.code !== "CONNECTION_FAILED") return new CommandFailure(outcome, withPatience(error), error);
  const why = error.message.replace(/^\S+ was not answered: /, "");
  if (!CERTIFICATE_ERRORS.test(error.reason ?? "")) {
    return new CommandFailure(outcome, `No controller answers at ${url}: ${why}.`, error);
  }
  const hint =
    'Trust its authority with "domovoi login --trust", or name it with --ca (secrets/ca-cert of its data directory).';
  return new CommandFailure(outcome, `The certificate of ${url} is not trusted: ${why}. ${hint}`, error);
}

/** The wait that the controller requests. */
function withPatience({ message, retryAfterS }: ClientError): string {
  return retryAfterS === null ? message : `${message} It can be tried again in ${retryAfterS} s.`;
}

/** The first request shows whether the account fits the listener; null when it does. */
function otherListener(error: ClientError, mode: Access["mode"], url: string): CommandFailure | null {
  if (mode === "portal" && error.status === 404 && error.url?.endsWith("/api/config"))
    return new CommandFailure(
      "unreachable",
      `${url} is not a portal. Use the local account, whose name is not an e-mail address.`,
      error,
    );
  if (mode === "local" && error.code === "AUTH_FAILED" && error.url?.endsWith("/rest/config"))
    return new CommandFailure(
      "credentials",
      "The user name or the password is wrong. At the portal accounts are e-mail addresses.",
      error,
    );
  if (mode === "local" && error.url?.startsWith(`${url}/api/`) && isUnknownPath(error))
    return new CommandFailure(
      "usage",
      `The local listener of ${url} does not have what this command needs; a controller without a portal cannot do it. ${AT_THE_PORTAL}`,
      error,
    );
  return null;
}

/** Older controllers answer a path that they do not have in one of two ways, and give no reason. */
function isUnknownPath({ status, reason }: ClientError): boolean {
  return (status === 404 || status === 401) && (!reason || reason === "PATH_UNKNOWN");
}
