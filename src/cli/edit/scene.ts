/** `domovoi scene`: scenes are created, shown, get members, levels and ramps, take over present levels. */

import type { Group, Home, MemberLink, Quantity } from "@domovoi/client";
import { findUom } from "../../profile/uom.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withHome } from "../connection/with-home.ts";
import { folderNamed, groupNamed, nodeNamed } from "../home/find.ts";
import { printJson, printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { editNote, readLevel, readSeconds, sameNameNote } from "./edit-output.ts";

const STILL = { stream: "off" } as const;

export async function addScene(
  home: Home,
  name: string,
  options: ConnectionOptions & { readonly folder?: string },
): Promise<Done> {
  const { folder } = options;
  const made = await home.edits.createScene(name, folder === undefined ? undefined : folderNamed(home, folder).address);
  const note = sameNameNote(home.groups, name);
  return done(`Created the scene "${name}" (${made.address})${editNote(made.edit)}.${note}`, { ...made, name });
}

/** A line for every member, and for every controller of the scene and every member. */
export async function showScene(home: Home, scene: string, options: ConnectionOptions): Promise<void> {
  const { name, address, members, controllers } = groupNamed(home, scene);
  const blocks = await home.edits.links(address);
  if (options.json) return printJson({ address, name, members, controllers, links: blocks });
  const links = blocks.toReversed().flatMap(({ controller, links }) => links.map((link) => ({ ...link, controller })));
  printList(links, options, `The scene "${name}" has no members.`, {
    NODE: ({ node }) => nameOf(home, node),
    WHEN: ({ controller }) => whenOf(home, address, controller),
    DOES: (link) => linkWords(home, link),
    "IN THE DEVICE": ({ device }) => deviceWords(device),
  });
}

function nameOf(home: Home, address: string): string {
  return home.nodes.find(address)?.name ?? address;
}

function whenOf(home: Home, scene: string, controller: string): string {
  return controller === scene ? "the scene is commanded" : `"${nameOf(home, controller)}" is used`;
}

const STATE_WORDS: Readonly<Record<string, string>> = { done: "yes", software: "no" };

/** `yes`, or `failed: The device did not take the change.` */
function deviceWords(device: MemberLink["device"]): string {
  if (!device) return "";
  const words = STATE_WORDS[device.state] ?? device.state;
  return device.detail === "" ? words : `${words}: ${device.detail}`;
}

const PARAMETER_WORDS: Readonly<Record<string, string>> = { OL: "", RR: "ramp ", CLNRT: "cleanup ramp " };

/** `60%, ramp 2.0 seconds`, or the command with its values. */
function linkWords(home: Home, { node, type, command, parameters }: MemberLink): string {
  if (type === "default") return "as commanded";
  if (type === "ignore") return "nothing";
  const values = Object.entries(parameters).map(([id, quantity]) => {
    const words = id === "" ? "" : (PARAMETER_WORDS[id] ?? `${id} `);
    return `${words}${valueWords(home, node, id, quantity)}`;
  });
  const isOn = command === null || command === "DON";
  if (isOn && values.length > 0) return values.join(", ");
  return [command === "DON" ? "on" : command === "DOF" ? "off" : command, values.join(", ")].join(" ").trim();
}

/** Ramps of wired devices are numbers in a list, which the property of the ramp rate has in words. */
function valueWords(home: Home, address: string, id: string, { value, uom, prec }: Quantity): string {
  const node = home.nodes.find(address);
  const editor = node?.nodedef?.properties.find((property) => property.id === (id === "CLNRT" ? "RR" : id))?.editor;
  const range = node && editor ? home.profile.editor(editor, node.family, node.instance) : null;
  const label = range?.decode({ value: String(value), uom: String(uom), prec }).label;
  if (label) return label;
  const { symbol } = findUom(uom);
  return `${value / 10 ** prec}${/^\w{2}/.test(symbol) ? " " : ""}${symbol}`;
}

type MemberOptions = Omit<ConnectionOptions, "controller"> & {
  readonly level?: string;
  readonly ramp?: string;
  readonly controls?: boolean;
  /** true: without a name, which says the same as `controls`. */
  readonly controller?: string | true;
};

export function addToScene(scene: string, key: string, { controller, ...others }: MemberOptions): Promise<Done> {
  const options = typeof controller === "string" ? { ...others, controller } : others;
  return withHome(options, STILL, async (home) => {
    const group = groupNamed(home, scene);
    const node = nodeNamed(home, key);
    const controls = options.controls === true || controller === true;
    const target = { isController: controls, ...targetOf(options) };
    const made = await home.edits.addMember(group.address, node.address, target);
    const role = controls ? "controls" : "responds in";
    return done(`"${node.name}" ${role} the scene "${group.name}"${editNote(made.edit)}.`, made);
  });
}

type LevelOptions = ConnectionOptions & { readonly level?: string; readonly ramp?: string; readonly when?: string };

export async function removeFromScene(home: Home, scene: string, key: string): Promise<Done> {
  const group = groupNamed(home, scene);
  const node = nodeNamed(home, key);
  const made = await home.edits.removeMember(group.address, node.address);
  return done(`"${node.name}" left the scene "${group.name}"${editNote(made.edit)}.`, made);
}

/** The action of a responder, for commands to the scene or from one of its controllers. */
export async function setLevel(home: Home, scene: string, key: string, options: LevelOptions): Promise<Done> {
  const group = groupNamed(home, scene);
  const node = nodeNamed(home, key);
  const { level, ramp, when } = options;
  if (level === undefined && ramp === undefined) throw usageFailure("Give a --level, a --ramp or both.");
  const made = await home.edits.setLevel(group.address, node.address, {
    ...targetOf(options),
    ...(when === undefined ? {} : { controller: nodeNamed(home, when).address }),
  });
  return done(`Changed the link of "${node.name}" in the scene "${group.name}"${editNote(made.edit)}.`, made);
}

function targetOf({ level, ramp }: Pick<LevelOptions, "level" | "ramp">) {
  return {
    ...(level === undefined ? {} : { level: readLevel(level) }),
    ...(ramp === undefined ? {} : { ramp: readSeconds(ramp) }),
  };
}

export async function captureLevels(home: Home, scene: string): Promise<Done> {
  const { name, address } = sceneWithMembers(home, scene);
  const skipped = await home.edits.capture(address);
  const names = skipped.map((each) => home.nodes.find(each)?.name ?? each);
  const left = names.length === 0 ? "" : ` Left out, because their level is unknown: ${names.join(", ")}.`;
  return done(`Stored the present levels of the members in the scene "${name}".${left}`, { address, skipped });
}

/** @throws CommandFailure where there is nothing to command or to read */
function sceneWithMembers(home: Home, scene: string): Group {
  const group = groupNamed(home, scene);
  if (group.members.length > 0) return group;
  throw new CommandFailure("failed", `The scene "${group.name}" has no members. "domovoi scene add" adds one.`);
}

export async function writeScene(home: Home, scene: string): Promise<Done> {
  const { name, address } = groupNamed(home, scene);
  await home.edits.writeLinks(address);
  return done(`The links of the scene "${name}" are written again. "domovoi scene show" shows the result.`, {
    address,
  });
}

export async function turnOnScene(home: Home, scene: string): Promise<Done> {
  const { name, address } = sceneWithMembers(home, scene);
  await home.edits.test(address);
  return done(`The scene "${name}" was turned on.`, { address });
}
