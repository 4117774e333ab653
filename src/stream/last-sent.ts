/**
 * What clients were told last of the things whose frames say what is different: a change of a scene's links carries the
 * scene as it is now, its frames name who joined and who left.
 */

import type { Change } from "../home/change.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { GroupMember } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import type { Condition } from "../home/program-syntax.ts";
import type { ProgramDefinition } from "../home/programs.ts";

export class LastSent {
  controller: ControllerRecord;
  readonly members = new Map<string, readonly GroupMember[]>();
  /** Name and place of a program or program folder, as one text. */
  readonly programPlaces = new Map<number, string>();
  /** What programs and program folders wait for a time by, as one text; nothing of those without a schedule. */
  readonly programSchedules = new Map<number, string>();
  readonly resourceNames = new Map<number, string>();

  constructor(controller: ControllerRecord) {
    this.controller = controller;
  }
}

export function sendAll(home: Home): LastSent {
  const told = new LastSent(home.controller);
  for (const group of home.groups.values()) told.members.set(group.address, group.members);
  for (const entry of home.programs.values()) rememberProgram(told, entry);
  for (const resource of home.networkResources.values()) told.resourceNames.set(resource.id, resource.name);
  return told;
}

export function programPlace(entry: { readonly name: string; readonly parentId: number | null }): string {
  return `${entry.parentId}/${entry.name}`;
}

/** The schedules in the conditions, with whether the program heeds them; empty when there is none. */
export function programSchedule(entry: ProgramDefinition): string {
  const schedules = schedulesIn(entry.kind === "folder" ? entry.conditions : entry.tree.if);
  const heeded = entry.kind === "folder" || (entry.enabled && entry.invalid === null);
  return schedules.length === 0 ? "" : JSON.stringify([heeded, schedules]);
}

function schedulesIn(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((condition) => {
    if (condition.kind === "paren") return schedulesIn(condition.conditions);
    return condition.kind === "schedule" ? [condition] : [];
  });
}

function rememberProgram(told: LastSent, entry: ProgramDefinition): void {
  told.programPlaces.set(entry.id, programPlace(entry));
  const schedule = programSchedule(entry);
  if (schedule === "") told.programSchedules.delete(entry.id);
  else told.programSchedules.set(entry.id, schedule);
}

/** To be called once with every change, after its frames were made. */
export function remember(told: LastSent, change: Change): void {
  if (change.type === "controller-changed") told.controller = change.controller;
  else if (change.type === "group-added" || change.type === "group-links-changed")
    told.members.set(change.group.address, change.group.members);
  else if (change.type === "group-removed") told.members.delete(change.address);
  else if (change.type === "program-added" || change.type === "program-changed") rememberProgram(told, change.program);
  else if (change.type === "program-removed") {
    told.programPlaces.delete(change.id);
    told.programSchedules.delete(change.id);
  } else if (change.type === "network-resource-put") told.resourceNames.set(change.resource.id, change.resource.name);
  else if (change.type === "network-resource-removed") told.resourceNames.delete(change.id);
}
