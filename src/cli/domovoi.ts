/** The entry of the command line. Each command is a file in this folder, loaded only when it is used. */

import { Command, Option } from "commander";
import { SETTINGS } from "../config.ts";
import { productVersion } from "../version.ts";
import { addAccountCommand } from "./account/account-command.ts";
import { addGuestCommand } from "./account/guest-command.ts";
import { addAssistantCommands } from "./assistant/assistant-command.ts";
import { addBackupCommands } from "./backup/backup-command.ts";
import { addCompletionCommands } from "./completion/completion-command.ts";
import { addLoginCommands } from "./connection/login-command.ts";
import { addEditCommands } from "./edit/edit-commands.ts";
import { addAlertCommand } from "./home/alert-command.ts";
import { addHomeCommands } from "./home/home-commands.ts";
import { addChannelCommand } from "./integration/channel-command.ts";
import { addIntegrationCommand } from "./integration/integration-command.ts";
import { addMatterCommand } from "./integration/matter-command.ts";
import { addPersonCommand } from "./integration/person-command.ts";
import { lazy } from "./lazy.ts";
import { addMoveInCommand } from "./move-in/move-in-command.ts";
import { STATUS } from "./outcome.ts";
import { addPluginCommand } from "./plugin/plugin-command.ts";
import { addProgramCommand } from "./program-command.ts";
import { addRadioCommand } from "./radio/radio-command.ts";
import { addReplayCommand } from "./replay-command.ts";
import { addStoreCommand } from "./store/store-command.ts";
import { addTwinCommand } from "./twin-command.ts";
import { addTypesCommand } from "./types/types-command.ts";
import { addVerifyCommand } from "./verify-command.ts";

const EXAMPLES = `
Examples:
  domovoi serve --demo --portal-port 9443 --local-port 8443
      A demo home with virtual devices, on ports that need no rights. The generated passwords are shown once.
  domovoi serve --data /var/lib/domovoi --host 0.0.0.0 --config /etc/domovoi.json
      The service of a home, reachable in the network. A settings file holds any setting of docs/operations.md.

On a new data directory the accounts come from DOMOVOI_OWNER_EMAIL, DOMOVOI_OWNER_PASSWORD,
DOMOVOI_LOCAL_USER and DOMOVOI_LOCAL_PASSWORD; what is not given is generated and printed once.`;

const program = new Command("domovoi")
  .description("An open home-automation controller that speaks the ISY / eisy interface to unmodified clients.")
  .version(productVersion, "-V, --version", "Shows the version.")
  .helpOption("-h, --help", "Shows this help.")
  .configureOutput({ outputError: (text, write) => write(inOneSentence(text)) })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? STATUS.done : STATUS.usage));

/** For tests and benchmarks: they work, and the help does not show them. */
const developerOptions = [
  new Option("--demo-nodes <count>", SETTINGS.demoNodes.about),
  new Option("--still", SETTINGS.still.about),
  new Option("--virtual-latency-ms <ms>", SETTINGS.virtualLatencyMs.about),
  new Option("--local-api", SETTINGS.localApi.about),
  new Option("--cold-start", SETTINGS.coldStart.about),
];

