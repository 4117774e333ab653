/** The options and the help of `domovoi alert`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { sessionAction } from "../lazy.ts";

const HELP = `
Without a subcommand: what rings, who got it, who answered. At the portal.

Examples:
  domovoi alert
  domovoi alert confirm Water
  domovoi alert confirm Water --button Close
  domovoi integration do alerts add-alert name=Freezer
${CONNECTION_HELP}`;

/** @param domovoi gets the command `alert`. */
export function addAlertCommand(domovoi: Command): void {
  const command = withConnection(
    domovoi.command("alert").description("Shows the alerts of the home, and confirms them."),
  ).option("--json", "As JSON.");
  command.addHelpText("after", HELP).action(sessionAction(load, "showAlerts"));
  withConnection(command.command("confirm").description("Confirms an alert, or presses one of its buttons."))
    .argument("<alert>", "Name of the alert, or address of its node.")
    .option("--button <label>", "Label of the button. Left out: it only confirms.")
    .option("--json", "As JSON.")
    .action(sessionAction(load, "confirmAlert"));
}

function load() {
  return import("./alert.ts");
}
