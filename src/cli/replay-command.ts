/** The options and the help of `domovoi replay`. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "./connection/connection-options.ts";
import { collect, lazy } from "./lazy.ts";
import { TIME_HELP } from "./time-help.ts";

const HELP = `
Without --with it shows what the programs did. With --with it shows what a changed program would have done additionally, not
done, or done at another time. No command is sent, and nothing is saved.
${TIME_HELP}

Examples:
  domovoi replay --from yesterday
  domovoi replay --from -7d --with hall-motion.txt
  domovoi replay --from "2026-11-20 07:00" --until "2026-11-20 09:00" --data /var/lib/domovoi
      Of a data directory, whether its service runs or not.
${CONNECTION_HELP}`;

/** @param domovoi gets the command `replay`. */
export function addReplayCommand(domovoi: Command): void {
  withConnection(
    domovoi
      .command("replay")
      .description("Replays a recorded time span with the programs as they were, or changed.")
      .requiredOption("--from <time>", "Beginning.")
      .option("--until <time>", "End. Default: now.")
      .option("--with <file>", "A changed or new program, as text (docs/programs.md). Can be repeated.", collect)
      .option("--data <dir>", "Reads this data directory instead of asking a controller.")
      .option("--config <file>", "With --data: the settings file of the service.")
      .option("--json", "As JSON."),
  )
    .addHelpText("after", HELP)
    .action(lazy(() => import("./replay.ts"), "runReplayCommand"));
}