program.commandsGroup("Run a controller and connect to it:");
const serveCommand = program
  .command("serve")
  .description("Runs a controller until SIGTERM or SIGINT (Ctrl+C) ends it.")
  .option("--data <dir>", SETTINGS.data.about)
  .option("--host <address>", SETTINGS.host.about)
  .option("--portal-port <port>", SETTINGS.portalPort.about)
  .option("--local-port <port>", SETTINGS.localPort.about)
  .option("--plain-port <port>", SETTINGS.plainPort.about)
  .option("--store-url <url>", SETTINGS.storeUrl.about)
  .option("--standby", SETTINGS.standby.about)
  .option("--announce", SETTINGS.announce.about)
  .option("--demo", SETTINGS.demo.about)
  .option("--demo-radio", SETTINGS.demoRadio.about)
  .option("--demo-insteon", SETTINGS.demoInsteon.about)
  .option("--zwave-port <port>", SETTINGS.zwavePort.about)
  .option("--zwave2-port <port>", SETTINGS.zwave2Port.about)
  .option("--insteon-port <port>", SETTINGS.insteonPort.about)
  .option("--mqtt-url <url>", SETTINGS.mqttUrl.about)
  .option("--mqtt-user <user>", SETTINGS.mqttUser.about)
  .option("--mqtt-password-file <file>", SETTINGS.mqttPasswordFile.about)
  .option("--mqtt-ca-file <file>", SETTINGS.mqttCaFile.about)
  .option("--matter-controller", SETTINGS.matterController.about)
  .option("--matter-bridge", SETTINGS.matterBridge.about)
  .option("--matter-port <port>", SETTINGS.matterPort.about)
  .option("--matter-interface <name>", SETTINGS.matterInterface.about)
  .option("--matter-nodes-max <count>", SETTINGS.matterNodesMax.about)
  .option("--zigbee2mqtt-topic <topic>", SETTINGS.zigbee2mqttTopic.about)
  .option("--zwave-region <name>", SETTINGS.zwaveRegion.about)
  .option("--log-level <level>", SETTINGS.logLevel.about)
  .option("--config <file>", "JSON file of settings by name. Command-line options take precedence.")
  .addHelpText("after", EXAMPLES)
  .action(lazy(() => import("./serve.ts"), "serve"));
for (const option of developerOptions) serveCommand.addOption(option.hideHelp());

addLoginCommands(program);
addHomeCommands(program);
program.commandsGroup("Change the home:");
addEditCommands(program);

program.commandsGroup("Programs:");
addProgramCommand(program);
addVerifyCommand(program);
addReplayCommand(program);

program.commandsGroup("Devices and services:");
addIntegrationCommand(program);
addRadioCommand(program);
addPluginCommand(program);
addChannelCommand(program);
addMatterCommand(program);
addAlertCommand(program);
addPersonCommand(program);
addTwinCommand(program);
addMoveInCommand(program);

program.commandsGroup("Accounts, backups, reports:");
addAccountCommand(program);
addGuestCommand(program);
program
  .command("reset-password")
  .description("Sets a new password for an account, if the old one is lost. Stop the service first.")
  .argument("<login>", "E-mail address of the owner, or name of the local administrator.")
  .option("--data <dir>", SETTINGS.data.about, SETTINGS.data.fallback)
  .addHelpText("after", "\nThe new password comes from DOMOVOI_NEW_PASSWORD, or is generated and printed once.")
  .action(lazy(() => import("./reset-password.ts"), "resetPassword"));

addBackupCommands(program);
addStoreCommand(program);

program.commandsGroup("For scripts, shells and assistants:");
addAssistantCommands(program);
addTypesCommand(program);
addCompletionCommands(program);
for (const command of [program, ...program.commands]) {
  if (command.commands.length > 0) command.helpCommand("help [command]", "Explains a command.");
}

process.stdout.on("error", forgiveClosedPipe);
await program.parseAsync();

/** "| head" has read enough: nothing more is printed, but the work under way is finished. */
function forgiveClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** The parser's complaint, in the form of all other complaints. */
function inOneSentence(text: string): string {
  const complaint = text
    .replace(/^error: /, "")
    .trim()
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  const sentence = `${complaint.charAt(0).toUpperCase()}${complaint.slice(1)}.`;
  return `domovoi: ${sentence} "${commandNames().join(" ")} --help" shows more.\n`;
}

/** The help of the intended command, as far as it is known. */
function commandNames(): readonly string[] {
  const names = [program.name()];
  let commands = program.commands;
  for (const word of process.argv.slice(2)) {
    const found = commands.find((command) => command.name() === word);
    if (!found) break;
    names.push(word);
    commands = found.commands;
  }
  return names;
}
