/** The controller of a new data directory: its identity and its place. */

import { type Config, SETTINGS } from "../config.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Randomness } from "../util/randomness.ts";
import { checkZone } from "../util/zone.ts";

/** @throws ControllerError BAD_VALUE when the setting timeZone names no IANA zone. */
export function newController(config: Config, randomness: Randomness): ControllerRecord {
  return {
    uuid: localMac(randomness.bytes(6)),
    name: config.name,
    timeZone: checkZone(config.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone),
    latitude: config.latitude,
    longitude: config.longitude,
    batchMode: false,
    batteryWrites: true,
  };
}

/** Whether no place is set. */
export function isAtDefaultPlace({ latitude, longitude }: ControllerRecord): boolean {
  return latitude === SETTINGS.latitude.fallback && longitude === SETTINGS.longitude.fallback;
}

/** Second-lowest bit of the first byte: locally administered; lowest bit clear: one station, not a group. */
function localMac(bytes: Uint8Array): string {
  const octets = [...bytes];
  octets[0] = ((octets[0] ?? 0) & 0b1111_1100) | 0b10;
  return octets.map((octet) => octet.toString(16).padStart(2, "0")).join(":");
}
