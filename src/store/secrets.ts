/** Keys and certificates of the instance: a file each, mode 0600, written wholly or not at all. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { AccountStore } from "../auth/records.ts";
import { ControllerError, invariant } from "../errors.ts";
import { syncDirectory } from "./database/sync-directory.ts";

export type Secrets = Pick<AccountStore, "secret" | "findSecret" | "replaceSecret"> & {
  /** Removes a secret that may be there. */
  removeSecret(name: string): void;
};

/** End of the name of a file that is not written wholly yet. */
const UNFINISHED = ".unfinished";

/**
 * Every member throws ControllerError STORE_UNAVAILABLE when the disk does not do it.
 * @param onChange hears of every change; null: removed.
 */
export function createSecrets(
  directory: string,
  onChange: (name: string, value: string | null) => void = () => {},
): Secrets {
  const findSecret = (name: string) => {
    const path = pathOf(directory, name);
    return orUnavailable(name, () => readSecret(path));
  };
  const replaceSecret = (name: string, value: string) => {
    const path = pathOf(directory, name);
    orUnavailable(name, () => writeSecret(path, value));
    onChange(name, value);
  };
  return {
    secret(name, make) {
      const known = findSecret(name);
      if (known !== null) return known;
      const made = make();
      replaceSecret(name, made);
      return made;
    },
    findSecret,
    replaceSecret,
    removeSecret(name) {
      const path = pathOf(directory, name);
      orUnavailable(name, () => rmSync(path, { force: true }));
      onChange(name, null);
    },
  };
}

function pathOf(directory: string, name: string): string {
  invariant(/^[\w-][\w.-]*$/.test(name), "The name of a secret is the name of a file.");
  return join(directory, name);
}

function orUnavailable<R>(name: string, work: () => R): R {
  try {
    return work();
  } catch (cause) {
    const sentence = `The secret "${name}" in the data directory can neither be read nor written.`;
    throw new ControllerError("STORE_UNAVAILABLE", { sentence, cause });
  }
}

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return null;
    throw error;
  }
}

/** Written wholly or not at all, mode 0600. */
export function writeSecret(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = path + UNFINISHED;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, "wx", 0o600);
  try {
    writeSync(file, secret);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

/** All secrets of a directory by name. */
export function readSecretFiles(directory: string): ReadonlyMap<string, string> {
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => !name.endsWith(UNFINISHED)) : [];
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

/** Makes the directory hold these secrets and no others. */
export function replaceSecretFiles(directory: string, secrets: ReadonlyMap<string, string>): void {
  const before = readSecretFiles(directory);
  for (const [name, body] of secrets) if (before.get(name) !== body) writeSecret(pathOf(directory, name), body);
  for (const name of before.keys()) if (!secrets.has(name)) rmSync(pathOf(directory, name));
}
