/** Prints how a command ended: what it has done, or one sentence on standard error and an exit status. */

import { type CommandFailure, type Done, STATUS } from "./outcome.ts";
import { plain, plainJson } from "./show/plain.ts";

export function printDone({ lines, json }: Done, options: { readonly json?: boolean }): void {
  if (options.json) process.stdout.write(`${plainJson(json, 2)}\n`);
  else process.stdout.write(lines.map((line) => `${plain(line)}\n`).join(""));
}

/** For an error that is not one of ours the sentence is the error's own; it is a bug, or trouble of the machine. */
export function complain(error: unknown): void {
  const failure = hasName(error, "CommandFailure") ? (error as CommandFailure) : null;
  const isExpected = hasName(error, "CommandFailure") || hasName(error, "ControllerError");
  const sentence = isExpected ? error.message : `Something went wrong: ${firstLine(error)}`;
  process.stderr.write(`domovoi: ${sentence.split("\n").map(plain).join("\n")}\n`);
  process.exitCode = STATUS[failure?.outcome ?? "failed"];
}

/** By name: the bundle of the service has classes of its own. */
function hasName(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0] ?? "";
}
