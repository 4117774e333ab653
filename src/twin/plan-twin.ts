/** From the documents of a controller to a home like it: who the controller is, what is in the home, what was told and how. */

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
  /** What the home is made of, in an order in which it can be applied. */
  readonly changes: readonly Change[];
  /** The documents as they will be told again, by name. */
  readonly told: ReadonlyMap<string, string>;
  readonly tree: ReceivedTree;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
};

/** Of a controller that tells nothing about itself. */
export type PlanDefaults = { readonly controller: ControllerRecord; readonly nowMs: number };

/** The driver that plays the devices of a twin. */
export const PLAYING_DRIVER = "virtual";

/** @throws ControllerError BAD_VALUE naming a document that cannot be read. */
export function planTwin(original: Original, { controller, nowMs }: PlanDefaults): TwinPlan {
  const { told, problems } = canonicalDocuments(original);
  const json = (name: string): Tree | null => parsed(told.get(name), parseJsonTree);
  const xml = (name: string): XmlElement | null => parsed(told.get(name), readXml);
  const [asJson, asXml, status] = [json("/api/nodes"), xml("/rest/nodes"), xml("/rest/status")];
  const tree = joinTrees(asJson === null ? null : readTree(asJson), asXml && readTreeXml(asXml));
  const profile = new Profile();
  declareReceivedProfile(profile, { names: () => [...told.keys()], get: (name) => wrapped(told.get(name)) });
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
  return { controller: who, changes, told, tree, profile, problems };
}

function parsed<R>(document: string | undefined, read: (text: string) => R): R | null {
  return document === undefined ? null : read(document);
}

function wrapped(told: string | undefined): { readonly told: string } | null {
  return told === undefined ? null : { told };
}

function identity(config: Tree | null, { root }: ReceivedTree, given: ControllerRecord): ControllerRecord {
  const uuid = text(object(object(config ?? {}).data).uuid) || text(object(config ?? {}).uuid);
  return { ...given, uuid: uuid || root?.address || given.uuid, name: root?.name ?? "" };
}

/** Longitude counts to the west in this document; without one, or with one that cannot be read, the settings say where it is. */
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
  const told = new Map([...properties, ...status].map((property) => [property.id, property]));
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
    ...[...told.values()].map(
      (each): Change => ({
        type: "property-changed",
        address,
        property: receivedProperty(profile, node, inUnit(each), nowMs),
      }),
    ),
  ];
}

/** Of a property without a value it is told nothing else: it gets one in the unit of its editor. */
function quantity(range: EditorRange | undefined): { readonly uom: number; readonly prec: number } {
  return { uom: range?.uom ?? 0, prec: range?.prec ?? 0 };
}

/** Where the links were not told, every member does as the scene does. */
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
