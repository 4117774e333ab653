/**
 * Describes a planned twin for a person, in lines: its contents, what is unknown about it, and what cannot be played.
 */

import { isPlayed } from "../drivers/virtual/played-commands.ts";
import { playedProperties } from "../drivers/virtual/played-device.ts";
import type { Condition } from "../home/program-syntax.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { TwinPlan } from "./plan-twin.ts";

/** Names shown of a long list. */
const SHOWN_MAX = 8;

export function twinReport(plan: TwinPlan): readonly string[] {
  return [...counts(plan), ...documents(plan), ...unknown(plan), ...unplayed(plan)];
}

function counts({ controller, tree, changes }: TwinPlan): readonly string[] {
  const count = (type: string) => changes.filter((change) => change.type === type).length;
  const programs = programsOf(changes);
  const name = controller.name === "" ? "" : ` (${controller.name})`;
  return [
    `Controller       ${controller.uuid}${name}`,
    `Nodes            ${tree.nodes.length}, ${tree.nodes.filter(({ node }) => !node.enabled).length} of them disabled`,
    `Properties       ${count("property-changed")}`,
    `Folders, scenes  ${tree.folders.length}, ${tree.groups.length}`,
    `Programs         ${programs.filter(({ kind }) => kind === "program").length} in ${programs.filter(({ kind }) => kind === "folder").length} folders`,
    `Variables        ${count("variable-added")}`,
    `Resources        ${count("network-resource-put")}; acknowledged when they are fired, and nothing is sent`,
  ];
}

const EXPECTED: readonly string[] = [
  "/api/config",
  "/api/nodes",
  "/rest/nodes",
  "/rest/status",
  "/rest/profiles",
  "/api/programs",
  "/api/triggers",
  "/api/variables/1",
  "/api/variables/2",
  "/rest/networking/resources",
];

function documents({ received, problems }: TwinPlan): readonly string[] {
  const missing = EXPECTED.filter((name) => !received.has(name));
  return [
    ...(missing.length === 0 ? [] : [`Not received         ${missing.join(", ")}: made by this controller instead`]),
    ...problems.map(({ document, sentence }) => `Left out         ${document}: ${sentence}`),
  ];
}

function unknown({ tree, profile, changes }: TwinPlan): readonly string[] {
  const undefinedNodes = tree.nodes.filter(({ node }) => !nodedefOf(profile, node));
  const editors = new Set(
    tree.nodes.flatMap(({ node }) => {
      const nodedef = nodedefOf(profile, node);
      const used = nodedef?.properties.map(({ editor }) => editor) ?? [];
      const taken = nodedef?.accepts.flatMap(({ parameters }) => parameters.map(({ editor }) => editor)) ?? [];
      return [...used, ...taken].filter((id) => !profile.editor(id, node.family, node.instance));
    }),
  );
  const foreign = programsOf(changes).filter(hasForeign);
  return [
    ...listed(
      "Unknown nodedefs",
      undefinedNodes.map(({ node }) => `${node.address} (${node.nodeDefId})`),
      "every command is accepted",
    ),
    ...listed("Unknown editors", [...editors], "every value is accepted"),
    ...listed(
      "Foreign programs",
      foreign.map(({ name }) => name),
      "stored, but not run",
    ),
  ];
}

function unplayed({ tree, profile, changes }: TwinPlan): readonly string[] {
  const known = Map.groupBy(
    changes.flatMap((change) => (change.type === "property-changed" ? [change] : [])),
    ({ address }) => address,
  );
  const silent = new Set(
    tree.nodes.flatMap(({ node }) => {
      const nodedef = nodedefOf(profile, node);
      if (!nodedef) return [];
      const editor = (id: string) => profile.editor(id, node.family, node.instance);
      const received = (known.get(node.address) ?? []).map(({ property }) => property);
      const played = { nodedef, editor, properties: playedProperties(nodedef, editor, received) };
      return nodedef.accepts.filter((command) => !isPlayed(played, command)).map(({ id }) => `${node.nodeDefId} ${id}`);
    }),
  );
  return listed("Without effect", [...silent], "accepted, and nothing changes");
}

function listed(title: string, names: readonly string[], what: string): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > SHOWN_MAX ? `, and ${names.length - SHOWN_MAX} more` : "";
  return [`${title.padEnd(17)}${names.slice(0, SHOWN_MAX).join(", ")}${more}: ${what}`];
}

function nodedefOf(profile: TwinPlan["profile"], node: TwinPlan["tree"]["nodes"][number]["node"]) {
  return profile.nodedef(node.nodeDefId, node.family, node.instance);
}

function programsOf(changes: TwinPlan["changes"]): readonly ProgramDefinition[] {
  return changes.flatMap((change) => (change.type === "program-added" ? [change.program] : []));
}

/** It holds statements or conditions that this controller does not carry out. */
export function hasForeign(program: ProgramDefinition): boolean {
  if (program.kind === "folder") return false;
  const { tree } = program;
  const isForeign = (condition: Condition): boolean =>
    condition.kind === "foreign" || (condition.kind === "paren" && condition.conditions.some(isForeign));
  return tree.if.some(isForeign) || [...tree.then, ...tree.else].some(({ kind }) => kind === "foreign");
}
