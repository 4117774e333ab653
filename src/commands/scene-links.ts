/**
 * Links of scenes: what a node does in a scene, as its own kind of link where it has one, else as a command. Levels and
 * ramps as people say them become what the node's editors take.
 */

import { ControllerError } from "../errors.ts";
import type { LinkParameter, SceneLink } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import { isTurnedOn } from "../profile/command-words.ts";
import { convertUnit } from "../profile/convert-unit.ts";
import { acceptValue, describeEditor } from "../profile/editor-value.ts";
import type { Linkdef } from "../profile/linkdef.ts";
import type { CommandDefinition, Nodedef } from "../profile/nodedef.ts";
import type { Profile } from "../profile/profile.ts";
import { nearestRamp } from "../profile/ramps.ts";
import { UOM } from "../profile/uom.ts";

type LinkPorts = {
  readonly home: Pick<Home, "nodes">;
  readonly profile: Pick<Profile, "nodedef" | "instance" | "editor">;
};

/** The target of a member. `rampS`: seconds; null: the device's own ramp. */
type LinkTarget = { readonly levelPercent: number; readonly rampS: number | null };

/** null: as it was, else as `FULL_ON`. */
export type GivenTarget = { readonly levelPercent: number | null; readonly rampS: number | null };

export type NodeRoles = { readonly availableAsController: boolean; readonly availableAsResponder: boolean };

/** Level and ramp of a link without values: on, in half a second where the link requires a ramp. */
const FULL_ON: LinkTarget = { levelPercent: 100, rampS: null };
const DEFAULT_RAMP_S = 0.5;
const LEVEL = "OL";
const RAMP = "RR";

/** Commands that are about a device itself: a sensor accepts them too. */
const CARE: ReadonlySet<string> = new Set(["QUERY", "WDU", "BEEP", "CONFIG", "DISCOVER"]);

/** Whether the nodedef of a node sends commands, and accepts some. A node with an unknown nodedef can be both. */
export function rolesOf({ profile }: Pick<LinkPorts, "profile">, node: Node): NodeRoles {
  const nodedef = nodedefOf({ profile }, node);
  if (!nodedef) return { availableAsController: true, availableAsResponder: true };
  const { controlLinks, respondLinks, sends, accepts } = nodedef;
  return {
    availableAsController: controlLinks.length > 0 || sends.length > 0,
    availableAsResponder: respondLinks.length > 0 || accepts.some(({ id }) => !CARE.has(id)),
  };
}

/** The link that a node gets when it becomes a responder. */
export function firstLink(ports: LinkPorts, address: string): SceneLink {
  const node = requireNode(ports, address);
  return nativeLinkdef(ports, node) ? newLink(ports, address, FULL_ON) : { kind: "default", node: address };
}

/**
 * @param before the link that this one replaces: level and ramp that are not given stay.
 * @throws ControllerError NODE_NOT_FOUND; BAD_PARAMETER when the node takes no such level or ramp; COMMAND_NOT_ACCEPTED when
 * it cannot be switched.
 */
export function linkTo(
  ports: LinkPorts,
  address: string,
  given: GivenTarget,
  before: SceneLink | null = null,
): SceneLink {
  const levelPercent = given.levelPercent ?? levelOf(before) ?? FULL_ON.levelPercent;
  const link = newLink(ports, address, { levelPercent, rampS: given.rampS });
  return given.rampS === null ? withRampOf(link, before) : link;
}

function newLink(ports: LinkPorts, address: string, target: LinkTarget): SceneLink {
  const node = requireNode(ports, address);
  const linkdef = nativeLinkdef(ports, node);
  if (linkdef) {
    const parameters = linkdef.parameters.flatMap((each) => nativeParameter(ports, node, each, target) ?? []);
    requireRamp(node, target, linkdef.parameters);
    return { kind: "native", node: address, linkdef: linkdef.id, parameters };
  }
  const accepts = nodedefOf(ports, node)?.accepts ?? [];
  const command = accepts.find(({ id }) => id === (target.levelPercent === 0 ? "DOF" : "DON"));
  if (!command) {
    const sentence = `${node.name} cannot be switched on and off; give it a command instead.`;
    throw new ControllerError("COMMAND_NOT_ACCEPTED", sentence);
  }
  return {
    kind: "cmd",
    node: address,
    command: command.id,
    parameters: commandParameters(ports, node, command, target),
  };
}

