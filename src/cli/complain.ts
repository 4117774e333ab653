/** How a command tells that it could not do what it was told: one sentence on standard error, and status 1. */

import { ControllerError } from "../errors.ts";

/** For an error that is not one of ours the sentence is the error's own; it is a bug, or trouble of the machine. */
export function complain(error: unknown): void {
  const sentence = error instanceof ControllerError ? error.message : `Something went wrong: ${firstLine(error)}`;
  process.stderr.write(`domovoi: ${sentence}\n`);
  process.exitCode = 1;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0] ?? "";
}
