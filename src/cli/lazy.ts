/** Commands whose code is loaded when they are called: what a shell waits for on every call is the help and the options alone. */

import type { Command } from "commander";

/**
 * The action of a command.
 * @param load its module
 * @param name the function of the module; it gets the arguments, then the options, also those of the command above it.
 */
export function lazy<Name extends string>(
  load: () => Promise<Readonly<Record<Name, (...given: never[]) => unknown>>>,
  name: Name,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const run = (await load())[name] as (...given: unknown[]) => unknown;
    await run(...given.slice(0, -2), command.optsWithGlobals());
  };
}
