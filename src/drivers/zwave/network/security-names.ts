/** The kinds of security by their names here and their numbers in the library. */

import type { SecurityClass } from "@zwave-js/core";
import type { SecurityName } from "../../mesh-facts.ts";
import type { ZWaveDevice } from "../library.ts";

const CLASSES = {
  "S2-access-control": 2,
  "S2-authenticated": 1,
  "S2-unauthenticated": 0,
  S0: 7,
} as const satisfies Record<SecurityName, SecurityClass>;

/** The strongest first. */
const SECURITY_NAMES = Object.keys(CLASSES) as readonly SecurityName[];

export function toSecurityClass(name: SecurityName): SecurityClass {
  return CLASSES[name];
}

export function toSecurityNames(classes: readonly SecurityClass[]): readonly SecurityName[] {
  return SECURITY_NAMES.filter((name) => classes.includes(CLASSES[name]));
}

/** The kinds of security for which a device has keys, the strongest first. */
export function grantedTo(device: ZWaveDevice): readonly SecurityName[] {
  return SECURITY_NAMES.filter((name) => device.hasSecurityClass(CLASSES[name]) === true);
}

/** null = none, or not known. */
export function securityOf(device: ZWaveDevice): SecurityName | null {
  const highest = device.getHighestSecurityClass();
  return highest === undefined ? null : (toSecurityNames([highest])[0] ?? null);
}
