/**
 * Finds the controller and the account of a command: from options, saved controllers and the environment. Saved data
 * of a controller have priority over the environment's account and certificate authority.
 */

import { readFileSync } from "node:fs";
import { closestTo } from "../../util/closest.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { askPassword } from "./ask-password.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { readSavedControllers, type SavedController, type SavedControllers } from "./saved-controllers.ts";

/** The data of a connection. */
export type Access = {
  readonly url: string;
  readonly mode: "portal" | "local";
  readonly user: string;
  readonly password: string;
  /** PEM */
  readonly ca?: string;
  readonly insecure: boolean;
};

/** Tells the password of an account, or asks for it. */
type PasswordSource = (user: string, url: string) => Promise<string>;

const DEFAULT_URL = "https://localhost";

/** @throws CommandFailure when the controller or the account is ambiguous or unknown. */
export async function findAccess(options: ConnectionOptions, passwordOf: PasswordSource = askFor): Promise<Access> {
  const { controller, url, insecure = false } = options;
  if (controller !== undefined && url !== undefined) throw usageFailure("Either --controller or --url, not both.");
  const saved = url === undefined ? findSaved(controller) : null;
  if (saved && options.user === undefined) return withAuthority(options.ca, ofSaved(saved, insecure));
  const address = checkUrl(url ?? saved?.url ?? (process.env.DOMOVOI_URL || DEFAULT_URL));
  const user = options.user || process.env.DOMOVOI_USER;
  if (!user)
    throw new CommandFailure(
      "credentials",
      'No account is named. Save one with "domovoi login", or name it with --user or DOMOVOI_USER.',
    );
  const password = process.env.DOMOVOI_PASSWORD || (await passwordOf(user, address));
  const access = { url: address, mode: modeOf(user), user, password, insecure };
  if (saved?.ca) return withAuthority(options.ca, { ...access, ca: saved.ca });
  return withAuthority(options.ca ?? (process.env.DOMOVOI_CA || undefined), access);
}

/** Accounts of the portal are e-mail addresses, those of the local listener are not. */
export function modeOf(user: string): "portal" | "local" {
  return user.includes("@") ? "portal" : "local";
}

/** Listeners without TLS are for this machine alone: elsewhere the password would go over the network as it is. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @returns scheme, host and port. @throws CommandFailure usage */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (url && isSafe && url.username === "" && url.password === "") return url.origin;
  if (url?.protocol === "http:" && !isSafe)
    throw usageFailure(
      `"${text}" is without TLS, so the password would cross the network in plain text. Use an address with https:.`,
    );
  throw usageFailure(`"${text}" is not the address of a controller, such as https://localhost:9443.`);
}

export function readAuthority(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw usageFailure(`The certificate authority in ${file} cannot be read.`, cause);
  }
}

function withAuthority(file: string | undefined, access: Access): Access {
  return file === undefined ? access : { ...access, ca: readAuthority(file) };
}

/** @throws CommandFailure notFound */
export function namedController({ controllers }: SavedControllers, name: string): SavedController {
  const found = controllers.get(name);
  if (found) return found;
  const close = closestTo(name, controllers.keys());
  const hint = close === null ? '"domovoi controllers" lists the saved ones.' : `Did you mean "${close}"?`;
  throw new CommandFailure("notFound", `No controller "${name}" is saved. ${hint}`);
}

/** By name, from the environment, or the one in use; null where an address is meant instead. */
function findSaved(option: string | undefined): SavedController | null {
  const name = option ?? (process.env.DOMOVOI_CONTROLLER || undefined);
  if (name === undefined && process.env.DOMOVOI_URL) return null;
  const saved = readSavedControllers();
  if (name !== undefined) return namedController(saved, name);
  return saved.chosen === null ? null : (saved.controllers.get(saved.chosen) ?? null);
}

function ofSaved({ url, user, password, ca }: SavedController, insecure: boolean): Access {
  const access = { url, mode: modeOf(user), user, password, insecure };
  return ca === null ? access : { ...access, ca };
}

function askFor(user: string, url: string): Promise<string> {
  return askPassword(`Password of ${user} at ${url}: `);
}
