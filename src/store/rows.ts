/** The rows that a change touches. Their content is read from the home afterwards. */

import { entriesOf } from "../home/apply-change.ts";
import { type Change, isFact, isStateChange, type JournalEntry } from "../home/change.ts";
import { numberedThing } from "../home/highest-ids.ts";
import { holdRowKey } from "../home/program-holds.ts";
import { variableKey } from "../home/variables.ts";
import { HIGHEST_IDS, type HomeTableName } from "./home-tables.ts";

/** `removed`: the thing was removed; one that is added again under its key is a new row. */
type RowTouch = readonly [table: HomeTableName, key: string, removed?: "removed"];

const HIGHEST_IDS_ROW: RowTouch = ["controller", HIGHEST_IDS];

export function rowsOf(entry: JournalEntry): readonly RowTouch[] {
  if ("change" in entry) {
    const rows = rowsOfChange(entry.change);
    return numberedThing(entry.change) === null ? rows : [...rows, HIGHEST_IDS_ROW];
  }
  return [
    ...entriesOf(entry).flatMap(({ change }) => rowsOfChange(change)),
    HIGHEST_IDS_ROW,
    ...entry.edit.forgets.map((seq): RowTouch => ["edits", String(seq), "removed"]),
    ["edits", String(entry.seq)],
  ];
}

function rowsOfChange(change: Change): readonly RowTouch[] {
  if (!isStateChange(change)) return [];
  switch (change.type) {
    case "controller-changed":
      return [["controller", "controller"]];
    case "node-added":
    case "node-revised":
      return rowsAt(["nodes", "properties", "hidden_nodes"], change.node.address);
    case "node-renamed":
    case "node-enabled":
    case "node-link-changed":
      return [["nodes", change.address]];
    case "node-removed":
      return [...removedFrom(["nodes", "properties"], change.address), ["hidden_nodes", change.address]];
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
      return rowsAt(["programs", "program_runs"], String(change.program.id));
    case "program-ran":
      return [["program_runs", String(change.id)]];
    case "program-removed":
      return removedFrom(["programs", "program_runs", "program_progress"], String(change.id));
    case "program-progressed":
      return (change.progress ? rowsAt : removedFrom)(["program_progress"], String(change.id));
    case "program-held":
      return (change.hold ? rowsAt : removedFrom)(["program_holds"], holdRowKey(change.id, change.key));
    case "variable-added":
      return [["variables", variableKey(change.variable.type, change.variable.id)]];
    case "variable-renamed":
    case "variable-precision-changed":
    case "variable-values-named":
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
  }
}

/** Nothing reads it later: the journal leaves it out. */
export function isTransient(entry: JournalEntry): boolean {
  if (!("change" in entry)) return false;
  const { change } = entry;
  return change.type === "busy-changed" || (change.type === "command-moved" && change.state === "accepted");
}

function rowsAt(tables: readonly HomeTableName[], key: string): readonly RowTouch[] {
  return tables.map((table) => [table, key]);
}

function removedFrom(tables: readonly HomeTableName[], key: string): readonly RowTouch[] {
  return tables.map((table) => [table, key, "removed"]);
}

/** Facts wait for company, edits go to the disk at once. */
export function mayWait(entry: JournalEntry): boolean {
  return "change" in entry && isFact(entry.change);
}
