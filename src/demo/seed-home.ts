/**
 * The contents of a new home: the root program folder and the built-in "Query All"; with the demo also rooms, scenes,
 * programs, variables and network resources. The virtual driver has declared the nodes before.
 */

import type { CommandPorts } from "../commands/ports.ts";
import type { Config } from "../config.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import { demoRooms } from "./demo-devices.ts";
import { demoFolders } from "./seed-folders.ts";
import { demoPrograms, rootPrograms } from "./seed-programs.ts";
import { demoScenes } from "./seed-scenes.ts";
import { demoResources, demoVariables } from "./seed-tables.ts";

type SeedPorts = Pick<CommandPorts, "home" | "feed" | "durability" | "profile" | "clock">;

/**
 * Deterministic: the same configuration gives the same home. The root program folder comes last, so a home that has it
 * was seeded whole.
 *
 * @throws ControllerError STORE_UNAVAILABLE when the disk does not take it.
 */
export async function seedHome(commands: SeedPorts, config: Config): Promise<void> {
  const { feed, durability, home } = commands;
  const demo = config.demo ? demoChanges(commands, config) : [];
  for (const change of [...demo, ...rootPrograms(home.controller.uuid)]) feed.commit(change, SYSTEM_CAUSE);
  await durability.committed(feed.lastSeq);
}

function demoChanges({ home, profile, clock }: SeedPorts, { demoNodes, programsMax }: Config): readonly Change[] {
  const rooms = demoRooms(demoNodes);
  return [
    ...demoFolders(rooms),
    ...demoScenes(rooms, { home, profile, count: demoNodes }),
    ...demoVariables(clock.now()),
    ...demoResources(),
    ...demoPrograms(rooms, { count: demoNodes, programsMax }),
  ];
}
