/**
 * Groups of Zigbee2MQTT become scenes of the home, once each: a scene that its owner changes or removes is theirs. A group whose members
 * change is proposed again.
 */

import { isRecord } from "../../util/is-record.ts";
import type { DriverHost } from "../driver.ts";
import type { BrokerDevices } from "./broker-devices.ts";

const PROPOSED = "groups";
const GROUPS_MAX = 200;
const MEMBERS_MAX = 200;

/** @param listed the JSON of `bridge/groups` */
export function proposeGroups(host: DriverHost, devices: BrokerDevices, listed: unknown): void {
  const stored = host.store.get(PROPOSED);
  const before: Readonly<Record<string, unknown>> = isRecord(stored) ? stored : {};
  const proposed: Record<string, string> = {};
  for (const group of Array.isArray(listed) ? listed.slice(0, GROUPS_MAX) : []) {
    if (!isRecord(group) || !Number.isInteger(group.id)) continue;
    const id = String(group.id);
    const addresses = membersOf(devices, group.members);
    if (addresses === null) {
      if (typeof before[id] === "string") proposed[id] = before[id];
      continue;
    }
    proposed[id] = addresses.join(" ");
    if (addresses.length === 0 || before[id] === proposed[id]) continue;
    const name = typeof group.friendly_name === "string" ? group.friendly_name.slice(0, 200) : "";
    const members = addresses.map((address) => ({ address, isController: false }));
    const links = addresses.map((node) => ({ kind: "default", node }) as const);
    host.proposeScene({ name, deviceGroup: null, members, blocks: [{ controller: null, links }] });
  }
  host.store.set(PROPOSED, proposed);
}

/** Nodes of the members; null while one of them is not known. */
function membersOf(devices: BrokerDevices, listed: unknown): readonly string[] | null {
  const addresses = new Set<string>();
  for (const member of Array.isArray(listed) ? listed.slice(0, MEMBERS_MAX) : []) {
    const { ieee_address: id } = isRecord(member) ? member : {};
    const node = typeof id === "string" ? devices.ofId(id)?.nodes[0] : undefined;
    if (!node) return null;
    addresses.add(node.address);
  }
  return [...addresses].sort();
}
