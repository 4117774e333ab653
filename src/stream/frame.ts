/**
 * Converts a change to its events: none, one or more bodies, in order. A new member of the union in `home/change.ts`
 * needs a case here and a row in docs/interface/events.md.
 *
 * @see docs/interface/events.md
 */

import { BACKLIGHT_MEMORY, familyOf, WIRED } from "../families.ts";
import { type Change, type ChangeOf, type Entry, isChangeOf } from "../home/change.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Home } from "../home/home.ts";
import type { LinkState, NodeRecord } from "../home/nodes.ts";
import type { ProgramEntry, ProgramRun } from "../home/programs.ts";
import { findVariable } from "../home/variables.ts";
import type { Profile } from "../profile/profile.ts";
import { escapeXml } from "../util/xml.ts";
import type { Zone } from "../util/zone.ts";
import { eventTimestamp } from "../wire/times.ts";
import { nodeElement } from "../wire/xml-tree.ts";
import { busyBody, eventBody, lifecycleBody, modeBody, textElement } from "./events/event.ts";
import { operationBodies } from "./events/operation.ts";
import { nextRunBody, programBody, schedulesBody } from "./events/program.ts";
import { controlBody, propertyBody } from "./events/property.ts";
import { renamedBody, treeBodies } from "./events/tree.ts";
import { variableInitBody, variableTableBody, variableValueBody } from "./events/variable.ts";
import { type LastSent, programPlace, programSchedule } from "./last-sent.ts";

/** The sources of frames; `home` already has the change; `sent` is the state that clients were sent before it. */
export type FrameSources = {
  readonly home: Home;
  readonly profile: Profile;
  readonly zone: Zone;
  readonly sent: LastSent;
};

export function eventBodies(entry: Entry, sources: FrameSources): readonly string[] {
  const bodies = tailsOf(entry, sources);
  if (!movesSchedules(entry.change, sources)) return bodies;
  return [...bodies, schedulesBody(eventTimestamp(entry.atMs, sources.zone), entry)];
}

function tailsOf({ atMs, change }: Entry, sources: FrameSources): readonly string[] {
  const { home, zone, sent } = sources;
  const timestamp = eventTimestamp(atMs, zone);
  if (isChangeOf(change, "variable")) return variableBodies(timestamp, change, home, zone);
  if (isChangeOf(change, "group") || isChangeOf(change, "folder")) return treeBodies(timestamp, change, home, sent);
  switch (change.type) {
    case "controller-changed":
      return controllerBodies(timestamp, sent.controller, change.controller);
    case "busy-changed":
      return [busyBody(timestamp, change.busy)];
    case "node-added":
      return nodeBodies(timestamp, "ND", home, change.node);
    case "node-revised":
      return nodeBodies(timestamp, "RV", home, change.node);
    case "node-removed":
      return [lifecycleBody(timestamp, "NR", change.address)];
    case "node-renamed":
      return [renamedBody(timestamp, "NN", change)];
    case "node-enabled":
      return [lifecycleBody(timestamp, "EN", change.address, textElement("enabled", change.enabled))];
    case "node-link-changed":
      return linkBodies(timestamp, change.address, change.before, change.link);
    case "property-changed":
      return propertyBodies(change, sources);
    case "control-sent":
      return controlBodies(timestamp, change, home);
    case "write-progress": {
      const verb = change.phase === "pending" ? "WH" : "WD";
      return [lifecycleBody(timestamp, verb, change.address, textElement("status", change.active ? 1 : 0))];
    }
    case "parent-changed":
      return treeBodies(timestamp, change, home, sent);
    case "program-added":
    case "program-changed":
      return programBodies(timestamp, home.programs.get(change.program.id), sources);
    case "program-removed":
      return [programListBody(timestamp)];
    case "program-ran":
      return programRunBodies(timestamp, home.programs.get(change.id), change.run, zone);
    case "network-resource-put": {
      const { id, name } = change.resource;
      const known = sent.resourceNames.get(id) === name;
      return known ? [] : [lifecycleBody(timestamp, "WR", name, textElement("newName", name))];
    }
    case "network-resource-fired":
      return [resourceFiredBody(timestamp, change)];
    case "device-parameter":
      return deviceParameterBodies(timestamp, change, home.nodes.get(change.address)?.family);
    case "operation-moved":
      return operationBodies(timestamp, change);
    case "program-ordered":
    case "programs-started":
    case "guest-visited":
    case "programs-cut":
    case "program-progressed":
    case "program-held":
    case "network-resource-removed":
    case "integration-added":
    case "integration-changed":
    case "integration-removed":
    case "command-moved":
      return []; // Clients of this interface know no event for it.
  }
}

/** A schedule came, went, or is another; or the home's time or place is. */
function movesSchedules(change: Change, { home, sent }: FrameSources): boolean {
  if (change.type === "program-added" || change.type === "program-changed") {
    const entry = home.programs.get(change.program.id);
    return entry !== undefined && programSchedule(entry) !== (sent.programSchedules.get(entry.id) ?? "");
  }
  if (change.type === "program-removed") return sent.programSchedules.has(change.id);
  if (change.type === "controller-changed")
    return sent.programSchedules.size > 0 && isElsewhere(sent.controller, change.controller);
  return false;
}

type ControlSent = Extract<Change, { readonly type: "control-sent" }>;

function controlBodies(timestamp: string, { address, control, value }: ControlSent, home: Home): readonly string[] {
  return home.nodes.has(address) ? [controlBody(timestamp, address, control, value)] : [];
}

