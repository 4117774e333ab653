/** The options and the help of `domovoi verify`. */

import type { Command } from "commander";
import { withConnection } from "./connection/connection-options.ts";
import { sessionAction } from "./lazy.ts";

const HELP = `
What is found, and what to do about it, is in docs/verification.md. The status is 1 when there are errors.

Examples:
  domovoi verify --url https://localhost:9443 --ca data/secrets/ca-cert
  domovoi verify 'Hall Motion Light' 0012
  domovoi verify --text hall.txt            # before it is saved

"domovoi program --help" shows how to reach the controller.`;

/** @param domovoi gets the command `verify`. */
export function addVerifyCommand(domovoi: Command): void {
  withConnection(domovoi.command("verify").description("Looks for mistakes in programs."))
    .argument("[program...]", "Ids or names; without any, all programs.")
    .option("--text <file>", "A program's text, as if it were saved; - for the standard input.")
    .option("--json", "As JSON.")
    .addHelpText("after", HELP)
    .action(sessionAction(() => import("./verify.ts"), "printVerification"));
}
