/** Conditions and statements by room and role: that they mean something, and that those nodes can be what is asked, or do it. */

import type { Node } from "../../home/nodes.ts";
import type { Action, Condition, Selector } from "../../home/program-syntax.ts";
import { type Message, message } from "../../messages.ts";
import { memberCommand } from "../../profile/role-commands.ts";
import { isMeant, isMeasure, type Measure, type RoleWord } from "../../profile/role-words.ts";
import { isSecured } from "../../profile/roles.ts";
import { type StatusWord, valueOfWord } from "../../profile/status-words.ts";
import { membersOf } from "../role-members.ts";
import { type Finding, finding } from "./finding.ts";
import { readCommand } from "./model/commands.ts";
import type { Spot } from "./model/formula.ts";
import { conditionStep, definitionStep } from "./model/places.ts";
import type { World } from "./model/world.ts";

type RoleCondition = Extract<Condition, { readonly kind: "roles" }>;
type RoleAction = Extract<Action, { readonly kind: "roles" }>;

const NAMED_MAX = 5;

export function checkRoleCondition(world: World, condition: RoleCondition, spot: Spot): Finding | null {
  const { selector, test } = condition;
  const { role } = selector;
  const nodes = meant(world, selector);
  const found =
    findPlaceFault(world, selector, spot) ??
    findEmpty(world, selector, nodes, spot) ??
    ("is" in test ? findStateFault(world, role, nodes, test.is, spot) : null) ??
    (test.how === "sends" ? findSenderFault(world, role, nodes, test.command, spot) : null) ??
    findUnmarked(world, selector, spot);
  return found && { ...found, chain: [conditionStep(world, condition, spot), ...found.chain] };
}

export function checkRoleStatement(world: World, action: RoleAction, spot: Spot): Finding | null {
  const { selector } = action;
  const nodes = meant(world, selector);
  return (
    findPlaceFault(world, selector, spot) ??
    findEmpty(world, selector, nodes, spot) ??
    findTooMany(world, nodes, spot) ??
    findSecured(world, nodes, spot) ??
    findRefusal(world, action, nodes, spot) ??
    findSameScene(world, action, nodes, spot)
  );
}

function meant({ home }: World, selector: Selector): readonly Node[] {
  return membersOf(home, selector).flatMap(({ address }) => home.nodes.get(address) ?? []);
}

function findPlaceFault({ home }: World, { places }: Selector, spot: Spot): Finding | null {
  const address = places.find((place) => !home.folders.has(place));
  if (address === undefined) return null;
  return finding("NODE_UNKNOWN", spot, message("NODE_UNKNOWN.place", { address }), [
    definitionStep(message("step.folders", { count: home.folders.size, id: address })),
  ]);
}

function findEmpty(world: World, selector: Selector, nodes: readonly Node[], spot: Spot): Finding | null {
  if (nodes.length > 0) return null;
  const unmarked = findUnmarked(world, selector, spot);
  const chain = unmarked?.chain ?? [definitionStep(message("step.noneMeant", { role: selector.role }))];
  return finding("ROLE_EMPTY", spot, message("ROLE_EMPTY", { role: selector.role }), chain);
}

/** No node of the set has a status whose unit has the word. */
function findStateFault(
  world: World,
  role: RoleWord | Measure,
  nodes: readonly Node[],
  is: StatusWord,
  spot: Spot,
): Finding | null {
  const can = (node: Node) => statusUnits(world, node).some((uom) => valueOfWord(is, uom, node.role) !== null);
  if (nodes.some(can)) return null;
  return finding("ROLE_STATE_UNKNOWN", spot, message("ROLE_STATE_UNKNOWN", { role, state: is }), [named(nodes)]);
}

/** The reported unit, and those of the definition. */
function statusUnits(world: World, node: Node): readonly number[] {
  const reported = node.properties.get("ST")?.uom;
  const editor = world.nodedefOf(node)?.properties.find(({ id }) => id === "ST")?.editor;
  const ranges = editor === undefined ? [] : (world.profile.editor(editor, node.family, node.instance)?.ranges ?? []);
  return [...(reported === undefined ? [] : [reported]), ...ranges.map(({ uom }) => uom)];
}

