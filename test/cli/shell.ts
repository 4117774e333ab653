/** Completion in a real bash with the completion script of the command line. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { COMMAND, runDomovoi } from "../simulation/service-process.ts";

const run = promisify(execFile);
/** The same for every test. */
let script: Promise<string> | null = null;

/** Characters at which bash splits a line for completion, besides blanks. */
const BREAKS = /["'@><=;|&(:]/;

type Tab = {
  /** The text that replaces the word at the cursor. */
  readonly inserted: readonly string[];
  /** The same as bash then understands it. */
  readonly meant: readonly string[];
  /** Whether file names are offered. */
  readonly isFiles: boolean;
};

/** @param line up to the cursor @param cwd where anything that is run by mistake would leave its traces */
export async function pressTab(line: string, env: Readonly<Record<string, string>>, cwd: string): Promise<Tab> {
  script ??= runDomovoi(["completion", "bash"], { env }).then(({ stdout }) => stdout);
  const program = `
    domovoi() { "${process.execPath}" "${COMMAND}" "$@"; }
    files=0
    compopt() { files=1; }
    ${await script}
    COMP_LINE="$1" COMP_POINT=\${#1} COMP_WORDS=("$2") COMP_CWORD=0
    _domovoi
    printf '%s\\0' "$files"
    for word in "\${COMPREPLY[@]}"; do printf '%s\\0' "$word"; eval "printf '%s\\0' $3$word$3"; done`;
  const { word, quote } = current(line);
  const args = ["--norc", "-c", program, "bash", line, word, quote];
  const { stdout, stderr } = await run("bash", args, { cwd, env: { PATH: process.env.PATH, ...env } });
  if (stderr !== "") throw new Error(stderr);
  const [files, ...pairs] = stdout.split("\0").slice(0, -1);
  return {
    inserted: pairs.filter((_, at) => at % 2 === 0),
    meant: pairs.filter((_, at) => at % 2 === 1),
    isFiles: files === "1",
  };
}

/** Output of `domovoi … | reader`, then the status of the first. */
export async function pipedInto(
  args: readonly string[],
  reader: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const command = `"${process.execPath}" "${COMMAND}" "$@" | ${reader}; echo "\${PIPESTATUS[0]}"`;
  return run("bash", ["--norc", "-c", command, "bash", ...args], { env: { PATH: process.env.PATH, ...env } });
}

/** The word at the cursor as bash gives it to the script, and the quote that is open in it. */
function current(line: string): { readonly word: string; readonly quote: string } {
  const quote = [`"`, "'"].find((each) => line.split(each).length % 2 === 0) ?? "";
  if (quote !== "") return { word: line.slice(line.lastIndexOf(quote)), quote };
  const start = Math.max(...[...line].map((letter, at) => (isBreak(line, at, letter) ? at + 1 : 0)), 0);
  return { word: line.slice(start), quote: "" };
}

function isBreak(line: string, at: number, letter: string): boolean {
  return line[at - 1] !== "\\" && (letter === " " || BREAKS.test(letter));
}
