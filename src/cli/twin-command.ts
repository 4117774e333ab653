/** The options and the help of `domovoi twin`. */

import type { Command } from "commander";
import { SETTINGS } from "../config.ts";
import { CONNECTION_HELP, withConnection } from "./connection/connection-options.ts";
import { lazy } from "./lazy.ts";

const HELP = `
The twin serves what the controller served, field by field, and plays its devices from their definitions: try programs,
clients and changes on it. Nothing that is done to the twin reaches the controller; its network resources send nothing.
--follow runs the twin in this process and keeps its values in step with the controller; its programs then do not run by
themselves. docs/twin.md describes this, and the files that --from-files reads.

Examples:
  domovoi twin https://192.168.1.20 --user owner@example.org --ca controller-ca.pem --data twin
  domovoi serve --data twin --portal-port 9443 --local-port 9444
  domovoi twin --from-files saved --dry-run
  domovoi twin https://192.168.1.20 --data shadow --follow --portal-port 9443 --local-port 9444
${CONNECTION_HELP}`;

/** @param domovoi gets the command `twin`. */
export function addTwinCommand(domovoi: Command): void {
  withConnection(
    domovoi.command("twin").description("Copies the home of another controller, to test changes on the copy."),
  )
    .argument("[url]", "Address of the controller, as --url.")
    .option("--data <dir>", "New directory for the twin.", "twin")
    .option("--from-files <dir>", "Makes the twin from saved documents instead.")
    .option("--dry-run", "Shows what the twin would contain, without making it.")
    .option("--follow", "Runs the twin and copies every new value from the controller.")
    .option("--host <address>", SETTINGS.host.about)
    .option("--portal-port <port>", SETTINGS.portalPort.about)
    .option("--local-port <port>", SETTINGS.localPort.about)
    .option("--config <file>", "JSON file of settings for the twin.")
    .addHelpText("after", HELP)
    .action(lazy(() => import("./twin.ts"), "makeTwinOf"));
}