/** The current state of the node as a target; null when its value is unknown or not a level. */
export function targetNow(node: Node): LinkTarget | null {
  const status = node.properties.get("ST");
  if (!status || status.value === null) return null;
  const displayed = status.value / 10 ** status.prec;
  if (status.uom === UOM.offOn || status.uom === UOM.boolean) {
    const isOn = isTurnedOn(status.uom, displayed);
    return isOn === null ? null : { levelPercent: isOn ? 100 : 0, rampS: null };
  }
  const percent = convertUnit(displayed, status.uom, UOM.percent);
  return percent === null || percent < 0 || percent > 100 ? null : { levelPercent: Math.round(percent), rampS: null };
}

/**
 * Whether the responder can do what the link says.
 * @throws ControllerError NODE_NOT_FOUND; BAD_LINK; COMMAND_NOT_ACCEPTED; BAD_PARAMETER
 */
export function checkLink(ports: LinkPorts, link: SceneLink): void {
  const node = requireNode(ports, link.node);
  if (link.kind === "native") checkNative(ports, node, link.linkdef, link.parameters);
  if (link.kind === "cmd") checkCommand(ports, node, link.command, link.parameters);
}

/** A line for each kind of link that the responder can have. */
export function linkTypesOf(ports: LinkPorts, address: string): readonly object[] {
  const node = requireNode(ports, address);
  const native = respondLinkdefs(ports, node).map(({ id, name, protocol, parameters }) => ({
    type: "native",
    linkdef: id,
    name,
    protocol,
    params: parameters,
  }));
  const commands = (nodedefOf(ports, node)?.accepts ?? []).map(({ id, name }) => ({ id, name }));
  return [...native, { type: "default" }, { type: "cmd", commands }, { type: "ignore" }];
}

function nodedefOf({ profile }: Pick<LinkPorts, "profile">, { nodeDefId, family, instance }: Node): Nodedef | null {
  return profile.nodedef(nodeDefId, family, instance);
}

