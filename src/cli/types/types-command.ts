/** The options and the help of `domovoi types`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { homeAction } from "../lazy.ts";

const HELP = `
Examples:
  domovoi types > my-home.d.ts
  domovoi types --name Cabin --controller cabin > cabin.d.ts

With connect<MyHome>() of the client library the editor completes names, commands and values, and what the home does not
have does not compile: home.node("Hall Ceiling").don(101). docs/cli.md describes what is checked and what is not.
${CONNECTION_HELP}`;

/** @param domovoi gets the command `types`. */
export function addTypesCommand(domovoi: Command): void {
  withConnection(domovoi.command("types").description("Writes TypeScript types of the home."))
    .option("--name <type>", "Name of the type.", "MyHome")
    .addHelpText("after", HELP)
    .action(homeAction(() => import("./types.ts"), "printTypes"));
}
