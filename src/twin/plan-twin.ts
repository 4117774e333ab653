/**
 * Plans a home from the documents of another controller: the controller's identity, the home's contents, and the
 * documents as received.
 */

import { applyChange } from "../home/apply-change.ts";
import type { Change } from "../home/change.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Group, LinkBlock, LinkParameter, SceneLink } from "../home/groups.ts";
import { Home } from "../home/home.ts";
import type { NetworkResource } from "../home/network-resources.ts";
import type { Action, GivenValue } from "../home/program-syntax.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { Variable, VariableType } from "../home/variables.ts";
import { PLAYING_DRIVER } from "../home/without-device.ts";
import type { EditorRange } from "../profile/editor.ts";
import { Profile } from "../profile/profile.ts";
import { UOM } from "../profile/uom.ts";
import { attempt } from "../util/attempt.ts";
import { MINUTE_MS } from "../util/clock.ts";
import { childElements, childText, readXml, type XmlElement } from "../util/read-xml.ts";
import { checkZone, createZone } from "../util/zone.ts";
import { number, objects, readInstant, readObject, text, whole } from "../wire/loose.ts";
import { parseJsonTree, type Tree, type TreeObject } from "../wire/spelling/tree.ts";
import { canonicalDocuments } from "./canonical.ts";
import { readLocalPrograms, type UnreadStatement } from "./local/programs.ts";
import { readLocalScene } from "./local/scenes.ts";
import { readLocalVariables } from "./local/variables.ts";
import { isLocal, type Original, TIME_DOCUMENT, xmlDocument } from "./original.ts";
import {
  joinTrees,
  type ReceivedGroup,
  type ReceivedNode,
  type ReceivedTree,
  readTree,
  readTreeXml,
} from "./parse/nodes.ts";
import { readPrograms, readTriggersJson } from "./parse/programs.ts";
import { type ReceivedProperty, readStatus } from "./parse/status.ts";
import type { Problem } from "./problem.ts";
import { declareReceivedProfile } from "./received-profile.ts";
import { receivedProperty } from "./received-property.ts";

export type TwinPlan = {
  readonly controller: ControllerRecord;
  /** The changes that build the home, in an order in which they can be applied. */
  readonly changes: readonly Change[];
  /** The documents as the twin serves them, by name. */
  readonly received: ReadonlyMap<string, string>;
  readonly tree: ReceivedTree;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
  /** Of programs that were read as older clients read them. */
  readonly unread: readonly UnreadStatement[];
  /** Only the local interface of the original was read. */
  readonly isLocal: boolean;
  /** Number of the scenes of which it was read what each member does. */
  readonly scenesWithLevels: number;
  /** Number of variables of which only the name was read. */
  readonly variablesWithoutValue: number;
  /** Whether the original reports its time zone. If not, that of this machine is used. */
  readonly namesZone: boolean;
};

/** For an original that sends nothing about itself. */
type PlanDefaults = { readonly controller: ControllerRecord; readonly nowMs: number };

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
  const who = identity(original, json("/api/config"), tree, placed(controller, original.get(TIME_DOCUMENT)));
  const nodes = tree.nodes.flatMap((node) => nodeChanges(node, values.get(node.node.address) ?? [], profile, nowMs));
  const links = readLinks(json("/api/groups") ?? {});
  const ports = { home: homeOf(who, nodes), profile };
  const left: Problem[] = [...problems];
  const blocks = tree.groups.map(
    (group) => links.get(group.address) ?? readLocalScene(original, group, ports, (each) => left.push(each)),
  );
  const isOfLocal = isLocal(original);
  const { variables, programs, ...local } = isOfLocal
    ? localParts(original, ports.home, nowMs)
    : { ...portalParts(json, nowMs), problems: [], unread: [], withoutValue: 0 };
  const resources = xml("/rest/networking/resources");
  const changes: readonly Change[] = [
    ...tree.folders.map((folder): Change => ({ type: "folder-added", folder })),
    ...nodes,
    ...tree.groups.map((group, at): Change => ({ type: "group-added", group: withLinks(group, blocks[at] ?? []) })),
    ...variables.map((variable): Change => ({ type: "variable-added", variable })),
    ...(resources ? readResources(resources) : []).map(
      (resource): Change => ({ type: "network-resource-put", resource }),
    ),
    ...programs.map((program): Change => ({ type: "program-added", program })),
  ];
  const time = readTime(original.get(TIME_DOCUMENT) ?? "");
  return {
    namesZone: !isOfLocal || (time !== null && knownZone(childText(time, "TzId") ?? "") !== null),
    ...{ controller: who, changes, received, tree, profile },
    problems: [...left, ...local.problems],
    unread: local.unread,
    isLocal: isOfLocal,
    variablesWithoutValue: local.withoutValue,
    scenesWithLevels: blocks.filter((each) => each.length > 0).length,
  };
}

