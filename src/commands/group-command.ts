/**
 * A command to a scene, or to everything: fans out to the members, each in its own way, and says honestly what became of it
 * at each. What a member does is decided by its link in the scene's canonical block; when a node is linked twice, native
 * comes before cmd, cmd before default.
 *
 * | link | on (DON, DFON) | any other command |
 * |---|---|---|
 * | native | its own level, or the command's; off when its own level is 0 | as it is |
 * | cmd | the link's command | as it is; nothing when the link's command neither switches on nor off |
 * | default, or none | as it is | as it is |
 * | ignore | nothing | nothing |
 */

import { ControllerError, invariant } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { canonicalLinks, type Group, type LinkParameter, type SceneLink } from "../home/groups.ts";
import { findNode } from "../home/nodes.ts";
import type { NamedParameters } from "../profile/command-meaning.ts";
import { readGroupLevel } from "../profile/command-parameters.ts";
import { SCENE_NODEDEF } from "../profile/predicates.ts";
import { randomId } from "../util/randomness.ts";
import type { CommandReceipt, MemberResult } from "./command-lives.ts";
import {
  acceptsCommand,
  type CommandRequest,
  commandNode,
  type NodeCommandPorts,
  shownCommand,
} from "./node-command.ts";
import { sendTogether } from "./radio/groupcast.ts";

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
  const wishes = Array.from(addresses, (address) => wishFor(address, links.get(address) ?? null, request, level));
  return fanOut(ports, request, wishes, cause, signal);
}

