/** The options of commands about a running controller. The connection itself is in with-home.ts, loaded when it is needed. */

import type { Command } from "commander";

export type ConnectionOptions = {
  readonly controller?: string;
  readonly url?: string;
  readonly user?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly passwordStdin?: boolean;
  /** Options of commands that can print JSON. */
  readonly json?: boolean;
};

export const CONNECTION_HELP = `
Which controller, in this order: --controller NAME (a saved one), --url, DOMOVOI_CONTROLLER, DOMOVOI_URL, the saved one in use
(domovoi use), https://localhost. The password is never an option: "domovoi login" saves the login, DOMOVOI_PASSWORD holds the
password, --password-stdin reads it, or it is asked for.

Status: 0 done, 1 refused or failed, 2 wrong usage, 3 not found, 4 no controller reached, 5 credentials,
6 sent and not confirmed. More: docs/cli.md.`;

/** Other descriptions of two options, for a command in which they mean something more specific. */
type OwnMeanings = {
  /** From `--controller`; `true` when it has no name. */
  readonly controller?: string;
  /** From `--url`, which replaces `--controller`. */
  readonly url?: string;
  /** Whether it must be given; default true. */
  readonly isUrlRequired?: boolean;
};

/** Gives a command the options of `ConnectionOptions`. */
export function withConnection(command: Command, own: OwnMeanings = {}): Command {
  if (own.controller === undefined) command.option("--controller <name>", CONTROLLER);
  else command.option("--controller [name]", `${own.controller} With a name: ${CONTROLLER}`);
  if (own.url === undefined) command.option("--url <url>", URL_OPTION);
  else {
    const url = command.createOption("--url <url>", own.url);
    command.addOption(url.makeOptionMandatory(own.isUrlRequired ?? true));
  }
  return command
    .option("--user <user>", "E-mail address: portal; another name: local listener. Default: DOMOVOI_USER.")
    .option("--password-stdin", "Read the password from the first line of standard input.")
    .option("--ca <file>", "Certificate authority of the controller, PEM. Default: DOMOVOI_CA.")
    .option(
      "--insecure",
      "Do not check the controller's certificate, or accept an address without TLS: an attacker on the network can read everything.",
    );
}

/** A command that reaches a controller and can print JSON. @param examples of its help, a line each */
export function connectedCommand(parent: Command, usage: string, about: string, examples: string): Command {
  return withExamples(withConnection(parent.command(usage).description(about)), examples);
}

export function withExamples(connected: Command, examples: string): Command {
  return connected.option("--json", "As JSON.").addHelpText("after", `\nExamples:\n${examples}\n${CONNECTION_HELP}`);
}

const CONTROLLER = 'A saved controller ("domovoi controllers" lists them).';
const URL_OPTION = "Address of the controller: its portal, or its local listener. Default: DOMOVOI_URL.";
