/**
 * The network of a driver: its health and that of its devices. Operations are those of commissioning.ts.
 *
 * @see docs/interface/radio-network.md
 */

import type { Mesh } from "./mesh.ts";
import type { DeviceHealth, NetworkAbout, NetworkDiagnostics, NetworkTrouble } from "./network-facts.ts";

/** Members without another word throw ControllerError DRIVER_UNAVAILABLE while the adapter is not running. */
export type Network = {
  /** Addresses of its nodes. */
  readonly family: number;
  about(): NetworkAbout;
  /** The facts about every device, by number. */
  devices(): readonly DeviceHealth[];
  /** The facts about a device. @throws ControllerError NODE_NOT_FOUND */
  health(address: string): DeviceHealth;
  /** Pings the device, then returns the facts. */
  ping(address: string, signal: AbortSignal): Promise<DeviceHealth>;
  /** The whole network for a bug report; null while the adapter is not running. */
  diagnostics(): NetworkDiagnostics | null;
  /** The latest errors, oldest first, also those before the adapter was lost. */
  troubles(): readonly NetworkTrouble[];
  /** Absent on a network without keys. */
  readonly mesh?: Mesh;
};
