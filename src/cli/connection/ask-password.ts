/** Questions to the person at the terminal: a password, not shown while it is typed, or a plain answer. */

import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandFailure, usageFailure } from "../outcome.ts";

/**
 * From the first line of standard input, or from the environment; "" from neither.
 * @throws CommandFailure usage when standard input holds none
 */
export async function givenPassword({ passwordStdin = false }: { readonly passwordStdin?: boolean }): Promise<string> {
  if (!passwordStdin) return process.env.DOMOVOI_PASSWORD ?? "";
  if (process.stdin.isTTY) throw usageFailure("--password-stdin needs a pipe: cat FILE | domovoi …");
  const [line = ""] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (line !== "") return line;
  throw usageFailure("Standard input holds no password.");
}

/** @throws CommandFailure credentials without a terminal. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(
      "credentials",
      "Not a terminal, so the password cannot be entered. Set DOMOVOI_PASSWORD, or use --password-stdin.",
    );
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The terminal stops showing what is typed before the question invites to type.
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  try {
    return await answer(terminal, "");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/**
 * @param signal cancels the question
 * @throws CommandFailure usage with that sentence, without a terminal.
 */
export async function ask(question: string, elseSentence: string, signal?: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandFailure("usage", elseSentence);
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    return (await answer(terminal, question, signal)).trim();
  } finally {
    terminal.close();
    // The line has no end yet.
    if (signal?.aborted) process.stderr.write("\n");
  }
}

/** @throws CommandFailure when the person presses Ctrl-C, or the signal ends it. */
async function answer(terminal: Interface, question: string, signal?: AbortSignal): Promise<string> {
  try {
    return await terminal.question(question, signal ? { signal } : {});
  } catch (cause) {
    throw new CommandFailure("failed", "Canceled. Nothing was done.", cause);
  }
}
