/** Reports the failure of a command: one sentence on standard error, and an exit status. */

import { ControllerError } from "../errors.ts";
import { CommandFailure, STATUS } from "./outcome.ts";
import { plain } from "./show/plain.ts";

/** For an error that is not one of ours the sentence is the error's own; it is a bug, or trouble of the machine. */
export function complain(error: unknown): void {
  const isExpected = error instanceof ControllerError || error instanceof CommandFailure;
  const sentence = isExpected ? error.message : `Something went wrong: ${firstLine(error)}`;
  process.stderr.write(`domovoi: ${sentence.split("\n").map(plain).join("\n")}\n`);
  process.exitCode = STATUS[error instanceof CommandFailure ? error.outcome : "failed"];
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0] ?? "";
}
