/** The options of commands about a running controller. The connection itself is in with-controller.ts, loaded when it is needed. */

import type { Command } from "commander";

export type ConnectionOptions = {
  readonly url: string;
  readonly user?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
};

const DEFAULT_URL = "https://localhost";

/** Gives a command the options of `ConnectionOptions`. */
export function withConnection(command: Command): Command {
  return command
    .option("--url <url>", "Portal of the controller.", process.env.DOMOVOI_URL || DEFAULT_URL)
    .option("--user <email>", "Account of the portal. Default: DOMOVOI_USER. Its password: DOMOVOI_PASSWORD.")
    .option("--ca <file>", "Certificate authority of the controller, PEM.")
    .option("--insecure", "Does not check the controller's certificate.");
}
