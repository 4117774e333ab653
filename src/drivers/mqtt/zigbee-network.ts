/** The health of a Zigbee network and its devices, as the bridge and the messages show it. */

import type { Outcome } from "../command.ts";
import { type NumberedDevice, ZIGBEE } from "../exposed/numbered-devices.ts";
import type { Network } from "../network.ts";
import type { NetworkTrouble } from "../network-facts.ts";
import { healthWithoutMesh, networkWithoutMesh } from "../network-without-mesh.ts";
import type { ZigbeeBridge } from "./zigbee-bridge.ts";

export function createZigbeeNetwork(
  running: () => ZigbeeBridge | null,
  announcedTroubles: () => readonly NetworkTrouble[],
  query: (address: string, signal: AbortSignal) => Promise<Outcome>,
): Network {
  return networkWithoutMesh({
    family: ZIGBEE,
    query,
    troubles: () => [...(running()?.devices.findings() ?? []), ...announcedTroubles()],
    shown() {
      const found = running();
      if (!found) return null;
      const { devices, sent, received } = found;
      return {
        ...{ isReady: true, sent, received, asleep: () => ({}) },
        devices: () => devices.all().map((device) => healthOf(found, device)),
        health(address) {
          const device = devices.find(address)?.device;
          return device ? healthOf(found, device) : null;
        },
      };
    },
  });
}

function healthOf({ host, devices }: ZigbeeBridge, { device, nodes }: NumberedDevice) {
  const heardAtMs = devices.heardAtMs(device.id);
  const { firmware, isInterviewed } = device;
  const address = nodes[0]?.address ?? "";
  return healthWithoutMesh(host, {
    ...{ address, heardAtMs, firmware, isInterviewed },
    state: heardAtMs === null ? "unknown" : "alive",
  });
}
