/** The health of the Matter devices, as their subscriptions show it. */

import type { Outcome } from "../command.ts";
import type { Network } from "../network.ts";
import type { DeviceState } from "../network-facts.ts";
import { healthWithoutMesh, networkWithoutMesh } from "../network-without-mesh.ts";
import type { PeerLink } from "./controller-messages.ts";
import { MATTER, type MatterDevice, type MatterUnit } from "./matter-devices.ts";
import type { Running } from "./running.ts";

const STATES: Readonly<Record<PeerLink, DeviceState>> = { online: "alive", asleep: "asleep", lost: "dead" };

export function createMatterNetwork(
  running: () => Running | null,
  query: (address: string, signal: AbortSignal) => Promise<Outcome>,
): Network {
  return networkWithoutMesh({
    family: MATTER,
    query,
    troubles: () => [],
    shown() {
      const found = running();
      if (!found) return null;
      const { devices, sleepers, isReady, sent, received } = found;
      return {
        ...{ isReady, sent, received, asleep: () => sleepers.load },
        devices: () => devices.all().flatMap((device) => device.units.map((unit) => healthOf(found, device, unit))),
        health(address) {
          const known = devices.find(address);
          return known ? healthOf(found, known.device, known.unit) : null;
        },
      };
    },
  });
}

function healthOf({ host }: Running, { link, heardAtMs }: MatterDevice, { nodes, firmware }: MatterUnit) {
  const state = link === null ? "unknown" : STATES[link];
  return healthWithoutMesh(host, { address: nodes[0]?.address ?? "", state, heardAtMs, firmware, isInterviewed: true });
}
