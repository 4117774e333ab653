/** Switches of the controller itself: whether writes to devices are collected, and whether sleeping devices get theirs. */

import type { Cause } from "../home/cause.ts";
import type { CommandPorts } from "./ports.ts";

type SettingsPorts = Pick<CommandPorts, "home" | "feed" | "durability">;
export type ControllerSwitch = "batchMode" | "batteryWrites";

/** @throws ControllerError STORE_UNAVAILABLE */
export async function setSwitch(
  ports: SettingsPorts,
  name: ControllerSwitch,
  on: boolean,
  cause: Cause,
): Promise<void> {
  const controller = { ...ports.home.controller, [name]: on };
  await ports.durability.committed(ports.feed.commit({ type: "controller-changed", controller }, cause).seq);
}
