/** The options and the help of `domovoi store`. */

import type { Command } from "commander";
import { connectedCommand } from "../connection/connection-options.ts";
import { lazy } from "../lazy.ts";

const EXAMPLES = `  domovoi store status
  domovoi store status --json --url https://192.168.1.21`;

/** @param domovoi gets the command `store`. */
export function addStoreCommand(domovoi: Command): void {
  const store = domovoi.command("store").description("Shows which machine runs the home.");
  connectedCommand(
    store,
    "status",
    "Says whether a machine runs the home alone, runs it with standbys, or is a standby.",
    EXAMPLES,
  ).action(lazy(() => import("./store.ts"), "showStoreStatus"));
}
