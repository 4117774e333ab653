/** Switches of the controller itself: whether writes to devices are collected, and whether sleeping devices get theirs. */

import type { Cause } from "../home/cause.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { CommandPorts } from "./ports.ts";

type SettingsPorts = Pick<CommandPorts, "home" | "feed" | "durability">;

/** @throws ControllerError STORE_UNAVAILABLE */
export async function setBatchMode(ports: SettingsPorts, on: boolean, cause: Cause): Promise<void> {
  await changeController(ports, { batchMode: on }, cause);
}

/** @throws ControllerError STORE_UNAVAILABLE */
export async function setBatteryWrites(ports: SettingsPorts, on: boolean, cause: Cause): Promise<void> {
  await changeController(ports, { batteryWrites: on }, cause);
}

async function changeController(ports: SettingsPorts, patch: Partial<ControllerRecord>, cause: Cause): Promise<void> {
  const controller = { ...ports.home.controller, ...patch };
  const entry = ports.feed.commit({ type: "controller-changed", controller }, cause);
  await ports.durability.committed(entry.seq);
}
