/** What only the person at the terminal can say: a password, not shown while it is typed, or a plain answer. */

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandFailure } from "../outcome.ts";

/** @throws CommandFailure credentials where nobody can be asked. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure("credentials", "The password is taken from DOMOVOI_PASSWORD where nobody can be asked.");
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  try {
    return await answerOn(silent);
  } finally {
    process.stderr.write("\n");
  }
}

/** @throws CommandFailure usage with that sentence where nobody can be asked. */
export async function ask(question: string, elseSentence: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandFailure("usage", elseSentence);
  process.stderr.write(question);
  return (await answerOn(process.stderr)).trim();
}

async function answerOn(output: NodeJS.WritableStream): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
  }
}
