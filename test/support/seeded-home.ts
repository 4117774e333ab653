/** A home as it is right after its first start, without the service around it: devices that stand still, demo or not. */

import { createCommandQueue } from "../../src/commands/command-queue.ts";
import { type Config, parseConfig } from "../../src/config.ts";
import { demoDevices } from "../../src/demo/demo-devices.ts";
import { newController } from "../../src/demo/new-controller.ts";
import { seedHome } from "../../src/demo/seed-home.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { DriverRegistry } from "../../src/drivers/registry.ts";
import { createVirtualDriver } from "../../src/drivers/virtual/virtual-driver.ts";
import type { Entry } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import { Notifier } from "../../src/notifications/notifier.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { Profile } from "../../src/profile/profile.ts";
import { createLog } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { memoryStore } from "../drivers/recording-host.ts";

/** @param settings as in a settings file; `demo` and `demoNodes` decide what is in it. */
export async function seededHome(settings: Readonly<Record<string, unknown>>) {
  const config: Config = parseConfig({ still: true, timeZone: "Europe/Berlin", ...settings });
  const clock = new VirtualClock(Date.parse("2026-06-01T10:00:00Z"));
  const randomness = seededRandomness(3);
  const logged: string[] = [];
  const log = createLog("warn", { write: (line: string) => void logged.push(line) });
  const home = new Home(newController(config, randomness));
  const feed = new ChangeFeed(home, clock, 0);
  const entries: Entry[] = [];
  feed.listen((entry) => void entries.push(entry));
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const drivers = new DriverRegistry(clock, log, config);
  const committed: number[] = [];
  const durability = { committed: async (seq: number) => void committed.push(seq) };
  const queue = createCommandQueue({ config, clock });
  const notifier = new Notifier({ config, home, profile, drivers, storeOf: memoryStore, clock, log });
  const commands = { config, home, feed, profile, drivers, durability, queue, notifier, clock, randomness, log };
  const devices = config.demo ? demoDevices(config.demoNodes) : [];
  const driver = createVirtualDriver({ devices, still: true, latencyMs: 0, timeZone: "Europe/Berlin" });
  drivers.add({ driver }, new HomeHost(commands, driver.name, memoryStore()));
  await drivers.start();
  await seedHome(commands, config);
  return { home, profile, entries, committed, feed, logged, commands };
}