function findSenderFault(
  world: World,
  role: RoleWord | Measure,
  nodes: readonly Node[],
  command: string,
  spot: Spot,
): Finding | null {
  const sends = (node: Node) => world.nodedefOf(node)?.sends.some(({ id }) => id === command) ?? true;
  if (nodes.some(sends)) return null;
  return finding("COMMAND_NOT_SENT", spot, message("COMMAND_NOT_SENT.roles", { role, command }), [named(nodes)]);
}

/** Contacts without a mark that says whether they are at a window or a door. */
function findUnmarked(world: World, selector: Selector, spot: Spot): Finding | null {
  const { role } = selector;
  if (isMeasure(role) || !USES.includes(role)) return null;
  const unmarked = meant(world, { ...selector, role: "contact" }).filter(({ use }) => use === undefined);
  if (unmarked.length === 0 || isMeant(role, { role: "contact" })) return null;
  return finding("USE_NOT_SET", spot, message("USE_NOT_SET", { role, count: unmarked.length }), [named(unmarked)]);
}

const USES: readonly RoleWord[] = ["window", "door", "gate"];

function findTooMany({ limits }: World, nodes: readonly Node[], spot: Spot): Finding | null {
  const max = limits.roleMembersMax;
  if (nodes.length <= max) return null;
  return finding("ROLE_TOO_MANY", spot, message("ROLE_TOO_MANY", { count: nodes.length, max }), [named(nodes)]);
}

function findSecured({ profile }: World, nodes: readonly Node[], spot: Spot): Finding | null {
  const secured = nodes.filter((node) => isSecured(profile, node));
  if (secured.length === 0) return null;
  return finding("ROLE_SECURED", spot, message("ROLE_SECURED", { count: secured.length }), [named(secured)]);
}

/** No node of the set takes the command, or one refuses its value. */
function findRefusal(world: World, action: RoleAction, nodes: readonly Node[], spot: Spot): Finding | null {
  const { command, value, selector } = action;
  const read = nodes.flatMap((node) => {
    const given = memberCommand(world.profile, node, command, value);
    const result = given && readCommand(world, node, given);
    return result ? [{ node, result }] : [];
  });
  if (read.length === 0) {
    const sentence = message("COMMAND_NOT_ACCEPTED.roles", { role: selector.role, command });
    return finding("COMMAND_NOT_ACCEPTED", spot, sentence, [named(nodes)]);
  }
  for (const { node, result } of read) {
    if (result.kind !== "refused") continue;
    const sentence = message("PARAMETER_REFUSED.other", { name: node.name, detail: result.sentence });
    return finding("PARAMETER_REFUSED", spot, sentence, [definitionStep(message("plain", { text: result.sentence }))]);
  }
  return null;
}

/** A scene switches its members at once. */
function findSameScene(
  { home }: World,
  { command, value }: RoleAction,
  nodes: readonly Node[],
  spot: Spot,
): Finding | null {
  if (nodes.length < 2 || (command !== "on" && command !== "off") || value !== null) return null;
  const addresses = new Set(nodes.map(({ address }) => address));
  const scene = [...home.groups.values()].find(({ members }) => {
    const responders = members.filter(({ isController }) => !isController);
    return responders.length === addresses.size && responders.every(({ address }) => addresses.has(address));
  });
  if (!scene) return null;
  return finding("SCENE_SAME_SET", spot, message("SCENE_SAME_SET", { name: scene.name }), [named(nodes)]);
}

function named(nodes: readonly Node[]): ReturnType<typeof definitionStep> {
  const names = nodes.slice(0, NAMED_MAX).map(({ name }) => name);
  const members: Message = message("step.meant", { count: nodes.length, members: names.join(", ") });
  return definitionStep(members);
}
