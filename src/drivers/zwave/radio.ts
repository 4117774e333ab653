/**
 * An adapter that runs: what everything in this folder that works on the network is given. Inclusion, health, updates and the
 * like are functions over it, beside the driver, not members of it.
 */

import type { Config } from "../../config.ts";
import type { DriverHost } from "../driver.ts";
import type { Turn } from "../operations.ts";
import { formatAddress, parseAddress, type ZWaveFamily } from "./addresses.ts";
import type { ZWaveDevice, ZWaveLibrary, ZWaveStack } from "./library.ts";

export type RadioLimits = Pick<Config, "zwaveInclusionWaitMs" | "zwaveDeadPingMaxMs">;

export type RunningRadio = {
  readonly family: ZWaveFamily;
  readonly host: DriverHost;
  readonly library: ZWaveLibrary;
  readonly stack: ZWaveStack;
  readonly limits: RadioLimits;
  /** Aborted when the driver stops or loses its adapter; every wait ends with it. */
  readonly signal: AbortSignal;
};

/** An operation on an adapter. */
export type RadioTurn = Turn & { readonly radio: RunningRadio };

/** The device behind a node's address, or null. */
export function deviceAt(
  { family, stack }: Pick<RunningRadio, "family" | "stack">,
  address: string,
): ZWaveDevice | null {
  const place = parseAddress(family, address);
  return (place && stack.controller.nodes.get(place.nodeId)) ?? null;
}

/** The address of a device's first node. */
export function deviceAddress({ family }: Pick<RunningRadio, "family">, nodeId: number): string {
  return formatAddress(family, { nodeId, endpoint: 0, part: 0 });
}
