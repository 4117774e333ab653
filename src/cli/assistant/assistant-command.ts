/** The options and the help of `domovoi mcp` and `domovoi proposals`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { lazy, sessionAction } from "../lazy.ts";

const MCP_HELP = `
An assistant starts this command itself, as its configuration says (docs/assistant.md). It may look, command what is not a lock
or an alarm, verify, replay, and propose changes. A person approves them: "domovoi proposals", or on the page.

Examples:
  domovoi mcp
  domovoi mcp --url https://localhost:9443 --user helper@example.org
${CONNECTION_HELP}`;

const PROPOSALS_HELP = `
Approving makes the change as one edit with your name; "domovoi undo" takes it back.

Examples:
  domovoi proposals list
  domovoi proposals show 4c1f09ab
  domovoi proposals approve 4c1f09ab
  domovoi proposals stop helper@example.org    # ends its sessions, undoes its edits
${CONNECTION_HELP}`;

/** @param domovoi gets the commands `mcp` and `proposals`. */
export function addAssistantCommands(domovoi: Command): void {
  withConnection(domovoi.command("mcp").description("Lets an assistant use the home, by the Model Context Protocol."))
    .addHelpText("after", MCP_HELP)
    .action(lazy(() => import("./mcp.ts"), "serveAssistant"));
  const command = domovoi.command("proposals").description("Shows and decides what assistants propose.");
  command.addHelpText("after", PROPOSALS_HELP);
  const sub = (usage: string, about: string) => withConnection(command.command(usage).description(about));
  sub("list", "Lists the proposals, the newest first.").option("--json", "As JSON.").action(act("listProposals"));
  sub("show <proposal>", "Shows a proposal: differences, findings, and what it would have done in the last week.")
    .option("--json", "As JSON.")
    .action(act("showProposal"));
  sub("approve <proposal>", "Makes the change.").action(act("approveProposal"));
  sub("reject <proposal>", "Rejects it.").action(act("rejectProposal"));
  sub("stop <account>", "Stops an assistant, and undoes its edits.").action(act("stopAssistant"));
}

function act(name: keyof typeof import("./proposals.ts")) {
  return sessionAction(() => import("./proposals.ts"), name);
}
