/** The options and the help of `domovoi move-in`. */

import type { Command } from "commander";
import { SETTINGS } from "../../config.ts";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { lazy, sessionAction } from "../lazy.ts";

const HELP = `
Moves a home from another controller to this one, step by step, as described in docs/moving-in.md. The other controller is
only read. Each step here is one edit, and "domovoi move-in undo" takes the last one back.

An e-mail address reads the portal of an eisy, a Polisy or a Domovoi. Another account reads the local interface, which is all that an
ISY994 has; http: needs --insecure. --from-files reads saved answers and a backup of such a controller.

Examples:
  domovoi move-in https://192.168.1.20 --user owner@example.org --plan
  domovoi move-in http://192.168.1.30 --user admin --insecure --plan
  domovoi move-in --from-files old-isy --plan
  domovoi move-in https://192.168.1.20 --user owner@example.org --data /var/lib/domovoi --yes
  domovoi move-in status
  domovoi move-in take zwave
  domovoi move-in take zwave --map ZW004_1=ZW017_1 --map ZW005_1=ZW002_1
  domovoi move-in finish
  domovoi move-in from homeassistant
  domovoi move-in from homeassistant --yes
${CONNECTION_HELP}`;

/** @param domovoi gets the command `move-in`. */
export function addMoveInCommand(domovoi: Command): void {
  const moveIn = withConnection(
    domovoi.command("move-in").description("Moves a home from another controller to this one."),
  )
    .argument("[url]", "The other controller: its portal, or its local listener.")
    .option("--plan", "Shows what can be moved and what cannot, without changing anything.")
    .option("--from-files <dir>", "Reads saved answers, or a backup, instead of a controller.")
    .option("--data <dir>", "Empty data directory for the home.", SETTINGS.data.fallback)
    .option("--yes", "Copies the home into the data directory.")
    .option("--json", "As JSON.")
    .addHelpText("after", HELP)
    .action(lazy(() => import("./move-in.ts"), "moveIn"));
  const step = (name: string, about: string) => moveIn.command(name).description(about).option("--json", "As JSON.");
  step("status", "Shows the progress of the move.").action(sessionAction(load, "showMove"));
  step("take", "Lets an integration take over the nodes of its devices.")
    .argument("<integration>", 'Its id; "domovoi integration list" shows it.')
    .option("--map <old=new...>", "The device at the new address replaces the node at the old one.")
    .option("--force", "Also where a new device cannot do all that the old one did; with --map.")
    .action(sessionAction(load, "take"));
  step(
    "from",
    "Rooms, scenes and automations of a system whose devices an integration supplies: a plan, or with --yes an edit.",
  )
    .argument("<integration>", "Its id, such as homeassistant.")
    .option("--yes", "Carries the plan out. Programs come disabled.")
    .action(sessionAction(() => import("./from.ts"), "moveInFrom"));
  step("finish", "Starts the programs on this controller.").action(sessionAction(load, "finish"));
  step("undo", "Undoes the last step.").action(sessionAction(load, "undoStep"));
}

function load() {
  return import("./steps.ts");
}
