/** User codes of locks: written and cleared, never read. */

import type { Outcome } from "../../command.ts";
import type { ZWaveDevice } from "../library.ts";
import { CC } from "../plan/command-class-table.ts";
import type { RunningRadio } from "../radio.ts";
import { failed, outcomeOfError, outcomeOfSupervision } from "./outcome.ts";

/** Number of slots; 0 when the device has no codes. */
export function codeSlots(device: ZWaveDevice): number {
  const slots = device.getValue({ commandClass: CC.userCode, endpoint: 0, property: "supportedUsers" });
  return typeof slots === "number" ? slots : 0;
}

/** @param code null clears the slot. Never rejects. */
export async function writeCode(
  { library }: Pick<RunningRadio, "library">,
  device: ZWaveDevice,
  slot: number,
  code: string | null,
): Promise<Outcome> {
  if (slot < 1 || slot > codeSlots(device)) return failed("bad-parameter", "The lock has no such slot.");
  if (code !== null && !/^[0-9]{4,10}$/.test(code)) return failed("bad-parameter", "A user code has 4 to 10 digits.");
  const codes = device.commandClasses["User Code"];
  try {
    const result = code === null ? codes.clear(slot) : codes.set(slot, library.UserIDStatus.Enabled, code);
    return outcomeOfSupervision(await result);
  } catch (error) {
    return outcomeOfError(library, error);
  }
}
