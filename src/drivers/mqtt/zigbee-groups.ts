/**
 * Groups of Zigbee2MQTT become scenes of the home, once each: a scene that its owner changes or removes is theirs. A group whose members
 * change is proposed again.
 */

import { isRecord } from "../../util/is-record.ts";
import type { DriverHost } from "../driver.ts";
import type { Message } from "../exposed/feature.ts";
import type { NumberedDevices, NumberedNode } from "../exposed/numbered-devices.ts";

const PROPOSED = "groups";
const GROUPS_MAX = 200;
const MEMBERS_MAX = 200;
/** Categories of lamps, outlets and switches. */
const TOGETHER: ReadonlySet<number> = new Set([119, 120, 121]);

/** @param listed the JSON of `bridge/groups` */
export function proposeGroups(host: DriverHost, devices: NumberedDevices, listed: unknown): void {
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

type Told = { readonly node: NumberedNode; readonly message: Message };

/**
 * Groups whose members are all told the same, the larger ones first, and no member twice: one message makes them move together.
 *
 * @param listed the JSON of `bridge/groups`
 */
export function groupMessages(
  devices: NumberedDevices,
  listed: unknown,
  told: readonly Told[],
): readonly { readonly topic: string; readonly message: Message }[] {
  const byAddress = new Map(told.filter(canBeTold).map((each) => [each.node.address, each.message]));
  const groups = (Array.isArray(listed) ? listed.slice(0, GROUPS_MAX) : [])
    .flatMap((group) => (isRecord(group) && typeof group.friendly_name === "string" ? [group] : []))
    .map((group) => ({ topic: String(group.friendly_name), members: membersOf(devices, group.members) ?? [] }))
    .toSorted((a, b) => b.members.length - a.members.length);
  return groups.flatMap(({ topic, members }) => {
    const messages = members.map((address) => byAddress.get(address));
    const [message] = messages;
    const isSame = messages.every((each) => JSON.stringify(each) === JSON.stringify(message));
    if (members.length < 2 || !message || !isSame) return [];
    for (const address of members) byAddress.delete(address);
    return [{ topic, message }];
  });
}

/** Lamps and switches that go to a state: a step would be made twice, and a lock is never told without an answer. */
function canBeTold({ node, message }: Told): boolean {
  return (
    TOGETHER.has(node.plan.category) && Object.keys(message).every((key) => key === "state" || key === "brightness")
  );
}

/** Nodes of the members; null while one of them is not known. */
function membersOf(devices: NumberedDevices, listed: unknown): readonly string[] | null {
  const addresses = new Set<string>();
  for (const member of Array.isArray(listed) ? listed.slice(0, MEMBERS_MAX) : []) {
    const { ieee_address: id } = isRecord(member) ? member : {};
    const node = typeof id === "string" ? devices.ofId(id)?.nodes[0] : undefined;
    if (!node) return null;
    addresses.add(node.address);
  }
  return [...addresses].sort();
}
