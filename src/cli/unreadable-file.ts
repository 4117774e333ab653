/** Files that are named on the command line: their text, and why one is not used, with what to do. */

import { readFileSync } from "node:fs";
import { usageFailure } from "./outcome.ts";

const REASONS: Readonly<Record<string, (what: string, file: string) => string>> = {
  ENOENT: (what, file) => `There is no ${what} ${file}.`,
  EACCES: (what, file) => `This user may not read the ${what} ${file}.`,
  EISDIR: (what, file) => `The ${what} ${file} is a directory. Name a file.`,
};

/** @param cause as the file system throws it. @param what such as "settings file" */
export function unreadableFile(file: string, cause: unknown, what = "file"): string {
  const { code = "" } = (cause ?? {}) as { readonly code?: string };
  return REASONS[code]?.(what, file) ?? `The ${what} ${file} cannot be read${code === "" ? "" : ` (${code})`}.`;
}

/** @param file "-": standard input. @param what see unreadableFile. @throws CommandFailure usage */
export function readNamedFile(file: string, what?: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw usageFailure(unreadableFile(file, cause, what), cause);
  }
}
