/** The options and the help of `domovoi mcp`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { lazy } from "../lazy.ts";

const HELP = `
An assistant starts this command itself, as its configuration says (docs/assistant.md). It may look, command what is not a lock
or an alarm, verify and replay. It changes nothing else.

Examples:
  domovoi mcp
  domovoi mcp --url https://localhost:9443 --user helper@example.org
${CONNECTION_HELP}`;

/** @param domovoi gets the command `mcp`. */
export function addAssistantCommands(domovoi: Command): void {
  withConnection(domovoi.command("mcp").description("Lets an assistant use the home, by the Model Context Protocol."))
    .addHelpText("after", HELP)
    .action(lazy(() => import("./mcp.ts"), "serveAssistant"));
}
