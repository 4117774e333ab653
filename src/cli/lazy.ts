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
type Run = (...given: readonly unknown[]) => Promise<unknown>;
type Action = (...given: unknown[]) => Promise<void>;

/** Calls the function with `first`, the arguments, then the options, also those of the command above it. */
export function lazy<Name extends string>(load: Load<Name, never>, name: Name, ...first: readonly unknown[]): Action {
  return action(async (...given) => runOf(await load(), name)(...first, ...given));
}

/** As `lazy`, for a function that gets the home of the controller before everything else, as it is now. */
export function homeAction<Name extends string>(load: Load<Name, Home>, name: Name, ...first: unknown[]): Action {
  return action(async (...given) => {
    const [{ withHome }, module] = await Promise.all([import("./connection/with-home.ts"), load()]);
    const run = runOf(module, name);
    return withHome(optionsIn(given), { stream: "off" }, (home) => run(home, ...first, ...given));
  });
}

/** As `homeAction`, for commands that need only some paths of the home. */
export function sessionAction<Name extends string>(
  load: Load<Name, ControllerSession>,
  name: Name,
  ...first: readonly unknown[]
): Action {
  return action(async (...given) => {
    const [{ withSession }, module] = await Promise.all([import("./connection/with-home.ts"), load()]);
    const run = runOf(module, name);
    return withSession(optionsIn(given), (session) => run(session, ...first, ...given));
  });
}

function action(run: Run): Action {
  return async (...given) => {
    const options = (given.at(-1) as Command).optsWithGlobals<ConnectionOptions>();
    try {
      const result = await run(...given.slice(0, -2), options);
      if (result instanceof Done) printDone(result, options);
    } catch (error) {
      complain(error);
    }
  };
}

/** The parser gives arguments and options as the help of the command declares them. */
function runOf<Name extends string>(module: Readonly<Record<Name, unknown>>, name: Name): Run {
  return module[name] as Run;
}

function optionsIn(given: readonly unknown[]): ConnectionOptions {
  return given.at(-1) as ConnectionOptions;
}
