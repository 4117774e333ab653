/**
 * From a change to the events that tell it: none, one or more tails, in order. A new member of the union in
 * `home/change.ts` needs a case here and a row in docs/interface/events.md.
 *
 * @see docs/interface/events.md
 */

import type { Change, Entry } from "../home/change.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Home } from "../home/home.ts";
import type { LinkState, NodeRecord } from "../home/nodes.ts";
import type { ProgramEntry, ProgramRun } from "../home/programs.ts";
import { findVariable } from "../home/variables.ts";
import type { Profile } from "../profile/profile.ts";
import type { Zone } from "../util/zone.ts";
import { eventTimestamp } from "../wire/times.ts";
import { nodeElement } from "../wire/xml-tree.ts";
import { busyTail, eventTail, lifecycleTail, modeTail, textElement } from "./events/event.ts";
import { deviceParameterTail, resourceFiredTail } from "./events/outcome.ts";
import { nextRunTail, programTail, schedulesTail } from "./events/program.ts";
import { controlTail, propertyTail } from "./events/property.ts";
import { radioTails } from "./events/radio.ts";
import { renamedTail, treeTails } from "./events/tree.ts";
import { variableInitTail, variableTableTail, variableValueTail } from "./events/variable.ts";
import { type LastTold, programPlace, programSchedule } from "./last-told.ts";

/** What frames are made of; `home` already shows the change, `told` not yet. */
export type FrameSources = {
  readonly home: Home;
  readonly profile: Profile;
  readonly zone: Zone;
  readonly told: LastTold;
};

export function eventTails(entry: Entry, sources: FrameSources): readonly string[] {
  const tails = tailsOf(entry, sources);
  if (!movesSchedules(entry.change, sources)) return tails;
  return [...tails, schedulesTail(eventTimestamp(entry.atMs, sources.zone), entry)];
}

function tailsOf({ atMs, change }: Entry, sources: FrameSources): readonly string[] {
  const { home, zone, told } = sources;
  const timestamp = eventTimestamp(atMs, zone);
  switch (change.type) {
    case "controller-changed":
      return controllerTails(timestamp, told.controller, change.controller);
    case "busy-changed":
      return [busyTail(timestamp, change.busy)];
    case "node-added":
      return nodeTails(timestamp, "ND", home, change.node);
    case "node-revised":
      return nodeTails(timestamp, "RV", home, change.node);
    case "node-removed":
      return [lifecycleTail(timestamp, "NR", change.address)];
    case "node-renamed":
      return [renamedTail(timestamp, "NN", change)];
    case "node-enabled":
      return [lifecycleTail(timestamp, "EN", change.address, textElement("enabled", change.enabled))];
    case "node-link-changed":
      return linkTails(timestamp, change.address, change.before, change.link);
    case "property-changed":
      return propertyTails(change, sources);
    case "control-sent":
      return controlTails(timestamp, change, home);
    case "write-progress": {
      const verb = change.phase === "pending" ? "WH" : "WD";
      return [lifecycleTail(timestamp, verb, change.address, textElement("status", change.active ? 1 : 0))];
    }
    case "parent-changed":
    case "group-added":
    case "group-removed":
    case "group-renamed":
    case "group-links-changed":
    case "folder-added":
    case "folder-removed":
    case "folder-renamed":
      return treeTails(timestamp, change, home, told);
    case "program-added":
    case "program-changed":
      return programTails(timestamp, home.programs.get(change.program.id), sources);
    case "program-removed":
      return [programListTail(timestamp)];
    case "program-ran":
      return programRunTails(timestamp, home.programs.get(change.id), change.run, zone);
    case "variable-added":
    case "variable-removed":
    case "variable-renamed":
    case "variable-precision-changed":
    case "variable-written":
    case "variable-init-written":
      return variableTails(timestamp, change, home, zone);
    case "network-resource-put": {
      const { id, name } = change.resource;
      const known = told.resourceNames.get(id) === name;
      return known ? [] : [lifecycleTail(timestamp, "WR", name, textElement("newName", name))];
    }
    case "network-resource-fired":
      return [resourceFiredTail(timestamp, change)];
    case "device-parameter":
      return [deviceParameterTail(timestamp, change, home.nodes.get(change.address)?.family)];
    case "radio-moved":
      return radioTails(timestamp, change);
    case "program-ordered":
    case "programs-started":
    case "program-progressed":
    case "network-resource-removed":
    case "command-moved":
      return []; // Clients of this interface know no event for it.
  }
}

