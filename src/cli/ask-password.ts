/** A password from the person at the terminal, not shown while it is typed. */

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ControllerError } from "../errors.ts";

/** @throws ControllerError BAD_VALUE where nobody can be asked. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new ControllerError("BAD_VALUE", {
      sentence: "The password is taken from DOMOVOI_PASSWORD where there is no terminal to ask at.",
    });
  }
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
