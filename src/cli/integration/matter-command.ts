/** The options and the help of `domovoi matter`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { sessionAction } from "../lazy.ts";

const HELP = `
The Matter bridge shows the nodes of the home in Apple Home, Google Home, Alexa and other Matter controllers. Owners only, at the
portal. Without a subcommand: its state, the codes while an ecosystem can be added, and the ecosystems in which it is.

Examples:
  domovoi integration add matterbridge
  domovoi matter
  domovoi matter window                  # a further ecosystem can be added for 15 minutes
  domovoi matter remove 2
${CONNECTION_HELP}`;

/** @param domovoi gets the command `matter`. */
export function addMatterCommand(domovoi: Command): void {
  const command = withConnection(
    domovoi.command("matter").description("Shows the Matter bridge, its codes and its ecosystems."),
  ).option("--json", "As JSON.");
  command.addHelpText("after", HELP).action(sessionAction(load, "showMatter"));
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about)).option("--json", "As JSON.");
  sub("window", "Lets a further ecosystem be added, and shows the codes.")
    .option("--seconds <number>", "How long, 180 to 900.", "900")
    .action(sessionAction(load, "openWindow"));
  sub("remove", "Takes the bridge out of an ecosystem.")
    .argument("<index>", "Number of the ecosystem, as domovoi matter shows it.")
    .action(sessionAction(load, "removeFabric"));
}

function load() {
  return import("./matter.ts");
}
