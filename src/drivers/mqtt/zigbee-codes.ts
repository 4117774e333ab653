/** Codes of locks behind Zigbee2MQTT: it does not say how many a lock has, and refuses those beyond. */

import type { UserCodes } from "../codes.ts";
import type { Outcome } from "../command.ts";
import type { Message } from "../exposed/feature.ts";
import type { NumberedDevice } from "../exposed/numbered-devices.ts";

const SLOTS = 30;
const KEY = "pin_code";

export function createZigbeeCodes(
  find: (address: string) => NumberedDevice | null,
  set: (address: string, message: Message, signal: AbortSignal) => Promise<Outcome>,
): UserCodes {
  return {
    slots: (address) => (find(address)?.device.exposes.some(({ name }) => name === KEY) ? SLOTS : 0),
    // As a text, because a number has no zeros in front.
    set: (address, slot, code, signal) =>
      set(address, { [KEY]: { user: slot, user_type: "unrestricted", user_enabled: true, [KEY]: code } }, signal),
    clear: (address, slot, signal) => set(address, { [KEY]: { user: slot, [KEY]: null } }, signal),
  };
}