function portalParts(json: (name: string) => Tree | null, nowMs: number) {
  const listed = objects(readObject(json("/api/programs") ?? {}).data);
  return {
    variables: ([1, 2] as const).flatMap((type) => readVariables(json(`/api/variables/${type}`) ?? {}, type, nowMs)),
    programs: readPrograms(listed, readTriggersJson(json("/api/triggers"))),
  };
}

function localParts(original: Original, { controller, nodes }: Home, nowMs: number) {
  const instantOf = localTimes(controller.timeZone);
  const { listed, triggers, ...local } = readLocalPrograms(original);
  const programs = readPrograms(listed, triggers, (time) => instantOf(text(time)));
  const unitOf = (node: string, property: string) => nodes.get(node)?.properties.get(property)?.uom ?? null;
  return {
    ...local,
    ...readLocalVariables(original, instantOf, nowMs),
    programs: programs.map((program) => withUnits(program, unitOf)),
  };
}

/** With its nodes alone. */
function homeOf(controller: ControllerRecord, nodes: readonly Change[]): Home {
  const home = new Home(controller);
  for (const change of nodes) applyChange(home, change);
  return home;
}

function parsed<R>(document: string | undefined, read: (text: string) => R): R | null {
  return document === undefined ? null : read(document);
}

function wrapped(received: string | undefined): { readonly text: string } | null {
  return received === undefined ? null : { text: received };
}

function identity(
  original: Original,
  config: Tree | null,
  { root }: ReceivedTree,
  given: ControllerRecord,
): ControllerRecord {
  const own = xmlDocument(original, "/rest/config");
  const inXml = own && childElements(own, "root")[0];
  const uuid =
    text(readObject(readObject(config ?? {}).data).uuid) ||
    text(readObject(config ?? {}).uuid) ||
    (inXml && childText(inXml, "id"));
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
  return attempt(() => readXml(time));
}

