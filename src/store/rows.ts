/** Which rows a change touches. What stands in them then is read from the home, where the change is applied already. */

import type { Change } from "../home/change.ts";
import { type HomeTableName, variableKey } from "./home-tables.ts";

/** `removed`: the thing was removed; one that is added again under its key is a new row. */
export type RowTouch = readonly [table: HomeTableName, key: string, removed?: "removed"];

export function rowsOf(change: Change): readonly RowTouch[] {
  switch (change.type) {
    case "controller-changed":
      return [["controller", "controller"]];
    case "node-added":
    case "node-revised":
      return [["nodes", change.node.address]];
    case "node-renamed":
    case "node-enabled":
    case "node-link-changed":
      return [["nodes", change.address]];
    case "node-removed":
      return removedFrom(["nodes", "properties"], change.address);
    case "property-changed":
      return [["properties", change.address]];
    case "parent-changed":
      return [[`${change.kind}s`, change.address]];
    case "group-added":
    case "group-links-changed":
      return [["groups", change.group.address]];
    case "group-renamed":
      return [["groups", change.address]];
    case "group-removed":
      return [["groups", change.address, "removed"]];
    case "folder-added":
      return [["folders", change.folder.address]];
    case "folder-renamed":
      return [["folders", change.address]];
    case "folder-removed":
      return [["folders", change.address, "removed"]];
    case "program-added":
    case "program-changed":
      return [
        ["programs", String(change.program.id)],
        ["program_runs", String(change.program.id)],
      ];
    case "program-ran":
      return [["program_runs", String(change.id)]];
    case "program-removed":
      return removedFrom(["programs", "program_runs", "program_progress"], String(change.id));
    case "program-progressed":
      if (change.progress === null) return [["program_progress", String(change.id), "removed"]];
      return [["program_progress", String(change.id)]];
    case "variable-added":
      return [["variables", variableKey(change.variable.type, change.variable.id)]];
    case "variable-renamed":
    case "variable-precision-changed":
    case "variable-written":
    case "variable-init-written":
      return [["variables", variableKey(change.variableType, change.id)]];
    case "variable-removed":
      return [["variables", variableKey(change.variableType, change.id), "removed"]];
    case "network-resource-put":
      return [["network_resources", String(change.resource.id)]];
    case "network-resource-removed":
      return [["network_resources", String(change.id), "removed"]];
    case "integration-added":
    case "integration-changed":
      return [["integrations", change.integration.id]];
    case "integration-removed":
      return [["integrations", change.id, "removed"]];
    case "busy-changed":
    case "program-ordered":
    case "programs-started":
    case "control-sent":
    case "write-progress":
    case "network-resource-fired":
    case "command-moved":
    case "device-parameter":
    case "radio-moved":
      return []; // They leave no state behind.
  }
}

/** Nothing reads it later: the journal leaves it out. */
export function isTransient(change: Change): boolean {
  return change.type === "busy-changed" || (change.type === "command-moved" && change.state === "accepted");
}

function removedFrom(tables: readonly HomeTableName[], key: string): readonly RowTouch[] {
  return tables.map((table) => [table, key, "removed"]);
}
