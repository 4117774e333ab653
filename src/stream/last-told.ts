/**
 * What clients were told last of the things whose frames say what is different: a change of a scene's links carries the
 * scene as it is now, its frames name who joined and who left.
 */

import type { Change } from "../home/change.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { GroupMember } from "../home/groups.ts";
import type { Home } from "../home/home.ts";

export class LastTold {
  controller: ControllerRecord;
  readonly members = new Map<string, readonly GroupMember[]>();
  /** Name and place of a program or program folder, as one text. */
  readonly programPlaces = new Map<number, string>();
  readonly resourceNames = new Map<number, string>();

  constructor(controller: ControllerRecord) {
    this.controller = controller;
  }
}

export function tellAll(home: Home): LastTold {
  const told = new LastTold(home.controller);
  for (const group of home.groups.values()) told.members.set(group.address, group.members);
  for (const entry of home.programs.values()) told.programPlaces.set(entry.id, programPlace(entry));
  for (const resource of home.networkResources.values()) told.resourceNames.set(resource.id, resource.name);
  return told;
}

export function programPlace(entry: { readonly name: string; readonly parentId: number | null }): string {
  return `${entry.parentId}/${entry.name}`;
}

/** To be called once with every change, after its frames were made. */
export function remember(told: LastTold, change: Change): void {
  switch (change.type) {
    case "controller-changed":
      told.controller = change.controller;
      return;
    case "group-added":
    case "group-links-changed":
      told.members.set(change.group.address, change.group.members);
      return;
    case "group-removed":
      told.members.delete(change.address);
      return;
    case "program-added":
    case "program-changed":
      told.programPlaces.set(change.program.id, programPlace(change.program));
      return;
    case "program-removed":
      told.programPlaces.delete(change.id);
      return;
    case "network-resource-put":
      told.resourceNames.set(change.resource.id, change.resource.name);
      return;
    case "network-resource-removed":
      told.resourceNames.delete(change.id);
      return;
  }
}
