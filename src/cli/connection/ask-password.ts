/** Questions to the person at the terminal: a password, not shown while it is typed, or a plain answer. */

import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandFailure } from "../outcome.ts";

/** @throws CommandFailure credentials without a terminal. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure("credentials", "Not a terminal, so the password cannot be entered. Set DOMOVOI_PASSWORD.");
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