function knownZone(timeZone: string): string | null {
  return attempt(() => checkZone(timeZone));
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
function withLinks(group: ReceivedGroup, blocks: readonly LinkBlock[]): Group {
  const { address, members } = group;
  if (blocks.length === 0) {
    return {
      ...group,
      blocks: [{ controller: address, links: members.map((member) => ({ kind: "default", node: member.address })) }],
    };
  }
  const isWhole = blocks.some((block) => block.controller === address);
  return { ...group, blocks: isWhole ? blocks : [...blocks, { controller: address, links: [] }] };
}

/** By address of the group. */
function readLinks(document: Tree): ReadonlyMap<string, readonly LinkBlock[]> {
  const { groups } = readObject(readObject(document).data);
  return new Map(objects(groups).map((group) => [text(group.id), objects(group.ctl).map(block)]));
}

function block(controller: TreeObject): LinkBlock {
  return { controller: text(controller.id), links: objects(controller.links).flatMap(link) };
}

function link(received: TreeObject): readonly SceneLink[] {
  const node = text(received.node);
  const kind = text(received.type);
  if (node === "") return [];
  switch (kind) {
    case "native":
      return [{ kind, node, linkdef: text(received.linkdef), parameters: objects(received.params).flatMap(parameter) }];
    case "cmd": {
      const { cmdId, p } = readObject(received.cmd);
      const parameters = objects(p ?? received.params).flatMap(parameter);
      return [{ kind, node, command: text(cmdId) || text(received.cmd), parameters }];
    }
    case "default":
    case "ignore":
      return [{ kind, node }];
    default:
      return [];
  }
}

function parameter(received: TreeObject): readonly LinkParameter[] {
  const { value, uom, prec } = readObject(received.val);
  const raw = number(value);
  if (raw === null || !Number.isSafeInteger(raw)) return [];
  const id = text(received.id);
  return [{ id: id === "n/a" ? "" : id, value: raw, uom: whole(uom) ?? 0, prec: whole(prec) ?? 0 }];
}

const ID_MAX = 65_535;
const PREC_MAX = 9;

/** @param nowMs time of variables that carry no time. */
function readVariables(document: Tree, type: VariableType, nowMs: number): readonly Variable[] {
  return objects(readObject(document).data).flatMap((received): readonly Variable[] => {
    const id = whole(received.id, 1);
    if (id === null || id > ID_MAX) return [];
    const { name, ts, val, init, prec } = received;
    return [
      {
        type,
        id,
        name: text(name),
        value: raw(val),
        init: raw(init),
        prec: Math.min(whole(prec) ?? 0, PREC_MAX),
        writtenAtMs: readInstant(ts) ?? nowMs,
      },
    ];
  });
}

/** The document holds their addresses but not their content, so a twin acknowledges them and sends nothing. */
function readResources(document: XmlElement): readonly NetworkResource[] {
  return childElements(document, "NetRule").flatMap((rule): readonly NetworkResource[] => {
    const id = whole(childText(rule, "id") ?? "", 1);
    if (id === null) return [];
    const control = childElements(rule, "ControlInfo")[0];
    const received = (name: string) => (control && childText(control, name)) ?? childText(rule, name) ?? "";
    return [
      {
        id,
        name: childText(rule, "name") ?? "",
        protocol: "none",
        host: received("host"),
        port: whole(received("port")) ?? 0,
        method: received("method"),
        path: "",
        headers: [],
        body: "",
        timeoutMs: whole(received("timeout")) ?? 0,
      },
    ];
  });
}

function raw(tree: Tree | undefined): number {
  const value = Math.round(number(tree) ?? 0);
  return Number.isSafeInteger(value) ? value + 0 : 0;
}

/** `2026/04/24 10:11:05 AM`, `2026/04/24 22:11:05`, `20260424 10:11:05` */
const LOCAL = /^(\d{4})\/?(\d{2})\/?(\d{2}) +(\d{1,2}):(\d{2}):(\d{2})(?: *([AP])M)?/i;
const HALF_DAY = 12;

/**
 * Times of the local interface: those of the home's clock.
 * @param timeZone IANA. @returns milliseconds of a local time; null for what is none
 */
function localTimes(timeZone: string): (text: string) => number | null {
  const zone = createZone(timeZone);
  return (text) => {
    const [, year, month, day, hour, minute, second, half] = LOCAL.exec(text.trim()) ?? [];
    if (year === undefined) return null;
    const clock = half === undefined ? Number(hour) : (Number(hour) % HALF_DAY) + (/p/i.test(half) ? HALF_DAY : 0);
    const asUtcMs = Date.UTC(Number(year), Number(month) - 1, Number(day), clock, Number(minute), Number(second));
    const nearMs = asUtcMs - zone.offsetMinutes(asUtcMs) * MINUTE_MS;
    return asUtcMs - zone.offsetMinutes(nearMs) * MINUTE_MS;
  };
}

/** @returns the unit in which a property of a node is reported; null for one that is unknown */
type UnitOf = (node: string, property: string) => number | null;

/** Firmware before 5 writes values of commands without a unit: a level is a byte, a set-point counts as the device does. */
function withUnits(program: ProgramDefinition, unitOf: UnitOf): ProgramDefinition {
  if (program.kind === "folder") return program;
  const within = (actions: readonly Action[]) => actions.map((action) => actionWithUnits(action, unitOf));
  return { ...program, tree: { ...program.tree, then: within(program.tree.then), else: within(program.tree.else) } };
}

function actionWithUnits(action: Action, unitOf: UnitOf): Action {
  if (action.kind === "command") {
    const unit = unitOfCommand(action.node, action.command, unitOf);
    return { ...action, parameters: action.parameters.map((each) => inUnit(each, unit)) };
  }
  if (action.kind !== "link" || action.link.kind !== "cmd") return action;
  const { link } = action;
  const unit = unitOfCommand(link.node, link.command, unitOf);
  return { ...action, link: { ...link, parameters: link.parameters.map((each) => inUnit(each, unit)) } };
}

function inUnit<T extends GivenValue>(given: T, unit: number): T {
  return given.uom === 0 && unit !== 0 ? { ...given, uom: unit } : given;
}

/** On takes a level, other commands the property of their name. */
function unitOfCommand(node: string, command: string, unitOf: UnitOf): number {
  if (command !== "DON") return unitOf(node, command) ?? 0;
  return unitOf(node, "ST") === UOM.level ? UOM.level : 0;
}
