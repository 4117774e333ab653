/** The options and the help of `domovoi login`, `use`, `controllers` and `logout`. */

import type { Command } from "commander";
import { lazy } from "../lazy.ts";

const HELP = `
What is not given with options or in DOMOVOI_URL, DOMOVOI_USER and DOMOVOI_PASSWORD is asked for. The login is saved after the
controller has accepted it, without the password, in a file that only you can read: DOMOVOI_CONTROLLERS, or
domovoi/controllers.json in XDG_CONFIG_HOME (~/.config). Accounts of the local listener have no login to save: commands
need their password. Commands go to the controller that was logged in to last, until "domovoi use" names another.

--trust trusts a controller that signs its own certificate. Compare the fingerprint that it shows with
  openssl x509 -noout -fingerprint -sha256 -in data/secrets/ca-cert
on the controller's machine. --ca FILE trusts the authority in that file. --insecure is for an older controller in a network that
you trust: anybody on that network can read the password. Later commands need it too, where the address has https:.

Examples:
  domovoi login --url https://localhost:9443 --user owner@domovoi.local --trust
  domovoi login cabin --url https://192.168.1.20:8443 --user admin --ca cabin-ca.pem
  domovoi login isy --url http://192.168.1.30 --user admin --insecure
  domovoi nodes --controller cabin
  domovoi use cabin
  domovoi logout cabin`;

/** @param domovoi gets these commands. */
export function addLoginCommands(domovoi: Command): void {
  domovoi
    .command("login")
    .description("Saves a controller and an account for later commands.")
    .argument("[name]", "Name for the controller.", "home")
    .option("--url <url>", "Its portal, or its local listener. Default: DOMOVOI_URL, or the saved one.")
    .option("--user <user>", "E-mail address: portal; another name: local listener. Default: DOMOVOI_USER.")
    .option("--password-stdin", "Read the password from the first line of standard input.")
    .option("--ca <file>", "Certificate authority to trust, PEM.")
    .option(
      "--trust [fingerprint]",
      "Trusts the controller's certificate authority if it has this fingerprint, or if you answer yes.",
    )
    .option("--insecure", "Does not check a certificate, and accepts an address without TLS (http:).")
    .addHelpText("after", HELP)
    .action(lazy(() => import("./login.ts"), "login"));
  domovoi
    .command("use")
    .description("Sends commands to another saved controller from now on.")
    .argument("<controller>", "Its name.")
    .option("--json", "As JSON.")
    .action(lazy(() => import("./login.ts"), "useController"));
  domovoi
    .command("controllers")
    .description("Lists the saved controllers.")
    .option("--json", "As JSON.")
    .action(lazy(() => import("./login.ts"), "listControllers"));
  domovoi
    .command("logout")
    .description("Removes a saved controller, and ends its login.")
    .argument("[name]", "Which one. Default: the one in use.")
    .action(lazy(() => import("./login.ts"), "logout"));
}
