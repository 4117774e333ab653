/**
 * A command to a scene or to all nodes: sent to each member as its link says, with the outcome at each. The link in
 * the scene's canonical block decides. When a node is linked twice, native has priority over cmd, and cmd over
 * default.
 *
 * | link | on (DON, DFON) | any other command |
 * |---|---|---|
 * | native | its own level, or the command's; off when its own level is 0 | unchanged |
 * | cmd | the link's command | unchanged; nothing when the link's command neither switches on nor off |
 * | default, or none | unchanged | unchanged |
 * | ignore | nothing | nothing |
 *
 * A member that takes no such command, and whose device follows the scene by itself, is left to its driver.
 */

import type { Driver } from "../drivers/driver.ts";
import { ControllerError, ifAccepted } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { canonicalLinks, type Group, linksByNode, type SceneLink } from "../home/groups.ts";
import { findNode } from "../home/nodes.ts";
import { type ParameterValue, resolveGroupLevel } from "../profile/command-resolver.ts";
import type { EditorValue } from "../profile/editor-value.ts";
import { SCENE_NODEDEF } from "../profile/predicates.ts";
import { randomId } from "../util/randomness.ts";
import type { CommandReceipt, MemberCount, MemberResult } from "./command-lives.ts";
import { isHeldForScene } from "./device-links.ts";
import {
  acceptsCommand,
  type CommandRequest,
  driverOfNode,
  type NodeCommand,
  type NodeCommandPorts,
  resolveNodeCommand,
  sendNodeCommand,
  shownCommand,
  withFadeDirection,
} from "./node-command.ts";

