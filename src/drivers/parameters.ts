/** The port for configuration parameters of devices. Absent on a driver whose devices have none. */

import type { Outcome } from "./command.ts";

export type DeviceParameter = { readonly number: number; readonly size: 1 | 2 | 4; readonly value: number };

/** A parameter as its device is known to have it, without asking. */
export type KnownParameter = Omit<DeviceParameter, "value"> & {
  /** "": it has a number only. */
  readonly name: string;
  /** Symbol; "": none. */
  readonly unit: string;
  /** displayed = value / 10^prec */
  readonly prec: number;
  /** Raw, as the values of choices; null: no bound but the size, and with choices no other values. */
  readonly min: number | null;
  readonly max: number | null;
  /** Names of some values, or of all; empty: none has a name. */
  readonly choices: readonly { readonly value: number; readonly name: string }[];
};

export type DeviceParameters = {
  /** Those that are known of the device, by number; it may have others. */
  known(address: string): readonly KnownParameter[];
  /** null = the device has no such parameter. */
  get(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null>;
  set(address: string, parameter: DeviceParameter, signal: AbortSignal, commandId?: string): Promise<Outcome>;
};
