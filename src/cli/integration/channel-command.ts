/** The options and the help of `domovoi channel`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { sessionAction } from "../lazy.ts";

const HELP = `
A channel brings notifications to people: those of programs ("Send notification to NUMBER") and the controller's own alarms.
Owners only, at the portal. Channels are integrations, so "domovoi integration set" changes them. A value @FILE is read from a
file, which keeps a password out of the shell's history.

Examples:
  domovoi channel add mail --smtp smtps://me:secret@mail.example.org --to me@example.org
  domovoi channel add phone --ntfy https://ntfy.sh/my-home-7hq2
  domovoi channel add hook --webhook https://example.org/hook --recipient 2
  domovoi channel test phone
  domovoi channel remove hook
${CONNECTION_HELP}`;
const NAME = "Its name.";

/** @param domovoi gets the command `channel`. */
export function addChannelCommand(domovoi: Command): void {
  const command = domovoi
    .command("channel")
    .description("Lists, adds and tests notification channels: mail, phone, web hook.");
  command.addHelpText("after", HELP);
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about)).option("--json", "As JSON.");
  sub("list", "Shows all channels.").action(sessionAction(load, "listChannels"));
  sub("add", "Adds a channel.")
    .argument("<name>", NAME)
    .option("--smtp <url>", "By mail: smtps://USER:PASSWORD@HOST or smtp://HOST:PORT; with --to.")
    .option("--ntfy <url>", "By ntfy: the address of the topic.")
    .option("--webhook <url>", "By a POST with JSON to this address.")
    .option("--pushover <token>", "By Pushover: the token of the application; --to is the user key.")
    .option("--telegram <token>", "By a Telegram bot: its token; --to is the chat.")
    .option("--to <address>", "Mail addresses, user key or chat.")
    .option("--from <address>", "Sender of the mail.")
    .option("--token <token>", "Access token of the ntfy topic or the web hook.")
    .option(
      "--recipient <number>",
      "Number of the channel in programs. Default: 0, which receives all messages that name no other channel.",
    )
    .option("--no-alarms", "Does not get the controller's own alarms.")
    .action(sessionAction(load, "addChannel"));
  sub("test", "Sends a test notification, and waits until it is delivered.")
    .argument("<name>", NAME)
    .option("--text <text>", "Text of the notification.")
    .action(sessionAction(load, "testChannel"));
  sub("remove", "Removes a channel.").argument("<name>", NAME).action(sessionAction(load, "removeChannel"));
}

function load() {
  return import("./channel.ts");
}
