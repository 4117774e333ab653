/** The options and the help of `domovoi program`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "./connection/connection-options.ts";
import { sessionAction } from "./lazy.ts";

const HELP = `
The text of a program is described in docs/programs.md. The id in brackets says what is meant; a name alone
is enough where it is the only one: Set 'Hall Ceiling' 'On' 60%.

Examples:
  domovoi login --url https://localhost:9443 --trust
  domovoi programs                          # lists them
  domovoi program show 'Hall Motion Light'
  domovoi program show 0008 > hall.txt      # keep it in a file, compare it, change it …
  domovoi program apply hall.txt            # … and put it back
  domovoi program apply --dry-run hall.txt  # shows what it would change
  domovoi program show --with-version 8 > hall.txt  # applied only if the program has not changed since
  domovoi program edit 0008                 # in $EDITOR; errors are written on top
${CONNECTION_HELP}`;

const SEE_HELP = '\n"domovoi program --help" has examples.';

const FORCE = "Writes it although verification finds errors.";

/** @param domovoi gets the command `program`. */
export function addProgramCommand(domovoi: Command): void {
  const command = domovoi.command("program").description("Shows, edits and applies programs as text.");
  command.addHelpText("after", HELP);
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about)).addHelpText("after", SEE_HELP);
  sub("show <program>", "Shows the text of a program or program folder, by id or name.")
    .option(
      "--with-version",
      "Writes the version of the program above the text; apply then refuses it if the program was changed meanwhile.",
    )
    .action(sessionAction(() => import("./program.ts"), "showProgram"));
  sub("edit <program>", "Opens the text of a program or folder in $EDITOR and writes what you changed.")
    .option("--force", FORCE)
    .action(sessionAction(() => import("./program.ts"), "editProgram"));
  sub("apply <file...>", "Creates or replaces programs and folders from text files; - reads the standard input.")
    .option("--force", FORCE)
    .option("--dry-run", "Shows the differences and changes nothing.")
    .action(sessionAction(() => import("./program.ts"), "applyPrograms"));
}