type PropertyChange = Extract<Change, { readonly type: "property-changed" }>;

function propertyBodies(
  { address, property }: PropertyChange,
  { home, profile, zone }: FrameSources,
): readonly string[] {
  const node = home.nodes.get(address);
  return node ? [propertyBody(eventTimestamp(property.changedAtMs, zone), profile, node, property)] : [];
}

/** A new name of the controller is the name of its group; a new place or zone is a new time configuration. */
function controllerBodies(timestamp: string, before: ControllerRecord, now: ControllerRecord): readonly string[] {
  return [
    ...(before.name === now.name ? [] : [renamedBody(timestamp, "GN", { address: now.uuid, name: now.name })]),
    ...(isElsewhere(before, now) ? [eventBody({ timestamp, control: "_4", action: 1 })] : []),
    ...(before.batchMode === now.batchMode ? [] : [modeBody(timestamp, 5, now.batchMode)]),
    ...(before.batteryWrites === now.batteryWrites ? [] : [modeBody(timestamp, 6, now.batteryWrites)]),
  ];
}

function isElsewhere(before: ControllerRecord, now: ControllerRecord): boolean {
  return before.timeZone !== now.timeZone || before.latitude !== now.latitude || before.longitude !== now.longitude;
}

function nodeBodies(timestamp: string, verb: "ND" | "RV", home: Home, record: NodeRecord): readonly string[] {
  const node = home.nodes.get(record.address);
  return node ? [lifecycleBody(timestamp, verb, node.address, nodeElement(node, ""))] : [];
}

/** Getting lost and coming back, and for clients that know it the state itself. */
function linkBodies(timestamp: string, address: string, before: LinkState, now: LinkState): readonly string[] {
  if (now === before) return [];
  const state = lifecycleBody(timestamp, "LS", address, textElement("linkState", now));
  if (now === "unreachable") return [lifecycleBody(timestamp, "NE", address), state];
  return before === "unreachable" ? [lifecycleBody(timestamp, "CE", address), state] : [state];
}

/** A program that is new, or has another name or place, is found by reading the list again. */
function programBodies(
  timestamp: string,
  entry: ProgramEntry | undefined,
  { sent, zone }: FrameSources,
): readonly string[] {
  if (!entry) return [];
  const listed = sent.programPlaces.get(entry.id) === programPlace(entry);
  const list = listed ? [] : [programListBody(timestamp)];
  return entry.kind === "folder" ? list : [...list, programBody(timestamp, entry, zone)];
}

function programListBody(timestamp: string): string {
  return eventBody({ timestamp, control: "_1", action: 1 });
}

function programRunBodies(
  timestamp: string,
  entry: ProgramEntry | undefined,
  run: Partial<ProgramRun>,
  zone: Zone,
): readonly string[] {
  if (!entry) return [];
  // Folders have no event, so another state of a folder is found by reading the list again.
  if (entry.kind === "folder") return run.status === undefined ? [] : [programListBody(timestamp)];
  const { nextRunAtMs, ...rest } = run;
  if (nextRunAtMs && Object.keys(rest).length === 0) return [nextRunBody(timestamp, entry.id, nextRunAtMs, zone)];
  return [programBody(timestamp, entry, zone)];
}

function variableBodies(timestamp: string, change: ChangeOf<"variable">, home: Home, zone: Zone): readonly string[] {
  if (change.type === "variable-added") return [variableTableBody(timestamp, change.variable.type)];
  if (change.type !== "variable-written" && change.type !== "variable-init-written") {
    return [variableTableBody(timestamp, change.variableType)];
  }
  const variable = findVariable(home, change.variableType, change.id);
  if (!variable) return [];
  const written = change.type === "variable-written";
  return [written ? variableValueBody(timestamp, variable, zone) : variableInitBody(timestamp, variable)];
}

type ResourceFired = Extract<Change, { readonly type: "network-resource-fired" }>;
type DeviceParameter = Extract<Change, { readonly type: "device-parameter" }>;

/** "General" among a radio's dotted actions. */
const RADIO_GENERAL = 3;

/**
 * The outcome of a request that was only acknowledged: a fired network resource, a parameter of a radio device.
 * A line of text; without the resource's own detail, which may hold what the other machine answered.
 */
function resourceFiredBody(timestamp: string, { id, outcome }: ResourceFired): string {
  return eventBody({ timestamp, control: "_1", action: 3, info: `[Network resource ${id}] ${outcome}` });
}

/** The device's reply with the same members as the answer of the query path; of a wired device, what was written into its memory. */
function deviceParameterBodies(
  timestamp: string,
  change: DeviceParameter,
  family: number | undefined,
): readonly string[] {
  const { address, number, size, value } = change;
  if (family === WIRED.id && number === BACKLIGHT_MEMORY) {
    const [at, byte] = [number.toString(16).padStart(4, "0"), value.toString(16).padStart(2, "0")].map((hex) =>
      hex.toUpperCase(),
    );
    const written = `[${address}] Memory : Write dbAddr=0x${at} [${byte}] cmd1=0x2E cmd2=0x00`;
    return [eventBody({ timestamp, control: "_7", action: 1, info: written })];
  }
  const info = `<config node="${escapeXml(address)}" paramNum="${number}" size="${size}" value="${value}" />`;
  const control = family === undefined ? undefined : familyOf(family).radio?.eventControl;
  return control === undefined ? [] : [eventBody({ timestamp, control, action: RADIO_GENERAL, info })];
}
