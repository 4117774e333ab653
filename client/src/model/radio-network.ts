/** A radio network: its adapter and its devices. @see docs/interface/radio-network.md */

import type { IntegrationOperation } from "./integrations.ts";
import type { Routes } from "./routes.ts";

export type { ProvisionedDevice, RadioAbout, RadioDevice } from "./routes.ts";

/** `operation` is the one under way, else the latest. */
export type RadioState = Omit<Routes["GET /api/radios/:radio"]["data"], "operation"> & {
  readonly operation: IntegrationOperation | null;
};

/** By its key, or by the digits of the code that is printed on it, which also say what it asks for. */
export type NewProvisioned =
  | { readonly dsk: string; readonly security: readonly string[]; readonly active?: boolean }
  | { readonly qr: string; readonly security?: readonly string[]; readonly active?: boolean };

/** Parameters and codes of one device. */
export type Radio = {
  readParameter(number: number): Promise<{ readonly size: number; readonly value: number }>;
  /** @param size in bytes: 1, 2 or 4 */
  writeParameter(number: number, value: number, size: number): Promise<void>;
  setUserCode(slot: number, code: string): Promise<void>;
  deleteUserCode(slot: number): Promise<void>;
};
