/** The port for configuration parameters of devices. Absent on a driver whose devices have none. */

import type { Outcome } from "./command.ts";

export type DeviceParameter = { readonly number: number; readonly size: 1 | 2 | 4; readonly value: number };

export type DeviceParameters = {
  /** null = the device has no such parameter. */
  get(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null>;
  set(address: string, parameter: DeviceParameter, signal: AbortSignal, commandId?: string): Promise<Outcome>;
};