/** A schedule came, went, or is another; or the home's time or place is. */
function movesSchedules(change: Change, { home, told }: FrameSources): boolean {
  switch (change.type) {
    case "program-added":
    case "program-changed": {
      const entry = home.programs.get(change.program.id);
      return entry !== undefined && programSchedule(entry) !== (told.programSchedules.get(entry.id) ?? "");
    }
    case "program-removed":
      return told.programSchedules.has(change.id);
    case "controller-changed":
      return told.programSchedules.size > 0 && isElsewhere(told.controller, change.controller);
    default:
      return false;
  }
}

type ControlSent = Extract<Change, { readonly type: "control-sent" }>;

function controlTails(timestamp: string, { address, control, value }: ControlSent, home: Home): readonly string[] {
  return home.nodes.has(address) ? [controlTail(timestamp, address, control, value)] : [];
}

type PropertyChange = Extract<Change, { readonly type: "property-changed" }>;

function propertyTails(
  { address, property }: PropertyChange,
  { home, profile, zone }: FrameSources,
): readonly string[] {
  const node = home.nodes.get(address);
  return node ? [propertyTail(eventTimestamp(property.changedAtMs, zone), profile, node, property)] : [];
}

/** A new name of the controller is the name of its group; a new place or zone is a new time configuration. */
function controllerTails(timestamp: string, before: ControllerRecord, now: ControllerRecord): readonly string[] {
  return [
    ...(before.name === now.name ? [] : [renamedTail(timestamp, "GN", { address: now.uuid, name: now.name })]),
    ...(isElsewhere(before, now) ? [eventTail({ timestamp, control: "_4", action: 1 })] : []),
    ...(before.batchMode === now.batchMode ? [] : [modeTail(timestamp, 5, now.batchMode)]),
    ...(before.batteryWrites === now.batteryWrites ? [] : [modeTail(timestamp, 6, now.batteryWrites)]),
  ];
}

function isElsewhere(before: ControllerRecord, now: ControllerRecord): boolean {
  return before.timeZone !== now.timeZone || before.latitude !== now.latitude || before.longitude !== now.longitude;
}

function nodeTails(timestamp: string, verb: "ND" | "RV", home: Home, record: NodeRecord): readonly string[] {
  const node = home.nodes.get(record.address);
  return node ? [lifecycleTail(timestamp, verb, node.address, nodeElement(node, ""))] : [];
}

/** Only getting lost and coming back are told. */
function linkTails(timestamp: string, address: string, before: LinkState, now: LinkState): readonly string[] {
  if (now === "unreachable") return before === "unreachable" ? [] : [lifecycleTail(timestamp, "NE", address)];
  return before === "unreachable" ? [lifecycleTail(timestamp, "CE", address)] : [];
}

/** A program that is new, or has another name or place, is found by reading the list again. */
function programTails(
  timestamp: string,
  entry: ProgramEntry | undefined,
  { told, zone }: FrameSources,
): readonly string[] {
  if (!entry) return [];
  const listed = told.programPlaces.get(entry.id) === programPlace(entry);
  const list = listed ? [] : [programListTail(timestamp)];
  return entry.kind === "folder" ? list : [...list, programTail(timestamp, entry, zone)];
}

function programListTail(timestamp: string): string {
  return eventTail({ timestamp, control: "_1", action: 1 });
}

function programRunTails(
  timestamp: string,
  entry: ProgramEntry | undefined,
  run: Partial<ProgramRun>,
  zone: Zone,
): readonly string[] {
  if (!entry) return [];
  // No event tells of a folder, so a folder's other truth is found by reading the list again.
  if (entry.kind === "folder") return run.status === undefined ? [] : [programListTail(timestamp)];
  const { nextRunAtMs, ...rest } = run;
  if (nextRunAtMs && Object.keys(rest).length === 0) return [nextRunTail(timestamp, entry.id, nextRunAtMs, zone)];
  return [programTail(timestamp, entry, zone)];
}

type VariableChange = Extract<Change, { readonly type: `variable-${string}` }>;

function variableTails(timestamp: string, change: VariableChange, home: Home, zone: Zone): readonly string[] {
  if (change.type === "variable-added") return [variableTableTail(timestamp, change.variable.type)];
  if (change.type !== "variable-written" && change.type !== "variable-init-written") {
    return [variableTableTail(timestamp, change.variableType)];
  }
  const variable = findVariable(home, change.variableType, change.id);
  if (!variable) return [];
  const written = change.type === "variable-written";
  return [written ? variableValueTail(timestamp, variable, zone) : variableInitTail(timestamp, variable)];
}
