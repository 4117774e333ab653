/** A secret, such as a passphrase, in the first line of a file that only its owner may read. */

import { readFileSync, statSync } from "node:fs";
import { badValue } from "../errors.ts";

const OTHERS = 0o077;

/**
 * @param kind what the file holds, for the sentence of an error
 * @throws ControllerError BAD_VALUE when it cannot be read, is empty, or others may read it too.
 */
export function readSecretFile(kind: "passphrase" | "token", path: string): string {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw badValue(`The ${kind} file ${path} cannot be read.`, cause);
  }
  // Windows has no such bits; access lists are the owner's business there.
  if (process.platform !== "win32" && (mode & OTHERS) !== 0)
    throw badValue(`The ${kind} file ${path} can be read by others. Give it the mode 0600.`);
  const secret = text.split(/\r?\n/, 1)[0] ?? "";
  if (secret === "") throw badValue(`The first line of the ${kind} file ${path} is empty.`);
  return secret;
}
