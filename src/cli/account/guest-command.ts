/** The options and the help of `domovoi guest`. */

import { type Command, Option } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { homeAction, sessionAction } from "../lazy.ts";
import { withLimits } from "./limit-options.ts";

const HELP = `
A guest link opens the page, or works as a bearer token, for the things that it names and nothing else. It is printed once.
Anyone who has the link can use it, so send it as you would send a key.

Examples:
  domovoi guest create 'Dog walker' --node 'Front Door' --command SECMD --role user --for 2h
  domovoi guest create Sitter --folder 'Living Room' --scene Evening --for 3d
  domovoi guest list
  domovoi guest revoke 'Dog walker'
${CONNECTION_HELP}`;

/** @param domovoi gets the command `guest`. */
export function addGuestCommand(domovoi: Command): void {
  const guest = domovoi
    .command("guest")
    .description("Guest links: access to chosen rooms and devices for a limited time.");
  guest.addHelpText("after", HELP);
  const sub = (usage: string, about: string) =>
    withConnection(guest.command(usage).description(about))
      .option("--json", "As JSON.")
      .addHelpText("after", '\n"domovoi guest --help" has examples.');
  withLimits(sub("create <name>", "Creates a guest link and prints it, once."))
    .option("--for <time>", "How long it is good: 30m, 2h, 3d. Default: until it is revoked.")
    .addOption(
      new Option("--role <role>", "user also operates locks and runs programs.")
        .choices(["guest", "user"])
        .default("guest"),
    )
    .action(homeAction(load, "createGuest"));
  sub("list", "Lists the guest links that have not expired.").action(homeAction(load, "listGuests"));
  sub("revoke <name>", "Ends a guest link and its open connections.").action(sessionAction(load, "revokeGuest"));
}

function load() {
  return import("./guest.ts");
}
