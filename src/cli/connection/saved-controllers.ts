/**
 * The controllers that `domovoi login` saves, with the tokens of a login, in one file that only its owner can read. A file with wider
 * permissions is refused, so that a leak is noticed. Passwords are not saved.
 */

import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { StoredTokens } from "@domovoi/client";
import { isRecord } from "../../util/is-record.ts";
import { messageOf } from "../../util/message-of.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";

export type SavedController = {
  /** Where its portal or its local listener answers. */
  readonly url: string;
  /** An e-mail address is an account of the portal, anything else one of the local listener. */
  readonly user: string;
  /** Null: commands need the password, as always with an account of the local listener. */
  readonly tokens: StoredTokens | null;
  /** Saved by an earlier version; used for one more login, and never written. */
  readonly password?: string;
  /** PEM of the authority, or of the very certificate, that was trusted; null = those of the machine. */
  readonly ca: string | null;
};

export type SavedControllers = {
  /** The one that is meant when none is named. */
  readonly chosen: string | null;
  readonly controllers: ReadonlyMap<string, SavedController>;
};

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
const OTHERS = 0o077;
const NONE: SavedControllers = { chosen: null, controllers: new Map() };

/** Follows XDG_CONFIG_HOME; DOMOVOI_CONTROLLERS names another file. */
export function controllersFile(): string {
  const { DOMOVOI_CONTROLLERS: file, XDG_CONFIG_HOME: configHome } = process.env;
  return file || join(configHome || join(homedir(), ".config"), "domovoi", "controllers.json");
}

/** @throws CommandFailure when others may read the file, or when it is damaged. */
export function readSavedControllers(): SavedControllers {
  const file = controllersFile();
  const text = readOwn(file);
  return text === null ? NONE : parse(text, file);
}

/** Replaces the file in one step; a crash leaves the one before. */
export function writeSavedControllers({ chosen, controllers }: SavedControllers): void {
  const file = controllersFile();
  const written = Array.from(controllers, ([name, { url, user, tokens, ca }]) => [name, { url, user, tokens, ca }]);
  const text = `${JSON.stringify({ chosen, controllers: Object.fromEntries(written) }, null, 2)}\n`;
  const beside = `${file}.${process.pid}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // "wx": what lies there already may be a link to somewhere else.
    const handle = openSync(beside, "wx", 0o600);
    try {
      fchmodSync(handle, 0o600);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, file);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw new CommandFailure("failed", `The file ${file} cannot be written: ${messageOf(cause)}.`, cause);
  }
}

/** @throws CommandFailure usage for a name that looks like an option or a path. */
export function checkControllerName(name: string): string {
  if (NAME.test(name)) return name;
  throw usageFailure(
    `"${name}" is not a valid name for a controller: use letters, digits, ".", "_" and "-", at most 64.`,
  );
}

function readOwn(file: string): string | null {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new CommandFailure("credentials", `The file ${file} cannot be read: ${messageOf(cause)}.`, cause);
  }
  try {
    const { mode, uid } = fstatSync(handle);
    // Windows keeps no such bits; there the file lies in the person's own profile.
    if (process.platform !== "win32") checkOwner(file, mode, uid);
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

function checkOwner(file: string, mode: number, uid: number): void {
  const me = process.getuid?.() ?? uid;
  if (uid !== me) throw new CommandFailure("credentials", `The file ${file} belongs to another user; it is not used.`);
  if ((mode & OTHERS) === 0) return;
  const quoted = `'${file.replaceAll("'", `'\\''`)}'`;
  throw new CommandFailure("credentials", `Others may read the logins in ${file}. Close it: chmod 600 ${quoted}`);
}

function parse(text: string, file: string): SavedControllers {
  try {
    const { chosen, controllers } = object(JSON.parse(text));
    const entries = Object.entries(object(controllers)).map(([name, each]) => [name, readController(each)] as const);
    return { chosen: typeof chosen === "string" ? chosen : null, controllers: new Map(entries) };
  } catch (cause) {
    const sentence = `The file ${file} is damaged: it holds no list of controllers. Remove it and log in again.`;
    throw new CommandFailure("credentials", sentence, cause);
  }
}

function readController(value: unknown): SavedController {
  const { url, user, password, tokens, ca } = object(value);
  return {
    url: string(url),
    user: string(user),
    tokens: tokens === null || tokens === undefined ? null : readTokens(object(tokens)),
    ...(typeof password === "string" && { password }),
    ca: ca === null ? null : string(ca),
  };
}

function readTokens({ access, refresh }: Readonly<Record<string, unknown>>): StoredTokens {
  return { access: string(access), refresh: string(refresh) };
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new Error("An object is expected.");
}

function string(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error("A text is expected.");
}
