/**
 * Associations: a device sends On and Off to the members of one of its groups by itself. Which group carries a link, and what
 * the device holds now, is read from what the interview found.
 */

import { notificationPart, scenePart } from "../addresses.ts";
import type { FoundNode } from "../devices.ts";
import type { ZWaveLibrary } from "../library.ts";
import { CC } from "../plan/command-class-table.ts";
import type { RunningRadio } from "../radio.ts";

type Groups = ReturnType<RunningRadio["stack"]["controller"]["getAssociationGroups"]>;
type Group = NonNullable<ReturnType<Groups["get"]>>;
type Endpoint = { readonly nodeId: number; readonly endpoint: number };

/** A member of an association group, as plain data. */
export type Association = { readonly source: Endpoint; readonly group: number; readonly target: Endpoint };

/** The association that carries a link, with the commands that it carries, or the reason why none can. */
export type Carrier =
  | { readonly association: Association; readonly carries: readonly string[] }
  | { readonly refusal: string };

type Network = Pick<RunningRadio, "library" | "stack">;

/** @param senders nodes of the controller's endpoint that send On */
export function findCarrier(
  network: Network,
  controller: FoundNode,
  responder: FoundNode,
  senders: readonly FoundNode[],
): Carrier {
  const refusal = refusalOfSource(controller, senders) ?? refusalOfTarget(controller, responder);
  if (refusal) return { refusal };
  const source = endpointOf(controller);
  const groups = [...groupsOf(network, source)].filter(([, group]) => switches(group) && fitsPart(group, controller));
  if (groups.length === 0) return { refusal: NO_GROUP };
  const target = endpointOf(responder);
  const checked = groups.map(([number, group]) => {
    const association = { source, group: number, target };
    return { association, group, problem: problemOf(network, association, group) };
  });
  const usable = checked.find(({ problem }) => problem === null);
  if (!usable) return { refusal: checked[0]?.problem ?? NO_GROUP };
  return { association: usable.association, carries: carriedBy(usable.group) };
}

export function isStored({ stack }: Network, { source, group, target }: Association): boolean {
  try {
    const members = stack.controller.getAssociations(source).get(group) ?? [];
    return members.some(({ nodeId, endpoint = 0 }) => nodeId === target.nodeId && endpoint === target.endpoint);
  } catch {
    // The device is gone, or its interview is not over.
    return false;
  }
}

/** Settles when the device has reported its associations. @throws the library's errors */
export async function writeAssociation({ stack }: Network, association: Association, isWanted: boolean): Promise<void> {
  const { source, group, target } = association;
  const { controller } = stack;
  const member = target.endpoint === 0 ? { nodeId: target.nodeId } : target;
  if (isWanted) await controller.addAssociations(source, group, [member]);
  else await controller.removeAssociations(source, group, [member]);
}

const NO_GROUP = "The device has no association group that is known to send On and Off.";

function endpointOf({ device, plan }: FoundNode): Endpoint {
  return { nodeId: device.id, endpoint: plan.endpoint };
}

function refusalOfSource({ plan }: FoundNode, senders: readonly FoundNode[]): string | null {
  if (plan.part >= scenePart(0)) return "The button reports to the controller only.";
  const isSender = plan.sends.includes("DON") && (plan.part === 0 || senders.length === 1);
  return isSender ? null : "The device does not send On and Off for this node alone.";
}

/** Only switches and levels: a lock or a garage door never gets an unconfirmed command. */
const TARGETS: readonly number[] = [CC.binarySwitch, CC.multilevelSwitch];
const NEVER: readonly number[] = [CC.doorLock, CC.lock, CC.barrierOperator];

function refusalOfTarget(controller: FoundNode, { device, plan }: FoundNode): string | null {
  if (controller.device.id === device.id) return "A device cannot be linked with itself.";
  const endpoint = device.getEndpoint(plan.endpoint);
  const supports = (cc: number) => endpoint?.supportsCC(cc) === true;
  const isSwitched = plan.part === 0 && plan.commands.some(({ id }) => id === "DON");
  return isSwitched && TARGETS.some(supports) && !NEVER.some(supports)
    ? null
    : "The responder is not a switch or a dimmer.";
}

function groupsOf({ stack }: Network, source: Endpoint): Groups {
  try {
    return stack.controller.getAssociationGroups(source);
  } catch {
    return new Map();
  }
}

const BASIC_SET = 1;
const SET = 1;
const START = 4;
const STOP = 5;
const SWITCHED = ["DON", "DOF"];
/** Effect of a command class of the group on a responder. */
const CARRIED: readonly { readonly cc: number; readonly command: number; readonly carries: readonly string[] }[] = [
  { cc: CC.basic, command: BASIC_SET, carries: SWITCHED },
  { cc: CC.binarySwitch, command: SET, carries: SWITCHED },
  { cc: CC.multilevelSwitch, command: SET, carries: SWITCHED },
  { cc: CC.multilevelSwitch, command: START, carries: ["FDUP", "FDDOWN"] },
  { cc: CC.multilevelSwitch, command: STOP, carries: ["FDSTOP"] },
];

function carriedBy({ issuedCommands }: Group): readonly string[] {
  const issued = CARRIED.filter(({ cc, command }) => issuedCommands?.get(cc)?.includes(command) === true);
  return [...new Set(issued.flatMap(({ carries }) => carries))];
}

function switches(group: Group): boolean {
  return !group.isLifeline && carriedBy(group).includes("DON");
}

const PROFILE_KIND = 0xff00;
const NOTIFICATION_PROFILE = 0x7100;

/** A group of one kind of notification belongs to its node. */
function fitsPart({ profile = 0 }: Group, { plan }: FoundNode): boolean {
  const isNotification = (profile & PROFILE_KIND) === NOTIFICATION_PROFILE;
  return !isNotification || notificationPart(profile & ~PROFILE_KIND) === plan.part;
}

function problemOf(network: Network, association: Association, group: Group): string | null {
  const { source, target } = association;
  if (isStored(network, association)) return null;
  if (target.endpoint > 0 && !group.multiChannel)
    return "Its association group takes whole devices, not their outlets.";
  const members = network.stack.controller.getAssociations(source).get(association.group) ?? [];
  if (members.length >= group.maxNodes) return `Its association group is full (${group.maxNodes} devices).`;
  const member = target.endpoint === 0 ? { nodeId: target.nodeId } : target;
  const result = network.stack.controller.checkAssociation(source, association.group, member);
  return refusalOf(network.library, result);
}

type Result = ReturnType<RunningRadio["stack"]["controller"]["checkAssociation"]>;

function refusalOf({ AssociationCheckResult: Check }: ZWaveLibrary, result: Result): string | null {
  switch (result) {
    case Check.OK:
      return null;
    case Check.Forbidden_DestinationIsLongRange:
    case Check.Forbidden_SourceIsLongRange:
      return "Long Range devices cannot command each other.";
    case Check.Forbidden_SelfAssociation:
      return "A device cannot be linked with itself.";
    case Check.Forbidden_SecurityClassMismatch:
    case Check.Forbidden_DestinationSecurityClassNotGranted:
      return "The two devices are not encrypted with the same keys.";
    case Check.Forbidden_NoSupportedCCs:
      return "The responder does not understand the commands of the association group.";
  }
}
