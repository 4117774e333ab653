/** The options and the help of `domovoi plugin`. */

import { type Command, Option } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { lazy, sessionAction } from "../lazy.ts";

const HELP = `
A plugin server is a separate program that adds nodes, such as one for Polyglot version 3. It is copied to
the controller, its Python or Node packages are installed for it alone, and it is started again when it ends.
Owners only, at the portal. NAME may also be a slot.

Examples:
  domovoi plugin install ./virtual --name Virtual
  domovoi plugin install ./my-plugin.zip --name Mine --type python3 --executable main.py
  domovoi plugin install https://github.com/OWNER/REPOSITORY
  domovoi plugin install https://example.org/virtual.zip
  domovoi plugin list
  domovoi plugin config Virtual host=192.0.2.10 interval=30
  domovoi plugin log Virtual
  domovoi plugin remove Virtual
${CONNECTION_HELP}`;
const NAME = "Its name or slot.";
const SOURCE = "A directory, a .tgz or .zip archive, or the URL of such an archive or of a git repository.";

/** @param domovoi gets the command `plugin`. */
export function addPluginCommand(domovoi: Command): void {
  const command = domovoi.command("plugin").description("Plugin servers: programs that add nodes.");
  command.addHelpText("after", HELP);
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about)).option("--json", "As JSON.");
  const ofOne = (usage: string, about: string) => sub(usage, about).argument("<name>", NAME);
  sub("list", "Shows all plugins.").action(sessionAction(load, "listPlugins"));
  sub("install", "Installs a plugin and starts it.")
    .argument("<source>", SOURCE)
    .option("--name <name>", "Its name. Default: as the plugin calls itself.")
    .addOption(
      new Option("--type <type>", "How it is run, where the plugin has no server.json.").choices([
        "python3",
        "node",
        "binary",
      ]),
    )
    .option("--executable <file>", "The file to run, where the plugin has no server.json.")
    .action(sessionAction(load, "installPlugin"));
  ofOne("upgrade", "Replaces a plugin's files with newer ones. Its stored data stays.")
    .argument("<source>", SOURCE)
    .action(sessionAction(load, "upgradePlugin"));
  for (const [verb, about] of [
    ["start", "Starts a plugin now, and whenever the controller starts."],
    ["stop", "Stops a plugin until it is started again."],
    ["restart", "Stops a plugin and starts it."],
  ] as const) {
    ofOne(verb, about).action(sessionAction(load, "switchPlugin", verb));
  }
  ofOne("remove", "Removes a plugin with its nodes, files and stored data.").action(
    sessionAction(load, "removePlugin"),
  );
  ofOne("log", "Shows the latest lines that a plugin wrote.").action(sessionAction(load, "showLog"));
  ofOne("config", "Shows or changes the parameters of a plugin.")
    .argument("[settings...]", "KEY=VALUE; KEY= removes a parameter.")
    .option("--typed <json>", "Values for the plugin's form, as JSON.")
    .option("--short-poll <seconds>", "Time between two short polls.")
    .option("--long-poll <seconds>", "Time between two long polls.")
    .option("--log-level <level>", "Level of its log, such as DEBUG or WARNING.")
    .addOption(
      new Option("--access <rights>", "Rights of its own account at the controller; it is restarted.").choices([
        "none",
        "guest",
        "user",
        "owner",
      ]),
    )
    .addOption(
      new Option("--web-hook <state>", "Whether it has a web address that other services call.").choices(["on", "off"]),
    )
    .option(
      "--oauth <json>",
      "Settings of the sign-in at the plugin's service, as JSON: client_id, client_secret and others.",
    )
    .action(sessionAction(load, "configurePlugin"));
  ofOne("sign-in", "Starts the sign-in of a plugin at its service (OAuth).")
    .option("--origin <url>", "Address of the portal in your browser. Default: the address that this command uses.")
    .action(lazy(load, "signIn"));
  ofOne("notices", "Shows the notices of a plugin.")
    .option("--dismiss <key>", "Takes a notice away.")
    .action(sessionAction(load, "showNotices"));
  ofOne("discover", "Asks a plugin to discover devices.").action(sessionAction(load, "discover"));
}

function load() {
  return import("./plugin.ts");
}
