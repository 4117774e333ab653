/** A network of which a bridge or a library shows only its devices: the driver's own counts, and what the nodes say. */

import { ControllerError } from "../errors.ts";
import type { Outcome } from "./command.ts";
import type { DriverHost } from "./driver.ts";
import type { Network } from "./network.ts";
import type { DeviceHealth, DeviceState } from "./network-facts.ts";

type Shown = {
  /** Whether it answers questions; it has diagnostics also before. */
  readonly isReady: boolean;
  /** Messages to and from devices. */
  readonly sent: number;
  readonly received: number;
  devices(): readonly DeviceHealth[];
  /** Of the device that has the node; null: none. */
  health(address: string): DeviceHealth | null;
  /** Commands that wait for sleeping devices, by node. */
  asleep(): Readonly<Record<string, number>>;
};

type NetworkPorts = Pick<Network, "family" | "troubles"> & {
  /** null while the driver does not run. */
  shown(): Shown | null;
  query(address: string, signal: AbortSignal): Promise<Outcome>;
};

export function networkWithoutMesh({ family, troubles, shown, query }: NetworkPorts): Network {
  const now = (): Shown => {
    const found = shown();
    if (!found?.isReady) throw new ControllerError("DRIVER_UNAVAILABLE");
    return found;
  };
  const health = (address: string) => {
    const found = now().health(address);
    if (!found) throw new ControllerError("NODE_NOT_FOUND");
    return found;
  };
  return {
    family,
    about() {
      const { sent, received, devices } = now();
      const counts = { sent, received, lost: 0, timeouts: 0 };
      return { firmware: null, nodes: devices().length, isJammed: false, ...counts, mesh: null };
    },
    devices: () => now().devices(),
    health,
    async ping(address, signal) {
      await query(address, signal);
      return health(address);
    },
    diagnostics() {
      const found = shown();
      if (!found) return null;
      const { sent, received } = found;
      return {
        packages: {},
        adapter: { firmware: null, isJammed: false, sent, received, lost: 0, timeouts: 0, mesh: null },
        queues: { underWay: 0, waiting: 0, asleep: found.asleep() },
        devices: found.devices().map((each) => ({ ...each, details: null })),
      };
    },
    troubles,
  };
}

type KnownDevice = {
  /** Of its first node. */
  readonly address: string;
  /** As long as it answers. */
  readonly state: DeviceState;
  readonly heardAtMs: number | null;
  readonly firmware: string | null;
  readonly isInterviewed: boolean;
};

/** A node with the property ERR does not answer. */
export function healthWithoutMesh(host: Pick<DriverHost, "seen">, device: KnownDevice): DeviceHealth {
  const { address, firmware, heardAtMs, isInterviewed } = device;
  const properties = host.seen(address)?.properties;
  const state = properties?.get("ERR")?.value === 1 ? "dead" : device.state;
  return {
    ...{ address, state, firmware, isInterviewed, lastSeenAtMs: heardAtMs },
    isResponding: state === "alive" || state === "asleep",
    batteryPercent: properties?.get("BATLVL")?.value ?? null,
    ...{ roundTripMs: null, signalDbm: null, route: null, sent: 0, received: 0, lost: 0, timeouts: 0, mesh: null },
  };
}