/** @throws ControllerError NODE_NOT_FOUND with the address */
export function requireNode({ home }: Pick<LinkPorts, "home">, address: string): Node {
  const node = home.nodes.get(address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND", `There is no node with the address "${address}".`);
  return node;
}

function respondLinkdefs(ports: LinkPorts, node: Node): readonly Linkdef[] {
  const linkdefs = ports.profile.instance(node.family, node.instance)?.linkdefs;
  return (nodedefOf(ports, node)?.respondLinks ?? []).flatMap((id) => {
    const linkdef = linkdefs?.get(id);
    return linkdef && !linkdef.cmd ? [linkdef] : [];
  });
}

function nativeLinkdef(ports: LinkPorts, node: Node): Linkdef | null {
  return respondLinkdefs(ports, node)[0] ?? null;
}

function parametersOf(link: SceneLink | null): readonly LinkParameter[] {
  return link?.kind === "native" || link?.kind === "cmd" ? link.parameters : [];
}

function levelOf(link: SceneLink | null): number | null {
  if (link?.kind === "cmd" && link.command === "DOF") return 0;
  const found = parametersOf(link).find(({ id }) => id === LEVEL || id === "");
  const percent = found ? convertUnit(found.value / 10 ** found.prec, found.uom, UOM.percent) : null;
  return percent === null ? null : Math.round(percent);
}

function withRampOf(link: SceneLink, before: SceneLink | null): SceneLink {
  const ramp = parametersOf(before).find(({ id }) => id === RAMP);
  if (!ramp || (link.kind !== "native" && link.kind !== "cmd") || link.kind !== before?.kind) return link;
  if (link.kind === "cmd" && before.kind === "cmd" && link.command !== before.command) return link;
  return { ...link, parameters: [...link.parameters.filter(({ id }) => id !== RAMP), ramp] };
}

type Slot = { readonly id: string; readonly editor: string };

/** null: no value was given, and the device has one of its own. */
function nativeParameter(ports: LinkPorts, node: Node, slot: Slot, target: LinkTarget): LinkParameter | null {
  if (slot.id === LEVEL) return level(ports, node, slot, target.levelPercent);
  if (slot.id === RAMP) return ramp(ports, node, slot, target.rampS ?? DEFAULT_RAMP_S);
  return null;
}

function commandParameters(
  ports: LinkPorts,
  node: Node,
  { id, parameters }: CommandDefinition,
  target: LinkTarget,
): readonly LinkParameter[] {
  if (id === "DOF") {
    requireRamp(node, target, parameters);
    const slot = target.rampS === null ? undefined : parameters.find((each) => each.id === RAMP);
    return slot && target.rampS !== null ? [ramp(ports, node, slot, target.rampS)] : [];
  }
  const [first] = parameters;
  const takesLevel = first !== undefined && first.id !== RAMP;
  if (!takesLevel && target.levelPercent !== 100) {
    throw badParameter(`${node.name} is only on or off: it accepts 0 or 100 %.`);
  }
  requireRamp(node, target, parameters);
  const slot = parameters.find((each) => each.id === RAMP);
  return [
    ...(takesLevel ? [level(ports, node, first, target.levelPercent)] : []),
    ...(slot && target.rampS !== null ? [ramp(ports, node, slot, target.rampS)] : []),
  ];
}

function requireRamp(node: Node, { rampS }: LinkTarget, slots: readonly Slot[]): void {
  if (rampS === null || slots.some(({ id }) => id === RAMP)) return;
  throw badParameter(`${node.name} accepts no ramp.`);
}

function level(ports: LinkPorts, node: Node, { id, editor: name }: Slot, percent: number): LinkParameter {
  const editor = ports.profile.editor(name, node.family, node.instance);
  const accepted = acceptValue(editor, { value: percent, prec: 0, uom: UOM.percent });
  if (!accepted)
    throw badParameter(`${node.name} accepts no level of ${percent} %, only ${describeEditor(editor).text}.`);
  return { id, ...accepted };
}

/** The nearest ramp that the device knows. */
function ramp(ports: LinkPorts, node: Node, { id, editor: name }: Slot, seconds: number): LinkParameter {
  const editor = ports.profile.editor(name, node.family, node.instance);
  const labelled = editor?.ranges.find(({ uom, names }) => uom === UOM.index && names.size > 0);
  const value = labelled ? nearestRamp(labelled.names, seconds) : null;
  if (value !== null) return { id, value, uom: UOM.index, prec: 0 };
  const accepted = acceptValue(editor, { value: Math.round(seconds * 10), prec: 1, uom: UOM.seconds });
  if (!accepted)
    throw badParameter(`${node.name} accepts no ramp of ${seconds} s, only ${describeEditor(editor).text}.`);
  return { id, ...accepted };
}

function checkNative(ports: LinkPorts, node: Node, id: string, parameters: readonly LinkParameter[]): void {
  const linkdef = respondLinkdefs(ports, node).find((each) => each.id === id);
  if (!linkdef) throw new ControllerError("BAD_LINK", `${node.name} has no links of the kind "${id}".`);
  checkParameters(ports, node, linkdef.parameters, parameters);
}

function checkCommand(ports: LinkPorts, node: Node, id: string, parameters: readonly LinkParameter[]): void {
  const nodedef = nodedefOf(ports, node);
  if (!nodedef) return;
  const command = nodedef.accepts.find((each) => each.id === id);
  if (!command) throw new ControllerError("COMMAND_NOT_ACCEPTED", `${node.name} does not accept this command.`);
  checkParameters(ports, node, command.parameters, parameters);
  const missing = command.parameters.find(
    (each) => !each.optional && !parameters.some((given) => given.id === each.id),
  );
  if (missing) throw badParameter(`The command ${id} needs the parameter "${missing.id}".`);
}

function checkParameters(ports: LinkPorts, node: Node, slots: readonly Slot[], given: readonly LinkParameter[]): void {
  const seen = new Set<string>();
  for (const { id, value, uom, prec } of given) {
    const slot = slots.find((each) => each.id === id);
    if (!slot || seen.has(id))
      throw badParameter(`The parameter "${id}" is ${slot ? "given twice" : "unknown to this link"}.`);
    seen.add(id);
    const editor = ports.profile.editor(slot.editor, node.family, node.instance);
    if (acceptValue(editor, { value, uom, prec })) continue;
    throw badParameter(`The parameter "${id}" is refused: it takes ${describeEditor(editor).text}.`);
  }
}

function badParameter(sentence: string): ControllerError {
  return new ControllerError("BAD_PARAMETER", sentence);
}
