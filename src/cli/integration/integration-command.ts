/** The options and the help of `domovoi integration`. */

import { type Command, Option } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { collect, sessionAction } from "../lazy.ts";

const HELP = `
An integration connects the controller with devices or a service. Owners only, at the portal. "types" lists what can be added,
with its settings. A setting is written NAME=VALUE; lists and objects as JSON. NAME=@FILE takes the text of a file, NAME= takes
the setting back. A secret that is written as NAME alone is asked for.

Examples:
  domovoi integration find                       # what is plugged in or answers in the network
  domovoi integration types
  domovoi integration add zwave port=/dev/ttyACM0 region=Europe
  domovoi integration list
  domovoi integration set zwave region=
  domovoi integration do zwave                   # what can be begun
  domovoi integration do zwave include           # asks what the device asks
  domovoi integration stop zwave
  domovoi integration remove zwave --nodes keep
${CONNECTION_HELP}`;
const SETTINGS = "Settings as NAME=VALUE.";
const ID = "Its id, as the list shows it.";

/** @param domovoi gets the command `integration`. */
export function addIntegrationCommand(domovoi: Command): void {
  const command = domovoi
    .command("integration")
    .description("Lists, adds, configures and removes connections to devices and services.");
  command.addHelpText("after", HELP);
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about))
      .option("--json", "As JSON.")
      .addHelpText("after", '\n"domovoi integration --help" has examples.');
  const write = (usage: string, about: string) =>
    sub(usage, about).option("--no-wait", "Does not wait until it has started.");
  sub("list", "Shows all integrations.").action(sessionAction(load, "listIntegrations"));
  sub("types", "Lists the types of integrations and their settings.").action(sessionAction(load, "listTypes"));
  sub(
    "find",
    "Looks for serial ports in the controller's machine, and for brokers and Z-Wave servers in its network.",
  ).action(sessionAction(load, "findIntegrations"));
  write("add", "Adds an integration and starts it.")
    .argument("<type>", 'Type of the integration: see "domovoi integration types".')
    .argument("[settings...]", SETTINGS)
    .option("--name <name>", "A name for people.")
    .option("--id <id>", "Adopts the nodes that were kept under this id.")
    .action(sessionAction(load, "addIntegration"));
  write("set", "Changes settings; the integration starts again.")
    .argument("<id>", ID)
    .argument("[settings...]", SETTINGS)
    .option("--name <name>", "Another name for people.")
    .action(sessionAction(load, "setIntegration"));
  write("start", "Starts it now, and whenever the controller starts.")
    .argument("<id>", ID)
    .action(sessionAction(load, "switchIntegration", "start"));
  sub("stop", "Stops it until it is started again; its nodes keep their last values.")
    .argument("<id>", ID)
    .action(sessionAction(load, "switchIntegration", "stop"));
  write("restart", "Stops and starts it.")
    .argument("<id>", ID)
    .action(sessionAction(load, "switchIntegration", "restart"));
  sub("do", "Starts an operation, such as pairing a device, and shows its steps until it ends.")
    .argument("<id>", ID)
    .argument("[kind]", "Operation to start. Without it, lists the operations.")
    .argument("[input...]", "Its input as NAME=VALUE.")
    .option("--answer <answer>", "Answers a question without asking, as NAME=VALUE. May be repeated.", collect)
    .action(sessionAction(() => import("./operate.ts"), "operate"));
  sub("remove", "Removes it.")
    .argument("<id>", ID)
    .addOption(new Option("--nodes <fate>", "Remove or keep its nodes.").choices(["remove", "keep"]))
    .action(sessionAction(load, "dropIntegration"));
}

function load() {
  return import("./integration.ts");
}
