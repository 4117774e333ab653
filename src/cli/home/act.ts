/** The commands that change one thing: run, set, act, rename, fire. */

import { PROGRAM_COMMANDS, type ProgramCommand } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withHome } from "../connection/with-home.ts";
import { usageFailure } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { findNode, findProgram, findRenamed, findResource, findVariable } from "./find.ts";

/** The names of commands in program text; the ids of the interface work too. */
const VERBS: Readonly<Record<string, ProgramCommand>> = {
  if: "runIf",
  then: "runThen",
  else: "runElse",
  ...Object.fromEntries(PROGRAM_COMMANDS.map((command) => [command.toLowerCase(), command])),
};
const FOLDER_COMMANDS: ReadonlySet<string> = new Set<ProgramCommand>(["run", "stop", "enable", "disable"]);
const DECIMAL = /^[+-]?\d+(?:[.,](\d+))?$/;
/** Raw values are integers of 32 bits. */
const RAW = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;

export function runProgram(key: string, verb: string, options: ConnectionOptions): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    const command = VERBS[verb.toLowerCase()];
    if (!command)
      throw usageFailure(
        `"${verb}" is none of run, if, then, else, stop, enable, disable, enableRunAtStartup, disableRunAtStartup.`,
      );
    const program = findProgram(home, key);
    if (program.isFolder && !FOLDER_COMMANDS.has(command)) {
      throw usageFailure(`${program.name} is a folder: it takes run, stop, enable and disable.`);
    }
    await program.command(command);
    say(`${program.name}: ${command} was taken.`);
  });
}

export type SetOptions = ConnectionOptions & { readonly init?: boolean };

/** @param text displayed: with precision 1, "2.5" is written as 25 */
export function setVariable(key: string, text: string, { init = false, ...options }: SetOptions): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    const variable = findVariable(home, key);
    const name = variable.name === "" ? variable.key : variable.name;
    const value = readDecimal(text, name, variable.prec);
    await (init ? variable.setInit(value) : variable.set(value));
    say(`${name}${init ? " after a cold start" : ""}: ${value.toFixed(variable.prec)}.`);
  });
}

/** Nothing is rounded silently. @throws CommandFailure usage */
function readDecimal(text: string, name: string, prec: number): number {
  const [all, decimals = ""] = DECIMAL.exec(text.trim()) ?? [];
  if (all === undefined) throw usageFailure(`"${text}" is no number.`);
  if (decimals.replace(/0+$/, "").length > prec) {
    const places = prec === 0 ? "no decimal places" : prec === 1 ? "one decimal place" : `${prec} decimal places`;
    throw usageFailure(`${name} has ${places}; ${text} would be rounded.`);
  }
  const value = Number(all.replace(",", "."));
  const [min, max] = [RAW.min / 10 ** prec, RAW.max / 10 ** prec];
  if (value >= min && value <= max) return value;
  throw usageFailure(`${name} takes ${min} to ${max}.`);
}

export function rename(key: string, name: string, options: ConnectionOptions): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    if (name.trim() === "") throw usageFailure("A name has at least one character.");
    await findRenamed(home, key)(name);
    say(`Renamed "${key}" to "${name}".`);
  });
}

export type ActOptions = ConnectionOptions & { readonly json?: boolean };

/** @param action null: shows what can be done at the device */
export function actAt(
  key: string,
  action: string | null,
  text: string | undefined,
  options: ActOptions,
): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    const node = findNode(home, key);
    const { address, name } = node;
    if (action === null) {
      const actions = await node.actions();
      if (options.json) process.stdout.write(`${plainJson({ address, name, actions })}\n`);
      else say(actions.length === 0 ? `Nothing can be done at ${name}.` : `${name}: ${actions.join(", ")}`);
      return;
    }
    const control = action.toUpperCase();
    const value = text === undefined ? undefined : Number(text);
    if (value !== undefined && (text?.trim() === "" || !Number.isFinite(value)))
      throw usageFailure(`"${text}" is no number.`);
    await node.act(control, value);
    if (options.json) process.stdout.write(`${plainJson({ address, name, action: control, value: value ?? null })}\n`);
    else say(`${[control, ...(text === undefined ? [] : [text])].join(" ")} at ${name}.`);
  });
}

export function fireResource(key: string, options: ConnectionOptions): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    const resource = findResource(home, key);
    await resource.fire();
    say(`${resource.name} was fired. Its outcome is in the event stream: domovoi watch.`);
  });
}

function say(sentence: string): void {
  process.stdout.write(`${plain(sentence)}\n`);
}
