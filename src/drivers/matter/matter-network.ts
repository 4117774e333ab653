/** The health of the Matter devices, as their subscriptions show it. */

import { ControllerError } from "../../errors.ts";
import type { Outcome } from "../command.ts";
import type { Network } from "../network.ts";
import type { DeviceHealth, DeviceState } from "../network-facts.ts";
import type { PeerLink } from "./controller-messages.ts";
import { MATTER, type MatterDevice, type MatterUnit } from "./matter-devices.ts";
import type { Running } from "./running.ts";

const STATES: Readonly<Record<PeerLink, DeviceState>> = { online: "alive", asleep: "asleep", lost: "dead" };

export function createMatterNetwork(
  running: () => Running | null,
  query: (address: string, signal: AbortSignal) => Promise<Outcome>,
): Network {
  const now = (): Running => {
    const found = running();
    if (!found?.isReady) throw new ControllerError("DRIVER_UNAVAILABLE");
    return found;
  };
  const health = (address: string) => {
    const found = now().devices.find(address);
    if (!found) throw new ControllerError("NODE_NOT_FOUND");
    return healthOf(now(), found.device, found.unit);
  };
  const devices = (found: Running) =>
    found.devices.all().flatMap((device) => device.units.map((unit) => healthOf(found, device, unit)));
  return {
    family: MATTER,
    about() {
      const { sent, received } = now();
      const counts = { sent, received, lost: 0, timeouts: 0 };
      return { firmware: null, nodes: devices(now()).length, isJammed: false, ...counts, mesh: null };
    },
    devices: () => devices(now()),
    health,
    async ping(address, signal) {
      await query(address, signal);
      return health(address);
    },
    diagnostics() {
      const found = running();
      if (!found) return null;
      const { sent, received, sleepers } = found;
      return {
        packages: {},
        adapter: { firmware: null, isJammed: false, sent, received, lost: 0, timeouts: 0, mesh: null },
        queues: { underWay: 0, waiting: 0, asleep: sleepers.counts() },
        devices: devices(found).map((each) => ({ ...each, details: null })),
      };
    },
    troubles: () => [],
  };
}

function healthOf({ host }: Running, device: MatterDevice, { nodes, firmware }: MatterUnit): DeviceHealth {
  const address = nodes[0]?.address ?? "";
  const properties = host.seen(address)?.properties;
  const isSilent = properties?.get("ERR")?.value === 1;
  const state = isSilent ? "dead" : device.link === null ? "unknown" : STATES[device.link];
  return {
    ...{ address, state, firmware, lastSeenAtMs: device.heardAtMs },
    isResponding: state === "alive" || state === "asleep",
    batteryPercent: properties?.get("BATLVL")?.value ?? null,
    ...{ roundTripMs: null, signalDbm: null, route: null, sent: 0, received: 0, lost: 0, timeouts: 0 },
    ...{ isInterviewed: true, mesh: null },
  };
}
