/** Switches of the controller itself: whether writes to devices are collected, and whether sleeping devices get theirs. */

import type { Cause } from "../home/cause.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { CommandPorts } from "./ports.ts";

type SettingsPorts = Pick<CommandPorts, "home" | "feed" | "durability">;
type Switches = Partial<Pick<ControllerRecord, "batchMode" | "batteryWrites">>;

/** @throws ControllerError STORE_UNAVAILABLE */
export async function setSwitches({ home, feed, durability }: SettingsPorts, switches: Switches, cause: Cause) {
  const controller = { ...home.controller, ...switches };
  await durability.committed(feed.commit({ type: "controller-changed", controller }, cause).seq);
}
