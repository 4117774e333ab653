/** A loaded home as plain data, in one order for any order of documents: for comparing and storing. */

import { pathOf } from "./place.ts";
import type { ControllerConfig, FolderRecord, GroupRecord, NodeRecord } from "./records.ts";
import { hasDimmableMembers, hasStateTarget, isAllOn, isAnyOn } from "./scenes.ts";
import type { HomeState } from "./state.ts";

/** Plain data, keys sorted, for comparing and storing. */
export type HomeSnapshot = {
  readonly config: ControllerConfig;
  readonly name: string;
  readonly nodes: readonly object[];
  readonly groups: readonly object[];
  readonly folders: readonly object[];
  readonly programs: readonly object[];
  readonly variables: readonly object[];
  readonly resources: readonly object[];
};

export function snapshotOf(config: ControllerConfig, state: HomeState): HomeSnapshot {
  const variables = [...state.variables[1].values(), ...state.variables[2].values()];
  return {
    config,
    name: state.controllerName,
    nodes: sorted(state.nodes).map((node) => nodeSnapshot(state, node)),
    groups: sorted(state.groups).map((group) => groupSnapshot(state, group)),
    folders: sorted(state.folders).map((folder) => folderSnapshot(state, folder)),
    programs: sorted(state.programs).map((program) => ({ ...program })),
    variables: variables.sort((a, b) => a.type - b.type || compare(a.id, b.id)).map((variable) => ({ ...variable })),
    resources: sorted(state.resources).map((resource) => ({ ...resource })),
  };
}

export function nodeSnapshot(state: HomeState, node: NodeRecord): object {
  const properties = sorted(node.properties).map((property) => ({ ...property }));
  return { ...node, path: pathOf(state, node), properties };
}

export function groupSnapshot(state: HomeState, group: GroupRecord): object {
  return {
    ...group,
    path: pathOf(state, group),
    intents: Object.fromEntries([...group.intents].sort(([a], [b]) => compare(a, b))),
    anyOn: isAnyOn(state, group),
    allOn: isAllOn(state, group),
    hasStateTarget: hasStateTarget(group),
    hasDimmableMembers: hasDimmableMembers(state, group),
  };
}

export function folderSnapshot(state: HomeState, folder: FolderRecord): object {
  return { ...folder, path: pathOf(state, folder) };
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map].sort(([a], [b]) => compare(a, b)).map(([, value]) => value);
}

/** By code units: no locale makes another order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
