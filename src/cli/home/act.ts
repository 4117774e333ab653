/** The commands that change one thing: run, set, act, rename, fire. */

import { type Home, PROGRAM_COMMANDS, type ProgramCommand, type Variable } from "@domovoi/client";
import { withoutEnd } from "../../util/foreign-text.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type Done, done, usageFailure } from "../outcome.ts";
import { findRenamed, nodeNamed, programNamed, resourceNamed, variableNamed } from "./find.ts";

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

/** Program commands whose result is in the trace. */
const RUNNING: ReadonlySet<string> = new Set<ProgramCommand>(["run", "runIf", "runThen", "runElse"]);

export async function commandProgram(home: Home, key: string, verb: string): Promise<Done> {
  const command = VERBS[verb.toLowerCase()];
  if (!command)
    throw usageFailure(
      `"${verb}" is not a command of programs. The commands are run, if, then, else, stop, enable, disable, enableRunAtStartup, disableRunAtStartup.`,
    );
  const program = programNamed(home, key);
  const { id, name, isFolder } = program;
  if (isFolder && !FOLDER_COMMANDS.has(command)) {
    throw usageFailure(`"${name}" is a folder. Its commands are run, stop, enable and disable.`);
  }
  await program.command(command);
  const hint = RUNNING.has(command) && !isFolder ? ` "domovoi why ${id}" shows the result.` : "";
  return done(`Sent "${command}" to the program${isFolder ? " folder" : ""} "${name}".${hint}`, {
    id,
    name,
    command,
  });
}

type SetOptions = ConnectionOptions & { readonly init?: boolean };

/** @param text displayed: with precision 1, "2.5" is written as 25 */
export async function writeVariable(
  home: Home,
  key: string,
  text: string,
  { init = false }: SetOptions,
): Promise<Done> {
  const variable = variableNamed(home, key);
  const name = variable.name === "" ? variable.key : variable.name;
  const value = readValue(text, name, variable);
  await (init ? variable.setInit(value) : variable.set(value));
  const sentence = `${name}${init ? " after a cold start" : ""}: ${shownVariable(variable, value)}.`;
  return done(sentence, { key: variable.key, name, what: init ? "init" : "value", value });
}

/** A value by its name, or a number. @throws CommandFailure usage */
function readValue(text: string, name: string, { valueNames, prec }: Variable): number {
  const wanted = text.trim().toLowerCase();
  const named = Object.entries(valueNames).find(([, each]) => each.toLowerCase() === wanted);
  if (named) return Number(named[0]) / 10 ** prec;
  const known = Object.values(valueNames);
  if (known.length > 0 && /^\p{L}/u.test(text)) {
    throw usageFailure(`${name} has no value "${text}". Its values: ${known.join(", ")}.`);
  }
  return readDecimal(text, name, prec);
}

/** `Away (1)`, or the number where it has no name. @param value displayed */
export function shownVariable({ valueNames, prec }: Variable, value: number): string {
  const named = valueNames[Math.round(value * 10 ** prec)];
  const number = value.toFixed(prec);
  return named === undefined ? number : `${named} (${number})`;
}

/** Nothing is rounded silently. @throws CommandFailure usage */
export function readDecimal(text: string, name: string, prec: number): number {
  const [all, decimals = ""] = DECIMAL.exec(text.trim()) ?? [];
  if (all === undefined) throw usageFailure(`"${text}" is not a number.`);
  if (withoutEnd(decimals, "0").length > prec) {
    const places = prec === 0 ? "no decimal places" : prec === 1 ? "one decimal place" : `${prec} decimal places`;
    throw usageFailure(`${name} has ${places}; ${text} would be rounded.`);
  }
  const value = Number(all.replace(",", "."));
  const [min, max] = [RAW.min / 10 ** prec, RAW.max / 10 ** prec];
  if (value >= min && value <= max) return value;
  throw usageFailure(`${name} takes ${min} to ${max}.`);
}

export async function rename(home: Home, key: string, name: string): Promise<Done> {
  if (name.trim() === "") throw usageFailure("A name has at least one character.");
  await findRenamed(home, key)(name);
  return done(`Renamed "${key}" to "${name}".`, { before: key, name });
}

/** @param action null: shows what can be done at the device */
export async function actAt(
  home: Home,
  key: string,
  action: string | undefined,
  text: string | undefined,
): Promise<Done> {
  const node = nodeNamed(home, key);
  const { address, name } = node;
  if (action === undefined) {
    const actions = await node.actions();
    const sentence = actions.length === 0 ? `${name} has no actions.` : `${name}: ${actions.join(", ")}`;
    return done(sentence, { address, name, actions });
  }
  const control = action.toUpperCase();
  const value = text === undefined ? undefined : Number(text);
  if (value !== undefined && (text?.trim() === "" || !Number.isFinite(value)))
    throw usageFailure(`"${text}" is not a number.`);
  await node.act(control, value);
  const sentence = `${[control, ...(text === undefined ? [] : [text])].join(" ")} at ${name}.`;
  return done(sentence, { address, name, action: control, value: value ?? null });
}

export async function fireByName(home: Home, key: string): Promise<Done> {
  const resource = resourceNamed(home, key);
  const { id, name } = resource;
  await resource.fire();
  return done(`Fired "${name}". "domovoi resource test ${id}" shows the answer too.`, { id, name });
}
