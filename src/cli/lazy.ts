/**
 * The actions of commands. Their code is loaded when they are called: what a shell waits for on every call is the help and the
 * options alone. What a command returns, and its failure, is printed here.
 */

import type { ControllerSession, Home } from "@domovoi/client";
import type { Command } from "commander";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { Done } from "./outcome.ts";
import { complain, printDone } from "./print-outcome.ts";

/** Loads the module of a command. */
type Load<Name extends string, Subject> = () => Promise<
  Readonly<Record<Name, (subject: Subject, ...given: never[]) => unknown>>
>;
type Run = (...given: readonly unknown[]) => unknown;
type Action = (...given: unknown[]) => Promise<void>;

/** An option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Calls the function with `first`, the arguments, then the options, also those of the command above it. */
export function lazy<Name extends string>(load: Load<Name, never>, name: Name, ...first: readonly unknown[]): Action {
  return action(async (options, given) => runPrinted((await load())[name], options, [...first, ...given]));
}

/** As `lazy`, for a function that gets the home of the controller before everything else, as it is now. */
export function homeAction<Name extends string>(load: Load<Name, Home>, name: Name, ...first: unknown[]): Action {
  return action(async (options, given) => {
    const [{ withHome }, { [name]: run }] = await Promise.all([import("./connection/with-home.ts"), load()]);
    await withHome(options, { stream: "off" }, (home) => runPrinted(run, options, [home, ...first, ...given]));
  });
}

/** As `homeAction`, for commands that need only some paths of the home. */
export function sessionAction<Name extends string>(
  load: Load<Name, ControllerSession>,
  name: Name,
  ...first: readonly unknown[]
): Action {
  return action(async (options, given) => {
    const [{ withSession }, { [name]: run }] = await Promise.all([import("./connection/with-home.ts"), load()]);
    await withSession(options, (session) => runPrinted(run, options, [session, ...first, ...given]));
  });
}

function action(act: (options: ConnectionOptions, given: readonly unknown[]) => Promise<void>): Action {
  return async (...given) => {
    const options = (given.at(-1) as Command).optsWithGlobals<ConnectionOptions>();
    await act(options, [...given.slice(0, -2), options]).catch(complain);
  };
}

/**
 * Prints before the session ends: a password or a link that is shown once must not depend on the logout.
 * @param run takes what the parser gives: the arguments and options that the help of the command declares
 */
async function runPrinted(run: unknown, options: ConnectionOptions, given: readonly unknown[]): Promise<void> {
  const result = await (run as Run)(...given);
  if (result instanceof Done) printDone(result, options);
}
