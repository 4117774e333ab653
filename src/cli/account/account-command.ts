/** The options and the help of `domovoi account`. */

import type { AccountRole } from "@domovoi/client";
import { type Command, Option } from "commander";
import { CONNECTION_HELP, type ConnectionOptions, withConnection } from "../connection/connection-options.ts";
import type { AddOptions, ListOptions } from "./account.ts";
import type { LimitAccountOptions } from "./account-limit.ts";
import { withLimits } from "./limit-options.ts";

const HELP = `
A login with an @ is one of the portal, any other one of the local listener. A new password is taken from
DOMOVOI_NEW_PASSWORD, or generated and printed once. Another password, or removal, ends what the account has open.

Examples:
  domovoi account list
  domovoi account add lodger@example.org --role user
  domovoi account password lodger@example.org
  domovoi account role lodger@example.org guest
  domovoi account limit lodger@example.org --folder Bedroom --scene Evening
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
  sub("list", "Shows all accounts.")
    .option("--json", "As JSON.")
    .action(async (options: ListOptions) => (await load()).listAccounts(options));
  sub("add <login>", "Makes an account.")
    .addOption(new Option("--role <role>", "Rights of the account.").choices(ROLES).default("user"))
    .action(async (login: string, options: AddOptions) => (await load()).addAccount(login, options));
  sub("password <login>", "Gives an account another password.").action(
    async (login: string, options: ConnectionOptions) => (await load()).changeAccountPassword(login, options),
  );
  sub("role <login> <role>", "Gives an account another role: owner, user or guest.").action(
    async (login: string, role: AccountRole, options: ConnectionOptions) =>
      (await load()).changeAccountRole(login, role, options),
  );
  withLimits(sub("limit <login>", "Limits an account to what is named; everything else does not exist for it."))
    .option("--none", "Removes the limits.")
    .option("--json", "As JSON.")
    .action(async (login: string, options: LimitAccountOptions) =>
      (await import("./account-limit.ts")).limitAccount(login, options),
    );
  sub("remove <login>", "Removes an account.").action(async (login: string, options: ConnectionOptions) =>
    (await load()).removeAccount(login, options),
  );
}

function load() {
  return import("./account.ts");
}
