/**
 * The operations of a driver with a radio network beside commands to nodes: include and exclude devices, repair,
 * update, back up. One operation at a time. It is started, asks when a person has to decide, can be canceled, and
 * reports every step as plain data through the host.
 *
 * @see docs/interface/radio-network.md
 */

import type { Operation } from "../home/operation.ts";
import type { Commissioning } from "./commissioning.ts";
import type { NodeHealth, RadioAbout, RadioDiagnostics, RadioTrouble, SecurityName } from "./radio-facts.ts";

/** A request to the network. Addresses are those of a device's first node. */
export type RadioRequest =
  /** `best`: S2 if the device can, S0 only where it must; `insecure` has to be requested, it is never assumed. */
  | { readonly kind: "include"; readonly security: InclusionSecurity }
  | { readonly kind: "exclude" }
  /** Includes a new device under the address of a broken one. */
  | { readonly kind: "replace"; readonly address: string; readonly security: "S2" | "S0" | "insecure" }
  | { readonly kind: "remove-failed"; readonly address: string }
  | { readonly kind: "interview"; readonly address: string }
  /** Without an address all devices of the network. */
  | { readonly kind: "rebuild-routes"; readonly address: string | null }
  | { readonly kind: "update-firmware"; readonly address: string; readonly file: Uint8Array; readonly fileName: string }
  /** Reads the memory of the adapter; `savedMemory` gives it. */
  | { readonly kind: "backup" }
  | { readonly kind: "restore"; readonly memory: Uint8Array }
  /** The adapter forgets its whole network. */
  | { readonly kind: "reset" };

export type InclusionSecurity = "best" | "S0" | "insecure";

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
export type RadioNetwork = Pick<Commissioning, "operation" | "answer" | "cancel"> & {
  /** Addresses of its nodes. */
  readonly family: number;
  about(): RadioAbout;
  /** @throws ControllerError RADIO_BUSY, NODE_NOT_FOUND, NOT_SUPPORTED. The operation reports later failures. */
  begin(requested: RadioRequest): Operation;
  /** The content of the latest backup, or null. */
  savedMemory(): Uint8Array | null;
  provisioning(): readonly ProvisioningEntry[];
  /** @throws ControllerError BAD_VALUE for a malformed key or code. */
  provision(requested: ProvisioningRequest): Promise<ProvisioningEntry>;
  /** @returns false when there is no such entry. */
  unprovision(dsk: string): boolean;
  /** The facts about every device, by number. */
  devices(): readonly NodeHealth[];
  /** The facts about a device. @throws ControllerError NODE_NOT_FOUND */
  health(address: string): NodeHealth;
  /** Pings the device, then returns the facts. */
  ping(address: string, signal: AbortSignal): Promise<NodeHealth>;
  /** The whole network for a bug report; null while the adapter is not running. */
  diagnostics(): RadioDiagnostics | null;
  /** The latest errors, oldest first, also those before the adapter was lost. */
  troubles(): readonly RadioTrouble[];
};
