/** The options and the help of `domovoi person`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { sessionAction } from "../lazy.ts";

const HELP = `
Without a subcommand: who is at home, and what each source says. Owners only, at the portal.

Examples:
  domovoi integration add presence
  domovoi integration do presence add-person name=Ada
  domovoi person address Ada --base https://home.example.org:8443
  domovoi person forget Ada
${CONNECTION_HELP}`;

/** @param domovoi gets the command `person`. */
export function addPersonCommand(domovoi: Command): void {
  const command = withConnection(
    domovoi.command("person").description("Shows the persons of the home, and where they are."),
  ).option("--json", "As JSON.");
  command.addHelpText("after", HELP).action(sessionAction(load, "showPersons"));
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about)).argument("<person>", "Name or number of the person.");
  sub("address", "Makes the address for the person's phone, and shows it as a QR code. The former one ends.")
    .option("--base <url>", "How the phone reaches the portal: https://HOST:PORT. Left out: as this command does.")
    .option("--json", "As JSON.")
    .action(sessionAction(load, "makeAddress"));
  sub("forget", "Removes the person's record, node and token, and says what remains.").action(
    sessionAction(load, "forgetPerson"),
  );
}

function load() {
  return import("./person.ts");
}
