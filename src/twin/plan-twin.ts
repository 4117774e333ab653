/**
 * Plans a home from the documents of another controller: the controller's identity, the home's contents, and the
 * documents as received.
 */

import type { Change } from "../home/change.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Group, LinkBlock } from "../home/groups.ts";
import type { EditorRange } from "../profile/editor.ts";
import { Profile } from "../profile/profile.ts";
import { childText, readXml, type XmlElement } from "../util/read-xml.ts";
import { checkZone } from "../util/zone.ts";
import { parseJsonTree, type Tree } from "../wire/spelling/tree.ts";
import { canonicalDocuments, type Problem } from "./canonical.ts";
import { receivedProperty } from "./received-property.ts";
import { type Original, TIME_DOCUMENT } from "./original.ts";
import { readLinks } from "./parse/groups.ts";
import { object, text } from "../wire/loose.ts";
import {
  joinTrees,
  readTree,
  readTreeXml,
  type ReceivedGroup,
  type ReceivedNode,
  type ReceivedTree,
} from "./parse/nodes.ts";
import { readPrograms } from "./parse/programs.ts";
import { readStatus, type ReceivedProperty } from "./parse/status.ts";
import { readResources, readVariables } from "./parse/tables.ts";
import { declareReceivedProfile } from "./received-profile.ts";

export type TwinPlan = {
  readonly controller: ControllerRecord;
  /** The changes that build the home, in an order in which they can be applied. */
  readonly changes: readonly Change[];
  /** The documents as the twin serves them, by name. */
  readonly received: ReadonlyMap<string, string>;
  readonly tree: ReceivedTree;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
};

/** For an original that sends nothing about itself. */
export type PlanDefaults = { readonly controller: ControllerRecord; readonly nowMs: number };

/** The driver that plays the devices of a twin. */
export const PLAYING_DRIVER = "virtual";

/** @throws ControllerError BAD_VALUE naming a document that cannot be read. */
export function planTwin(original: Original, { controller, nowMs }: PlanDefaults): TwinPlan {
  const { received, problems } = canonicalDocuments(original);
  const json = (name: string): Tree | null => parsed(received.get(name), parseJsonTree);
  const xml = (name: string): XmlElement | null => parsed(received.get(name), readXml);
  const [asJson, asXml, status] = [json("/api/nodes"), xml("/rest/nodes"), xml("/rest/status")];
  const tree = joinTrees(asJson === null ? null : readTree(asJson), asXml && readTreeXml(asXml));
  const profile = new Profile();
  declareReceivedProfile(profile, { names: () => [...received.keys()], get: (name) => wrapped(received.get(name)) });
  const values = status ? readStatus(status) : new Map<string, readonly ReceivedProperty[]>();
  const links = readLinks(json("/api/groups") ?? {});
  const variables = ([1, 2] as const).flatMap((type) =>
    readVariables(json(`/api/variables/${type}`) ?? {}, type, nowMs),
  );
  const resources = xml("/rest/networking/resources");
  const changes: readonly Change[] = [
    ...tree.folders.map((folder): Change => ({ type: "folder-added", folder })),
    ...tree.nodes.flatMap((node) => nodeChanges(node, values.get(node.node.address) ?? [], profile, nowMs)),
    ...tree.groups.map((group): Change => ({ type: "group-added", group: withLinks(group, links.get(group.address)) })),
    ...variables.map((variable): Change => ({ type: "variable-added", variable })),
    ...(resources ? readResources(resources) : []).map(
      (resource): Change => ({ type: "network-resource-put", resource }),
    ),
    ...readPrograms(json("/api/programs"), json("/api/triggers")).map(
      (program): Change => ({ type: "program-added", program }),
    ),
  ];
  const who = identity(json("/api/config"), tree, placed(controller, original.get(TIME_DOCUMENT)));
  return { controller: who, changes, received, tree, profile, problems };
}

function parsed<R>(document: string | undefined, read: (text: string) => R): R | null {
  return document === undefined ? null : read(document);
}

function wrapped(received: string | undefined): { readonly text: string } | null {
  return received === undefined ? null : { text: received };
}

function identity(config: Tree | null, { root }: ReceivedTree, given: ControllerRecord): ControllerRecord {
  const uuid = text(object(object(config ?? {}).data).uuid) || text(object(config ?? {}).uuid);
  return { ...given, uuid: uuid || root?.address || given.uuid, name: root?.name ?? "" };
}

/** The document counts longitude to the west. Without a readable longitude the settings say where the home is. */
function placed(given: ControllerRecord, time: string | undefined): ControllerRecord {
  const document = readTime(time ?? "");
  if (!document) return given;
  const number = (name: string, max: number) => {
    const value = Number(childText(document, name) || Number.NaN);
    return Math.abs(value) <= max ? value : null;
  };
  const longitude = number("Long", 180);
  return {
    ...given,
    timeZone: knownZone(childText(document, "TzId") ?? "") ?? given.timeZone,
    latitude: number("Lat", 90) ?? given.latitude,
    longitude: longitude === null ? given.longitude : 0 - longitude,
  };
}

function readTime(time: string): XmlElement | null {
  try {
    return readXml(time);
  } catch {
    return null;
  }
}

function knownZone(timeZone: string): string | null {
  try {
    return checkZone(timeZone);
  } catch {
    return null;
  }
}

/** Values of the status table go before those beside the node. */
function nodeChanges(
  { node, isFailing, properties }: ReceivedNode,
  status: readonly ReceivedProperty[],
  profile: Profile,
  nowMs: number,
): readonly Change[] {
  const { address } = node;
  const received = new Map([...properties, ...status].map((property) => [property.id, property]));
  const unitOf = (id: string) => {
    const { nodeDefId, family, instance } = node;
    const editor = profile.nodedef(nodeDefId, family, instance)?.properties.find((each) => each.id === id)?.editor;
    return editor === undefined ? undefined : profile.editor(editor, family, instance)?.ranges[0];
  };
  const inUnit = (each: ReceivedProperty) =>
    each.value === null && each.uom === 0 ? { ...each, ...quantity(unitOf(each.id)) } : each;
  return [
    { type: "node-added", node: { ...node, driver: PLAYING_DRIVER } },
    { type: "node-link-changed", address, link: isFailing ? "unreachable" : "online", before: "unknown" },
    ...[...received.values()].map(
      (each): Change => ({
        type: "property-changed",
        address,
        property: receivedProperty(profile, node, inUnit(each), nowMs),
      }),
    ),
  ];
}

/** A property without a value has nothing else in the document. Its unit comes from the editor. */
function quantity(range: EditorRange | undefined): { readonly uom: number; readonly prec: number } {
  return { uom: range?.uom ?? 0, prec: range?.prec ?? 0 };
}

/** Without a document of links every member does as the scene does. */
function withLinks(group: ReceivedGroup, blocks: readonly LinkBlock[] | undefined): Group {
  const { address, members } = group;
  if (!blocks) {
    return {
      ...group,
      blocks: [{ controller: address, links: members.map((member) => ({ kind: "default", node: member.address })) }],
    };
  }
  const isWhole = blocks.some((block) => block.controller === address);
  return { ...group, blocks: isWhole ? blocks : [...blocks, { controller: address, links: [] }] };
}
