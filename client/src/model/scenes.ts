/** The state of a scene, from its members. */

import { isTurnedOn } from "./command-words.ts";
import type { GroupRecord, NodeRecord } from "./records.ts";
import type { HomeState } from "./state.ts";
import { subsetSize } from "./subset.ts";

/** Nodedefs without a state: motion sensors, remote controllers, binary alarms. */
const STATELESS: ReadonlySet<string> = new Set([
  ...["BinaryAlarm", "BinaryAlarm_ADV", "BinaryControl", "BinaryControl_ADV"],
  ...["RemoteLinc2", "RemoteLinc2_ADV", "DimmerSwitchOnly"],
]);
const CHOICE_MAX = 2;

/** The state of a scene, from its members: Home, Scenes and the command line use this rule. */
export function membersOn(state: HomeState, group: GroupRecord): { readonly on: number; readonly counted: number } {
  const counted = countedMembers(state, group);
  return { on: counted.filter((node) => node !== undefined && isOn(node)).length, counted: counted.length };
}

export function isAnyOn(state: HomeState, group: GroupRecord): boolean {
  return membersOn(state, group).on > 0;
}

export function isAllOn(state: HomeState, group: GroupRecord): boolean {
  const { on, counted } = membersOn(state, group);
  return counted > 0 && on === counted;
}

export function hasStateTarget({ targetsResolved, intents }: GroupRecord): boolean {
  return !targetsResolved || [...intents.values()].some((intent) => intent !== "discard");
}

export function hasDimmableMembers(state: HomeState, group: GroupRecord): boolean {
  return group.members.some((address) => {
    const node = state.nodes.get(address);
    return node !== undefined && isDimmable(state, node);
  });
}

/** Takes a level with DON, and its state is more than a choice of two. */
function isDimmable({ profile }: HomeState, { nodeDefId, family, instance }: NodeRecord): boolean {
  const nodedef = profile.nodedef(nodeDefId, family, instance);
  const takesLevel = nodedef?.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);
  const status = nodedef?.properties.find(({ id }) => id === "ST");
  if (!takesLevel || !status) return false;
  const [first] = profile.ranges(status.editor, family, instance);
  if (!first || (subsetSize(first) ?? Number.POSITIVE_INFINITY) <= CHOICE_MAX) return false;
  return (first.max ?? 0) > 1;
}

/** The members that the scene switches on, or all while its links are unknown; `undefined` for a missing node. */
function countedMembers(state: HomeState, group: GroupRecord): readonly (NodeRecord | undefined)[] {
  const addresses = group.targetsResolved
    ? [...group.intents].filter(([, intent]) => intent === "on").map(([address]) => address)
    : group.members;
  return addresses.map((address) => state.nodes.get(address)).filter((node) => !node || !STATELESS.has(node.nodeDefId));
}

/** As On leaves it: a value that is missing or not known is not. */
function isOn(node: NodeRecord): boolean {
  const status = node.properties.get("ST");
  const text = status?.value.trim() ?? "";
  return (
    status !== undefined && text !== "" && isTurnedOn(Number(status.uom), Number(text) / 10 ** status.prec) === true
  );
}
