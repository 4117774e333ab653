/** A passphrase out of a file that nobody but its owner can read: the first line of it. */

import { readFileSync, statSync } from "node:fs";
import { ControllerError } from "../../errors.ts";

const OTHERS = 0o077;

/** @throws ControllerError BAD_VALUE when it cannot be read, is empty, or others may read it too. */
export function readPassphraseFile(path: string): string {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw bad(`The passphrase file ${path} cannot be read.`, cause);
  }
  // Windows has no such bits; access lists are the owner's business there.
  if (process.platform !== "win32" && (mode & OTHERS) !== 0)
    throw bad(`The passphrase file ${path} can be read by others. Give it the mode 0600.`);
  const passphrase = text.split(/\r?\n/, 1)[0] ?? "";
  if (passphrase === "") throw bad(`The first line of the passphrase file ${path} is empty.`);
  return passphrase;
}

function bad(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("BAD_VALUE", { sentence, cause });
}
