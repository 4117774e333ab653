/** The dependencies of commands. A function takes the members it needs: `Pick<CommandPorts, "home" | "feed">`. */

import type { Config } from "../config.ts";
import type { DriverRegistry } from "../drivers/registry.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Durability } from "../home/durability.ts";
import type { Home } from "../home/home.ts";
import type { Notifier } from "../notifications/notifier.ts";
import type { Profile } from "../profile/profile.ts";
import type { ProgramPort } from "../programs/runner.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import type { CommandQueue } from "./command-queue.ts";

export type CommandPorts = {
  readonly config: Config;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  readonly drivers: DriverRegistry;
  readonly durability: Durability;
  readonly queue: CommandQueue;
  readonly notifier: Pick<Notifier, "notify" | "message" | "deliverAlert" | "channels">;
  readonly programs: ProgramPort;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
};
