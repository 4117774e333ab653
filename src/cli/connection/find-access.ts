/**
 * Finds the controller and the account of a command: from options, saved controllers and the environment. Saved data
 * of a controller have priority over the environment's account and certificate authority.
 */

import { rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { TokenStore } from "@domovoi/client";
import { closestTo } from "../../util/closest.ts";
import { modeOfUser, readControllerAddress } from "../../util/controller-address.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { readNamedFile } from "../unreadable-file.ts";
import { askPassword, givenPassword } from "./ask-password.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import {
  controllersFile,
  readSavedControllers,
  type SavedController,
  type SavedControllers,
  writeSavedControllers,
} from "./saved-controllers.ts";

/** The data of a connection. */
export type Access = {
  readonly url: string;
  readonly mode: "portal" | "local";
  readonly user: string;
  /** "": the saved login is used. */
  readonly password: string;
  /** The saved login, which goes on when the command ends. */
  readonly tokenStore?: TokenStore;
  /** PEM */
  readonly ca?: string;
  readonly insecure: boolean;
};

type Named = { readonly name: string; readonly controller: SavedController };

/** Tells the password of an account, or asks for it. */
type PasswordSource = (user: string, url: string) => Promise<string>;

const DEFAULT_URL = "https://localhost";

/** @throws CommandFailure when the controller or the account is ambiguous or unknown. */
export async function findAccess(options: ConnectionOptions, passwordOf: PasswordSource = askFor): Promise<Access> {
  const { controller, url, insecure = false } = options;
  if (controller !== undefined && url !== undefined) throw usageFailure("Either --controller or --url, not both.");
  const saved = url === undefined ? findSaved(controller) : savedAt(url, insecure);
  if (saved && options.user === undefined) return withAuthority(options.ca, await ofSaved(saved, options, passwordOf));
  const address = checkUrl(url ?? saved?.controller.url ?? (process.env.DOMOVOI_URL || DEFAULT_URL), insecure);
  const user = options.user || process.env.DOMOVOI_USER;
  if (!user)
    throw new CommandFailure(
      "credentials",
      'No account is named. Save one with "domovoi login", or name it with --user or DOMOVOI_USER.',
    );
  const password = (await givenPassword(options)) || (await passwordOf(user, address));
  const access = { url: address, mode: modeOfUser(user), user, password, insecure };
  if (saved?.controller.ca) return withAuthority(options.ca, { ...access, ca: saved.controller.ca });
  return withAuthority(options.ca ?? (process.env.DOMOVOI_CA || undefined), access);
}

/**
 * @param isUnchecked an address without TLS is accepted too.
 * @returns scheme, host and port. @throws CommandFailure usage
 */
export function checkUrl(text: string, isUnchecked = false): string {
  const address = readControllerAddress(text, isUnchecked);
  if ("problem" in address) throw usageFailure(address.problem);
  return address.origin;
}

function withAuthority(file: string | undefined, access: Access): Access {
  return file === undefined ? access : { ...access, ca: readNamedFile(file, "certificate file") };
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
function findSaved(option: string | undefined): Named | null {
  const name = option ?? (process.env.DOMOVOI_CONTROLLER || undefined);
  if (name === undefined && process.env.DOMOVOI_URL) return null;
  const saved = readSavedControllers();
  if (name !== undefined) return { name, controller: namedController(saved, name) };
  const chosen = saved.chosen === null ? undefined : saved.controllers.get(saved.chosen);
  return saved.chosen === null || !chosen ? null : { name: saved.chosen, controller: chosen };
}

/** The only one that is saved for an address; null where none or several are. */
function savedAt(url: string, isUnchecked: boolean): Named | null {
  const address = checkUrl(url, isUnchecked);
  const found = [...readSavedControllers().controllers].filter(([, controller]) => controller.url === address);
  const [[name, controller] = []] = found;
  return found.length === 1 && name !== undefined && controller ? { name, controller } : null;
}

/** The local listener has no tokens, so its accounts need their password at each command. */
async function ofSaved(
  { name, controller }: Named,
  options: ConnectionOptions,
  passwordOf: PasswordSource,
): Promise<Access> {
  const { url, user, ca, tokens, password = "" } = controller;
  const mode = modeOfUser(user);
  const { insecure = false } = options;
  const access = { url, mode, user, insecure, ...(ca !== null && { ca }) };
  const tokenStore = savedLogin(name);
  if (mode === "portal" && (tokens || password !== "")) return { ...access, password, tokenStore };
  if (password !== "") tokenStore.write(null);
  const given = (await givenPassword(options)) || (await passwordOf(user, url));
  return mode === "portal" ? { ...access, password: given, tokenStore } : { ...access, password: given };
}

function askFor(user: string, url: string): Promise<string> {
  return askPassword(`Password of ${user} at ${url}: `);
}

const POLL_MS = 50;
/** Longer than a login may take: the command that locked the file has been killed. */
const STALE_MS = 60_000;

/**
 * The tokens of a saved controller, shared by all commands: a refresh token works once, so one command at a time refreshes it. What a
 * version before this one saved, a password, is replaced by tokens with the first login.
 */
function savedLogin(name: string): TokenStore {
  return {
    read: () => readSavedControllers().controllers.get(name)?.tokens ?? null,
    write(tokens) {
      const { chosen, controllers } = readSavedControllers();
      const saved = controllers.get(name);
      // It was removed meanwhile.
      if (!saved) return;
      const { password: _before, ...rest } = saved;
      writeSavedControllers({ chosen, controllers: new Map(controllers).set(name, { ...rest, tokens }) });
    },
    async exclusively(work) {
      const lock = `${controllersFile()}.lock`;
      while (!tryLock(lock)) await sleep(POLL_MS);
      try {
        return await work();
      } finally {
        rmSync(lock, { force: true });
      }
    },
  };
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST")
      throw new CommandFailure("credentials", `The file ${lock} cannot be written.`, cause);
  }
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > STALE_MS) rmSync(lock, { force: true });
  return false;
}
