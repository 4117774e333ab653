/** The health of a Zigbee network and its devices, as the bridge and the messages show it. */

import { ControllerError } from "../../errors.ts";
import type { Outcome } from "../command.ts";
import type { Network } from "../network.ts";
import type { DeviceHealth } from "../network-facts.ts";
import { type BrokerDevice, ZIGBEE } from "./broker-devices.ts";
import type { Running } from "./running.ts";

export function createZigbeeNetwork(
  running: () => Running | null,
  query: (address: string, signal: AbortSignal) => Promise<Outcome>,
): Network {
  const now = (): Running => {
    const found = running();
    if (!found) throw new ControllerError("DRIVER_UNAVAILABLE");
    return found;
  };
  const health = (address: string) => {
    const found = now().devices.find(address);
    if (!found) throw new ControllerError("NODE_NOT_FOUND");
    return healthOf(now(), found.device);
  };
  return {
    family: ZIGBEE,
    about() {
      const { devices, sent, received } = now();
      const counts = { sent, received, lost: 0, timeouts: 0 };
      return { firmware: null, nodes: devices.all().length, isJammed: false, ...counts, mesh: null };
    },
    devices: () =>
      now()
        .devices.all()
        .map((device) => healthOf(now(), device)),
    health,
    async ping(address, signal) {
      await query(address, signal);
      return health(address);
    },
    diagnostics() {
      const found = running();
      if (!found) return null;
      const { devices, sent, received } = found;
      return {
        packages: {},
        adapter: { firmware: null, isJammed: false, sent, received, lost: 0, timeouts: 0, mesh: null },
        queues: { underWay: 0, waiting: 0, asleep: {} },
        devices: devices.all().map((device) => ({ ...healthOf(found, device), details: null })),
      };
    },
    troubles: () => running()?.announced.findings() ?? [],
  };
}

function healthOf({ host, devices }: Running, { device, nodes }: BrokerDevice): DeviceHealth {
  const address = nodes[0]?.address ?? "";
  const properties = host.seen(address)?.properties;
  const isSilent = properties?.get("ERR")?.value === 1;
  const heardAtMs = devices.heardAtMs(device.id);
  const state = isSilent ? "dead" : heardAtMs === null ? "unknown" : "alive";
  return {
    address,
    state,
    isResponding: state === "alive",
    batteryPercent: properties?.get("BATLVL")?.value ?? null,
    lastSeenAtMs: heardAtMs,
    roundTripMs: null,
    signalDbm: null,
    route: null,
    firmware: device.firmware,
    sent: 0,
    received: 0,
    lost: 0,
    timeouts: 0,
    isInterviewed: device.isInterviewed,
    mesh: null,
  };
}