/** @throws ControllerError the first member's failure when no member took the command; BAD_PARAMETER for a bad level. */
export async function commandGroup(
  ports: NodeCommandPorts,
  group: Group,
  request: CommandRequest,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandReceipt> {
  const level = readLevel(request);
  const links = linksByNode(canonicalLinks(group));
  const addresses = new Set(group.members.map((member) => member.address));
  if (![...addresses].some((address) => knows(ports, address, request.command))) requireSceneCommand(ports, request);
  const fading = [...addresses].filter((address) => knows(ports, address, request.command));
  const directed = withFadeDirection(ports, request, fading);
  const isShowing = (address: string) =>
    !knows(ports, address, request.command) && isHeldForScene(ports, group, address);
  const requests = Array.from(addresses, (address) => {
    const member = memberRequest(address, links.get(address), directed, level);
    return { ...member, skip: member.skip || isShowing(address) };
  });
  return fanOut(ports, request, requests, cause, signal);
}

/** The root group: every enabled node that accepts the command. */
export async function commandAll(
  ports: NodeCommandPorts,
  request: CommandRequest,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandReceipt> {
  const level = readLevel(request);
  const accepting = [...ports.home.nodes.values()]
    .filter((node) => node.enabled && acceptsCommand(ports, node, request.command))
    .map(({ address }) => address);
  const directed = withFadeDirection(ports, request, accepting);
  const requests = accepting.map((address) => memberRequest(address, undefined, directed, level));
  if (requests.length === 0) requireSceneCommand(ports, request);
  return fanOut(ports, request, requests, cause, signal);
}

/** The action of one member. Level and ramp are separate because not every device accepts them. */
type MemberRequest = CommandRequest & {
  readonly skip: boolean;
  readonly level: EditorValue | null;
  readonly ramp: EditorValue | null;
};

const ON: ReadonlySet<string> = new Set(["DON", "DFON"]);
const SWITCHING: ReadonlySet<string> = new Set(["DON", "DFON", "DOF", "DFOF"]);
/** The replacement for a fast command at devices without one. */
const SLOW: Readonly<Record<string, string>> = { DFON: "DON", DFOF: "DOF" };
const OFF: Readonly<Record<string, string>> = { DON: "DOF", DFON: "DFOF" };

function readLevel({ command, parameters }: CommandRequest): EditorValue | null {
  return ON.has(command) ? resolveGroupLevel(parameters) : null;
}

function knows(ports: NodeCommandPorts, address: string, command: string): boolean {
  const node = findNode(ports.home, address);
  return node !== null && acceptsCommand(ports, node, command);
}

/** When no member is concerned, a scene command has nothing to do; any other command is a mistake. */
function requireSceneCommand({ profile }: NodeCommandPorts, { command }: CommandRequest): void {
  const { nodeDefId, family, instance } = SCENE_NODEDEF;
  const accepts = profile.nodedef(nodeDefId, family, instance)?.accepts ?? [];
  if (accepts.some(({ id }) => id === command)) return;
  throw new ControllerError("COMMAND_NOT_ACCEPTED", `Neither scenes nor any member accept ${shownCommand(command)}.`);
}

function memberRequest(
  address: string,
  link: SceneLink | undefined,
  request: CommandRequest,
  level: EditorValue | null,
): MemberRequest {
  const plain: MemberRequest = { ...request, address, skip: false, level: null, ramp: null };
  const isOn = ON.has(request.command);
  switch (link?.kind) {
    case undefined:
    case "default":
      return isOn ? atLevel(plain, level, null) : plain;
    case "ignore":
      return { ...plain, skip: true };
    case "cmd":
      if (isOn) return { ...plain, command: link.command, parameters: link.parameters };
      return { ...plain, skip: !SWITCHING.has(link.command) };
    case "native": {
      const own = link.parameters.find(({ id }) => id === "OL") ?? null;
      const ramp = link.parameters.find(({ id }) => id === "RR") ?? null;
      return isOn ? atLevel(plain, own?.value === 0 ? own : (level ?? own), ramp) : plain;
    }
  }
}

/** Level 0 is off: relays and older dimmers know no "on at nothing". */
function atLevel(plain: MemberRequest, level: EditorValue | null, ramp: EditorValue | null): MemberRequest {
  const bare = { ...plain, parameters: [] };
  if (level?.value === 0) return { ...bare, command: OFF[plain.command] ?? plain.command };
  return { ...bare, level, ramp };
}

async function fanOut(
  ports: NodeCommandPorts,
  request: CommandRequest,
  requests: readonly MemberRequest[],
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandReceipt> {
  const { feed, queue } = ports;
  const { address, command } = request;
  const commandId = randomId(ports.randomness);
  queue.lives.begin(feed, commandId, { address, command }, cause);
  queue.lives.sent(commandId);
  const resolved = requests.map((member) => resolveMember(ports, member));
  sendTogether(
    ports,
    resolved.filter((member) => "kind" in member),
  );
  const members = await Promise.all(
    resolved.map((member) => ("kind" in member ? sendToMember(ports, member, cause, signal) : member)),
  );
  const failed = members.filter(({ code }) => code !== null);
  const taken = members.filter(({ code, state }) => code === null && state !== "skipped");
  const count = { accepted: taken.length, all: taken.length + failed.length };
  const [first] = failed;
  if (first?.code && taken.length === 0) {
    queue.lives.end(feed, commandId, "failed", first.detail, count);
    throw new ControllerError(first.code, `No member accepted the command. The first error: ${first.detail}`);
  }
  const detail = failed.length === 0 ? "" : membersSentence(count);
  const { state } = queue.lives.end(feed, commandId, "acknowledged", detail, count);
  return { commandId, address, command, state, detail, members };
}

/** For accounts that may not see the members too. */
export function membersSentence({ accepted, all }: MemberCount): string {
  return `${accepted} of ${all} members accepted it.`;
}

/** The command to the member, or its result when nothing is sent. */
function resolveMember(ports: NodeCommandPorts, request: MemberRequest): NodeCommand | MemberResult {
  const { address } = request;
  if (request.skip) return { address, command: request.command, state: "skipped", code: null, detail: "" };
  const fitted = fitToNode(ports, request);
  try {
    return resolveFitted(ports, fitted);
  } catch (error) {
    return failedMember(fitted, error);
  }
}

/** A level that the device's editor has no place for is left away: on is better than nothing. */
function resolveFitted(ports: NodeCommandPorts, request: MemberRequest): NodeCommand {
  try {
    return resolveNodeCommand(ports, request);
  } catch (error) {
    const isMisfit = request.level && error instanceof ControllerError && error.code === "BAD_PARAMETER";
    if (!isMisfit) throw error;
    return resolveNodeCommand(ports, { ...request, parameters: [] });
  }
}

async function sendToMember(
  ports: NodeCommandPorts,
  member: NodeCommand,
  cause: Cause,
  signal?: AbortSignal,
): Promise<MemberResult> {
  try {
    const { address, command, state, detail } = await sendNodeCommand(ports, member, cause, signal);
    return { address, command, state, code: null, detail };
  } catch (error) {
    return failedMember(member, error);
  }
}

function failedMember({ address, command }: Pick<CommandRequest, "address" | "command">, error: unknown): MemberResult {
  if (!(error instanceof ControllerError)) throw error;
  return { address, command, state: "failed", code: error.code, detail: error.message };
}

/** The level goes to the first parameter, the ramp to the parameter RR, where the device has them. */
function fitToNode(ports: NodeCommandPorts, request: MemberRequest): MemberRequest {
  const node = findNode(ports.home, request.address);
  if (!node) return request;
  const slow = SLOW[request.command];
  const command = slow && !acceptsCommand(ports, node, request.command) ? slow : request.command;
  if (!request.level) return { ...request, command };
  const level: ParameterValue = { ...request.level, id: "" };
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  if (!nodedef) return { ...request, command, parameters: [level] };
  const takes = nodedef.accepts.find(({ id }) => id === command)?.parameters ?? [];
  if (takes.length === 0) return { ...request, command };
  const takesRamp = takes.some(({ id }) => id === "RR");
  const ramp = request.ramp && takesRamp ? [{ ...request.ramp, id: "RR" }] : [];
  return { ...request, command, parameters: [level, ...ramp] };
}

/**
 * The members of a scene commanded together, where their driver can, before each is commanded by itself: they move together,
 * and the outcome of each is still known. Nothing waits for the multicast, and it has no outcome of its own.
 */
function sendTogether(ports: Pick<NodeCommandPorts, "home" | "drivers">, commands: readonly NodeCommand[]): void {
  const byDriver = new Map<Driver, NodeCommand[]>();
  for (const command of commands) {
    const isMeant = command.kind !== "query" && findNode(ports.home, command.address)?.enabled === true;
    // null while the driver is down; the member's own command fails with the reason.
    const driver = isMeant ? ifAccepted(() => driverOfNode(ports, command.address)) : null;
    if (driver?.groupcast) byDriver.set(driver, [...(byDriver.get(driver) ?? []), command]);
  }
  for (const [driver, together] of byDriver) driver.groupcast?.(together);
}
