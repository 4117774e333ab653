/**
 * What a mesh with keys offers beyond the port of every network: the adapter's memory, the firmware of devices, the devices that
 * may join. Here are the two operations that take a file.
 *
 * @see docs/interface/radio-network.md
 */

import type { Operation } from "../home/operation.ts";
import type { SecurityName } from "./mesh-facts.ts";

/** A device that may join by itself as soon as it has power. */
export type ProvisioningEntry = {
  /** Eight groups of five digits. */
  readonly dsk: string;
  readonly security: readonly SecurityName[];
  /** false: known, but not included. */
  readonly isActive: boolean;
  /** Address of its first node once it is in, else null. */
  readonly address: string | null;
};

/** An entry for the provisioning list; an entry with the same key is replaced. */
export type ProvisioningRequest =
  | Pick<ProvisioningEntry, "dsk" | "security" | "isActive">
  /** The digits of the code that is printed on the device. `security` null: what the code asks for. */
  | { readonly qr: string; readonly security: readonly SecurityName[] | null; readonly isActive: boolean };

/** Members without another word throw ControllerError DRIVER_UNAVAILABLE while the adapter is not running. */
export type Mesh = {
  /** The operation `update-firmware`. @throws ControllerError RADIO_BUSY, NODE_NOT_FOUND. It reports later failures. */
  updateFirmware(address: string, file: Uint8Array, fileName: string): Operation;
  /**
   * The operation `restore`.
   * @param confirm the home id of the network that the adapter is to forget, typed by a person.
   * @throws ControllerError RADIO_BUSY, BAD_VALUE without the right home id.
   */
  restore(memory: Uint8Array, confirm: string | null): Operation;
  /** The content of the latest backup, or null. */
  savedMemory(): Uint8Array | null;
  provisioning(): readonly ProvisioningEntry[];
  /** @throws ControllerError BAD_VALUE for a malformed key or code. */
  provision(requested: ProvisioningRequest): Promise<ProvisioningEntry>;
  /** @returns false when there is no such entry. */
  unprovision(dsk: string): boolean;
};