/** The root group: every enabled node that accepts the command. */
export async function commandAll(
  ports: NodeCommandPorts,
  request: CommandRequest,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandReceipt> {
  const level = readLevel(request);
  const wishes = [...ports.home.nodes.values()]
    .filter((node) => node.enabled && acceptsCommand(ports, node, request.command))
    .map((node) => wishFor(node.address, null, request, level));
  if (wishes.length === 0) requireSceneCommand(ports, request);
  return fanOut(ports, request, wishes, cause, signal);
}

type Level = Pick<LinkParameter, "value" | "uom" | "prec">;

/** What one member is asked; `level` is a wish of its own, because not every device takes one. */
type MemberCommand = CommandRequest & {
  readonly skip: boolean;
  readonly level: Level | null;
  readonly ramp: Level | null;
};

const ON: ReadonlySet<string> = new Set(["DON", "DFON"]);
const SWITCHING: ReadonlySet<string> = new Set(["DON", "DFON", "DOF", "DFOF"]);
/** What a device does that knows no fast command. */
const SLOW: Readonly<Record<string, string>> = { DFON: "DON", DFOF: "DOF" };
const OFF: Readonly<Record<string, string>> = { DON: "DOF", DFON: "DFOF" };
const RANK: Readonly<Record<SceneLink["kind"], number>> = { native: 3, cmd: 2, default: 1, ignore: 0 };

function readLevel({ command, segments, named }: CommandRequest): Level | null {
  return ON.has(command) ? readGroupLevel(segments, named) : null;
}

function knows(ports: NodeCommandPorts, address: string, command: string): boolean {
  const node = findNode(ports.home, address);
  return node !== null && acceptsCommand(ports, node, command);
}

/** Where no member is asked, a command of scenes has simply nothing to do; any other one is a mistake. */
function requireSceneCommand({ profile }: NodeCommandPorts, { command }: CommandRequest): void {
  const { nodeDefId, family, instance } = SCENE_NODEDEF;
  const accepts = profile.nodedef(nodeDefId, family, instance)?.accepts ?? [];
  if (accepts.some(({ id }) => id === command)) return;
  throw new ControllerError("COMMAND_NOT_ACCEPTED", {
    sentence: `Neither scenes nor any member accept ${shownCommand(command)}.`,
  });
}

function linksByNode(links: readonly SceneLink[]): ReadonlyMap<string, SceneLink> {
  const byNode = new Map<string, SceneLink>();
  for (const link of links) {
    const known = byNode.get(link.node);
    if (!known || RANK[link.kind] > RANK[known.kind]) byNode.set(link.node, link);
  }
  return byNode;
}

function wishFor(address: string, link: SceneLink | null, request: CommandRequest, level: Level | null): MemberCommand {
  const plain: MemberCommand = { ...request, address, skip: false, level: null, ramp: null };
  const isOn = ON.has(request.command);
  switch (link?.kind) {
    case undefined:
    case "default":
      return isOn ? atLevel(plain, level, null) : plain;
    case "ignore":
      return { ...plain, skip: true };
    case "cmd":
      if (isOn) return { ...plain, command: link.command, segments: [], named: asNamed(link.parameters) };
      return { ...plain, skip: !SWITCHING.has(link.command) };
    case "native": {
      const own = link.parameters.find(({ id }) => id === "OL") ?? null;
      const ramp = link.parameters.find(({ id }) => id === "RR") ?? null;
      return isOn ? atLevel(plain, own?.value === 0 ? own : (level ?? own), ramp) : plain;
    }
  }
}

/** Level 0 is off: relays and older dimmers know no "on at nothing". */
function atLevel(plain: MemberCommand, level: Level | null, ramp: Level | null): MemberCommand {
  const bare = { ...plain, segments: [], named: new Map() };
  if (level?.value === 0) return { ...bare, command: OFF[plain.command] ?? plain.command };
  return { ...bare, level, ramp };
}

function asNamed(parameters: readonly LinkParameter[]): NamedParameters {
  return new Map(
    parameters.map((parameter) => [parameter.id, { value: displayed(parameter), uom: parameter.uom || null }]),
  );
}

function asPair(level: Level): readonly string[] {
  return level.uom === 0 ? [displayed(level)] : [displayed(level), String(level.uom)];
}

function displayed({ value, prec }: Level): string {
  return String(value / 10 ** prec);
}

async function fanOut(
  ports: NodeCommandPorts,
  request: CommandRequest,
  wishes: readonly MemberCommand[],
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandReceipt> {
  const { feed, queue } = ports;
  const { address, command } = request;
  const commandId = randomId(ports.randomness);
  queue.lives.begin(feed, commandId, { address, command }, cause);
  queue.lives.sent(feed, commandId);
  sendTogether(
    ports,
    wishes.filter(({ skip }) => !skip).map((wish) => fitToNode(ports, wish)),
  );
  const members = await Promise.all(wishes.map((wish) => askMember(ports, wish, cause, signal)));
  const failed = members.filter(({ code }) => code !== null);
  const taken = members.filter(({ code, state }) => code === null && state !== "skipped");
  const [first] = failed;
  if (first?.code && taken.length === 0) {
    queue.lives.end(feed, commandId, "failed", first.detail);
    throw new ControllerError(first.code, { sentence: `No member took the command. The first said: ${first.detail}` });
  }
  const detail = failed.length === 0 ? "" : `${taken.length} of ${taken.length + failed.length} members took it.`;
  const { state } = queue.lives.end(feed, commandId, "acknowledged", detail);
  return { commandId, address, command, state, detail, members };
}

async function askMember(
  ports: NodeCommandPorts,
  wish: MemberCommand,
  cause: Cause,
  signal?: AbortSignal,
): Promise<MemberResult> {
  const { address } = wish;
  if (wish.skip) return { address, command: wish.command, state: "skipped", code: null, detail: "" };
  const fitted = fitToNode(ports, wish);
  try {
    const { command, state, detail } = await commandMember(ports, fitted, cause, signal);
    return { address, command, state, code: null, detail };
  } catch (error) {
    invariant(error instanceof ControllerError, "A command fails with an error of the catalogue.");
    return { address, command: fitted.command, state: "failed", code: error.code, detail: error.message };
  }
}

/** A level that the device's editor has no place for is left away: on is better than nothing. */
async function commandMember(ports: NodeCommandPorts, wish: MemberCommand, cause: Cause, signal?: AbortSignal) {
  try {
    return await commandNode(ports, wish, cause, signal);
  } catch (error) {
    const misfit = wish.level && error instanceof ControllerError && error.code === "BAD_PARAMETER";
    if (!misfit) throw error;
    return commandNode(ports, { ...wish, segments: [], named: new Map() }, cause, signal);
  }
}

function fitToNode(ports: NodeCommandPorts, wish: MemberCommand): MemberCommand {
  const node = findNode(ports.home, wish.address);
  if (!node) return wish;
  const slow = SLOW[wish.command];
  const command = slow && !acceptsCommand(ports, node, wish.command) ? slow : wish.command;
  if (!wish.level) return { ...wish, command };
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  if (!nodedef) return { ...wish, command, segments: asPair(wish.level) };
  const parameters = nodedef.accepts.find(({ id }) => id === command)?.parameters ?? [];
  const [first] = parameters;
  if (!first) return { ...wish, command };
  const takesRamp = parameters.some(({ id }) => id === "RR");
  const ramp = wish.ramp && takesRamp ? [{ ...wish.ramp, id: "RR" }] : [];
  return { ...wish, command, named: asNamed([{ ...wish.level, id: first.id }, ...ramp]) };
}
