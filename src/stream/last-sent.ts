/**
 * The last sent state of things whose frames contain a difference: a change of a scene's links has the present scene,
 * and its frames name the members that joined and left.
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
  /** The schedules of programs and program folders, as one text each; nothing for those without. */
  readonly programSchedules = new Map<number, string>();
  readonly resourceNames = new Map<number, string>();

  constructor(controller: ControllerRecord) {
    this.controller = controller;
  }
}

export function lastSentOf(home: Home): LastSent {
  const sent = new LastSent(home.controller);
  for (const group of home.groups.values()) sent.members.set(group.address, group.members);
  for (const entry of home.programs.values()) rememberProgram(sent, entry);
  for (const resource of home.networkResources.values()) sent.resourceNames.set(resource.id, resource.name);
  return sent;
}

export function programPlace(entry: { readonly name: string; readonly parentId: number | null }): string {
  return `${entry.parentId}/${entry.name}`;
}

/** The schedules in the conditions, and whether the program is enabled; empty without a schedule. */
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

function rememberProgram(sent: LastSent, entry: ProgramDefinition): void {
  sent.programPlaces.set(entry.id, programPlace(entry));
  const schedule = programSchedule(entry);
  if (schedule === "") sent.programSchedules.delete(entry.id);
  else sent.programSchedules.set(entry.id, schedule);
}

/** Called once with every change, after its frames were made. */
export function remember(sent: LastSent, change: Change): void {
  if (change.type === "controller-changed") sent.controller = change.controller;
  else if (change.type === "group-added" || change.type === "group-links-changed")
    sent.members.set(change.group.address, change.group.members);
  else if (change.type === "group-removed") sent.members.delete(change.address);
  else if (change.type === "program-added" || change.type === "program-changed") rememberProgram(sent, change.program);
  else if (change.type === "program-removed") {
    sent.programPlaces.delete(change.id);
    sent.programSchedules.delete(change.id);
  } else if (change.type === "network-resource-put") sent.resourceNames.set(change.resource.id, change.resource.name);
  else if (change.type === "network-resource-removed") sent.resourceNames.delete(change.id);
}
