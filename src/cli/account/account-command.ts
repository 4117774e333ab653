/** The options and the help of `domovoi account`. */

import type { AccountRole } from "@domovoi/client";
import { type Command, Option } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { homeAction, sessionAction } from "../lazy.ts";
import { withLimits } from "./limit-options.ts";

const HELP = `
A login with an @ is one of the portal, any other one of the local listener. A new password is taken from
DOMOVOI_NEW_PASSWORD, or generated and printed once. A new password or the removal of an account ends its sessions and streams.

Examples:
  domovoi account list
  domovoi account add lodger@example.org --role user
  domovoi account password lodger@example.org
  domovoi account role lodger@example.org guest
  domovoi account limit lodger@example.org --folder Bedroom --scene Evening
  domovoi account hours cleaner@example.org 'tue,thu 08:00-12:00'
  domovoi account hours child@example.org 'mon-fri 07:00-20:00' 'sat,sun 08:00-21:30'
  domovoi account add helper@example.org --assistant
  domovoi account assistant helper@example.org --allow program
  domovoi account remove lodger@example.org
${CONNECTION_HELP}`;

const ROLES: readonly AccountRole[] = ["owner", "user", "guest"];

/** @param domovoi gets the command `account`. */
export function addAccountCommand(domovoi: Command): void {
  const command = domovoi.command("account").description("Lists, adds, changes and removes accounts.");
  command.addHelpText("after", HELP);
  const sub = (usage: string, about: string) =>
    withConnection(command.command(usage).description(about)).addHelpText(
      "after",
      '\n"domovoi account --help" has examples.',
    );
  sub("list", "Shows all accounts.").option("--json", "As JSON.").action(homeAction(load, "listAccounts"));
  sub("add <login>", "Creates an account.")
    .addOption(new Option("--role <role>", "Rights of the account.").choices(ROLES).default("user"))
    .option("--assistant", "It is the account of an assistant (docs/assistant.md).")
    .action(sessionAction(load, "addAccount"));
  sub("password <login>", "Changes the password of an account.").action(sessionAction(load, "changeAccountPassword"));
  sub("role <login> <role>", "Changes the role of an account: owner, user or guest.").action(
    sessionAction(load, "changeAccountRole"),
  );
  withLimits(sub("limit <login>", "Limits an account to the named things. Everything else is invisible to it."))
    .option("--none", "Removes the limits.")
    .option("--json", "As JSON.")
    .action(homeAction(load, "limitAccount"));
  sub("hours <login> [spans...]", "Sets the hours in which an account can be used, by the local time of the home.")
    .option("--always", "It can be used at all times.")
    .action(sessionAction(load, "setHours"));
  sub(
    "assistant <login>",
    "Makes it the account of an assistant, which proposes every change that is not allowed here.",
  )
    .addOption(new Option("--allow <kinds...>", "Changes that it makes without asking.").choices(["program", "name"]))
    .option("--off", "It is the account of a person again.")
    .action(sessionAction(load, "allowAssistant"));
  sub("remove <login>", "Removes an account.").action(sessionAction(load, "removeAccount"));
}

function load() {
  return import("./account.ts");
}
