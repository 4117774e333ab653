/**
 * The devices of a twin as the virtual driver plays them: from the values in the home and the nodedef of every node.
 */

import type { PlayedDevice } from "../drivers/virtual/played-device.ts";
import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import { PLAYING_DRIVER } from "../home/without-device.ts";
import type { Profile } from "../profile/profile.ts";
import { roleOf } from "../profile/roles.ts";

/** A device's first node comes before its others. */
export function playedDevices(home: Home, profile: Profile): readonly PlayedDevice[] {
  const nodes = [...home.nodes.values()].filter(({ driver }) => driver === PLAYING_DRIVER);
  const rank = (node: Node) => (node.primary === node.address ? 0 : 1);
  return nodes.sort((a, b) => rank(a) - rank(b)).map((node) => playedDevice(node, profile));
}

/** Plays a device again after another driver had it. */
export function findPlayedDevice(home: Home, profile: Profile, address: string): PlayedDevice | null {
  const node = home.nodes.get(address);
  return node?.driver === PLAYING_DRIVER ? playedDevice(node, profile) : null;
}

function playedDevice(node: Node, profile: Profile): PlayedDevice {
  const { address, name, nodeDefId, family, instance, type, primary, devtype } = node;
  return {
    spec: { address, name, nodeDefId, family, instance, type, primary, devtype },
    nodedef: profile.nodedef(nodeDefId, family, instance),
    role: roleOf(profile, node),
    editor: (id) => profile.editor(id, family, instance),
    properties: [...node.properties.values()],
  };
}
