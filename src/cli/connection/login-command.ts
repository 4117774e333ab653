/** The options and the help of `domovoi login` and `domovoi logout`. */

import type { Command } from "commander";
import type { LoginOptions } from "./login.ts";

const HELP = `
Without --user, --url and a name that is free, it asks, or takes DOMOVOI_USER and DOMOVOI_PASSWORD. Nothing is kept before the
controller has accepted it. Kept is one file that only you can read: DOMOVOI_CONTROLLERS, or domovoi/controllers.json in
XDG_CONFIG_HOME (~/.config). Commands use the controller that was logged in to last, or --controller NAME.

A controller that signs its own certificate is trusted by --trust, after you have compared the fingerprint with
  openssl x509 -noout -fingerprint -sha256 -in data/secrets/ca-cert
on the controller's machine; or by --ca FILE with that file.

Examples:
  domovoi login --url https://localhost:9443 --user owner@domovoi.local --trust
  domovoi login cabin --url https://192.168.1.20:8443 --user admin --ca cabin-ca.pem
  domovoi nodes --controller cabin
  domovoi logout cabin`;

/** @param domovoi gets the commands `login` and `logout`. */
export function addLoginCommands(domovoi: Command): void {
  domovoi
    .command("login")
    .description("Tests an account of a controller and keeps it for the commands that ask one.")
    .argument("[name]", "What the controller is called from now on.", "home")
    .option("--url <url>", "Its portal, or its local listener. Default: DOMOVOI_URL, or the one that is kept.")
    .option("--user <user>", "E-mail address: portal; another name: local listener. Default: DOMOVOI_USER.")
    .option("--ca <file>", "Certificate authority to trust, PEM.")
    .option(
      "--trust [fingerprint]",
      "Trusts the authority that the controller shows, if it has this fingerprint or you say yes.",
    )
    .addHelpText("after", HELP)
    .action(async (name: string, options: LoginOptions) => {
      const { login } = await import("./login.ts");
      await login(name, options);
    });
  domovoi
    .command("logout")
    .description("Forgets a controller that is kept.")
    .argument("[name]", "Which one. Default: the one that was logged in to last.")
    .action(async (name: string | undefined) => {
      const { logout } = await import("./login.ts");
      logout(name);
    });
}
