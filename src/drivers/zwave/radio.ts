/**
 * An adapter that runs: what everything in this folder that works on the network is given. Inclusion, health, updates and the
 * like are functions over it, beside the driver, not members of it.
 */

import type { Config } from "../../config.ts";
import { foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import type { DriverHost } from "../driver.ts";
import type { Turn } from "../operations.ts";
import { formatAddress, parseAddress, type ZWaveFamily } from "./addresses.ts";
import type { ZWaveDevice, ZWaveLibrary, ZWaveStack } from "./library.ts";
import { keyText } from "./plan/device-view.ts";

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

/**
 * Wraps a listener of the library's events: it is called while the adapter runs, and an exception is not thrown into the library. The
 * device comes first in the arguments, what it says after it.
 */
export function guarded<A extends readonly unknown[]>(
  { host, signal }: Pick<RunningRadio, "host" | "signal">,
  take: (...args: A) => void,
): (...args: A) => void {
  return (...args) => {
    if (signal.aborted) return;
    const [device, ...said] = args;
    const input = { from: sourceOf(device, said[0]), ...(said.length > 0 && { content: said }), isOfDevice: true };
    void host.guard(input, () => take(...args));
  };
}

function sourceOf(device: unknown, said: unknown): string {
  const id = isRecord(device) ? foreignText(device.nodeId ?? device.id) : "";
  const value = isRecord(said) && typeof said.commandClass === "number" ? `, value ${foreignText(keyText(said))}` : "";
  return `Z-Wave node ${id}${value}`;
}

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
