/**
 * The home as rows: for every table its keys, the body of a key, and its way back into the home. Bodies are JSON
 * records. A new thing of the home needs a row here, a table in a migration and a line in rows.ts.
 */

import { applyChange } from "../home/apply-change.ts";
import { addEdit, type EditRecord } from "../home/edit-history.ts";
import type { Folder } from "../home/folders.ts";
import type { Group } from "../home/groups.ts";
import { Home } from "../home/home.ts";
import type { IntegrationRecord } from "../home/integrations.ts";
import type { NetworkResource } from "../home/network-resources.ts";
import { type LinkState, type NodeRecord, patchNode, putNode, putProperty } from "../home/nodes.ts";
import { type ProgramHold, putProgramHold } from "../home/program-holds.ts";
import { type ProgramProgress, putProgramProgress } from "../home/program-progress.ts";
import { type ProgramEntry, type ProgramRun, patchProgramRun } from "../home/programs.ts";
import type { Property } from "../home/property.ts";
import { type Variable, type VariableType, variableKey } from "../home/variables.ts";
import type { StateTable } from "./database/tables.ts";

type HomeTable = {
  keys(home: Home): Iterable<string | number>;
  /** The record to keep; null or undefined when the home has none. */
  recordOf(home: Home, key: string): unknown;
  /** The checksum of the row was right, so it is a record that `recordOf` gave. */
  load(home: Home, record: never): void;
};

type KeptNode = NodeRecord & { readonly link: LinkState };
type KeptProperties = { readonly address: string; readonly properties: readonly Property[] };
type KeptRun = { readonly id: number; readonly run: Partial<ProgramRun> };

/** Key of the row of the highest ids, beside the controller's own. */
export const HIGHEST_IDS = "highest_ids";

/** In the order in which they are loaded: a node before its properties, a program before its runs. */
export const HOME_TABLES = {
  controller: {
    keys: (home) => (home.highestIds.size > 0 ? ["controller", HIGHEST_IDS] : ["controller"]),
    recordOf: (home, key) => (key === HIGHEST_IDS ? keptHighestIds(home) : home.controller),
    // The home is made from its controller. A home of an earlier version has the numbers of its things and edits alone.
    load: (home, { highestIds = [] }: { readonly highestIds?: Iterable<readonly [string, number]> }) => {
      for (const [kind, id] of highestIds) home.highestIds.set(kind, id);
    },
  },
  folders: {
    keys: (home) => home.folders.keys(),
    recordOf: (home, key) => home.folders.get(key),
    load: (home, folder: Folder) => applyChange(home, { type: "folder-added", folder }),
  },
  groups: {
    keys: (home) => home.groups.keys(),
    recordOf: (home, key) => home.groups.get(key),
    load: (home, group: Group) => applyChange(home, { type: "group-added", group }),
  },
  nodes: {
    keys: (home) => home.nodes.keys(),
    recordOf: keptNode,
    load: (home, { link, ...record }: KeptNode) => {
      putNode(home, record);
      patchNode(home, record.address, { link });
    },
  },
  properties: {
    keys: (home) => home.nodes.keys(),
    recordOf: keptProperties,
    load: (home, { address, properties }: KeptProperties) => {
      for (const property of properties) putProperty(home, address, property);
    },
  },
  programs: {
    keys: (home) => home.programs.keys(),
    recordOf: (home, key) => home.programs.get(Number(key)),
    load: (home, program: ProgramEntry) => applyChange(home, { type: "program-added", program }),
  },
  // A run changes every time; the tree beside it may be long and hardly ever does.
  program_runs: {
    keys: (home) => home.programs.keys(),
    recordOf: keptRun,
    load: (home, { id, run }: KeptRun) => patchProgramRun(home, id, run),
  },
  program_progress: {
    keys: (home) => home.programProgress.keys(),
    recordOf: (home, key) => home.programProgress.get(Number(key)),
    load: (home, progress: ProgramProgress) => putProgramProgress(home, progress.id, progress),
  },
  program_holds: {
    keys: (home) => home.programHolds.keys(),
    recordOf: (home, key) => home.programHolds.get(key),
    load: (home, hold: ProgramHold) => putProgramHold(home, hold.id, hold.key, hold),
  },
  variables: {
    keys: (home) =>
      ([1, 2] as const).flatMap((type) => [...home.variables[type].keys()].map((id) => variableKey(type, id))),
    recordOf: (home, key) => home.variables[Number(key[0]) as VariableType].get(Number(key.slice(2))),
    load: (home, variable: Variable) => applyChange(home, { type: "variable-added", variable }),
  },
  hidden_nodes: {
    keys: (home) => home.hiddenNodes.keys(),
    recordOf: (home, key) => home.hiddenNodes.get(key),
    load: (home, record: NodeRecord) => void home.hiddenNodes.set(record.address, record),
  },
  edits: {
    keys: (home) => home.edits.keys(),
    recordOf: (home, key) => home.edits.get(Number(key)),
    load: (home, edit: EditRecord) => addEdit(home, edit),
  },
  network_resources: {
    keys: (home) => home.networkResources.keys(),
    recordOf: (home, key) => home.networkResources.get(Number(key)),
    load: (home, resource: NetworkResource) => applyChange(home, { type: "network-resource-put", resource }),
  },
  integrations: {
    keys: (home) => home.integrations.keys(),
    recordOf: (home, key) => home.integrations.get(key),
    load: (home, integration: IntegrationRecord) => applyChange(home, { type: "integration-added", integration }),
  },
} as const satisfies { readonly [T in StateTable]?: HomeTable };

export type HomeTableName = keyof typeof HOME_TABLES;

export const HOME_TABLE_NAMES = Object.keys(HOME_TABLES) as readonly HomeTableName[];

export function isHomeTable(table: StateTable): table is HomeTableName {
  return table in HOME_TABLES;
}

/** The body of a row, or null when the home has no such thing (any more). */
export function homeRow(home: Home, table: HomeTableName, key: string): string | null {
  const record = HOME_TABLES[table].recordOf(home, key);
  return record === undefined || record === null ? null : JSON.stringify(record);
}

/** The home of these rows; null when no controller is among them. */
export function homeOf(rows: HomeRows): Home | null {
  const controller = rows.controller.get("controller");
  if (controller === undefined) return null;
  const home = new Home(JSON.parse(controller));
  for (const name of HOME_TABLE_NAMES) {
    const load: (home: Home, record: never) => void = HOME_TABLES[name].load;
    for (const body of rows[name].values()) load(home, JSON.parse(body) as never);
  }
  return home;
}

type HomeRows = Readonly<Record<HomeTableName, ReadonlyMap<string, string>>>;

/** A home of its own with the same content. */
export function copyHome(home: Home): Home {
  const copy = new Home(home.controller);
  for (const name of HOME_TABLE_NAMES) {
    const { keys, recordOf, load }: HomeTable = HOME_TABLES[name];
    for (const key of keys(home)) {
      const record = recordOf(home, String(key));
      if (record !== undefined && record !== null) load(copy, record as never);
    }
  }
  return copy;
}

function keptHighestIds({ highestIds }: Home): { readonly highestIds: readonly (readonly [string, number])[] } | null {
  return highestIds.size > 0 ? { highestIds: [...highestIds] } : null;
}

function keptNode(home: Home, address: string): KeptNode | null {
  const node = home.nodes.get(address);
  if (!node) return null;
  const { properties: _properties, version: _version, ...kept } = node;
  return kept;
}

function keptProperties(home: Home, address: string): KeptProperties | null {
  const node = home.nodes.get(address);
  return node && node.properties.size > 0 ? { address, properties: [...node.properties.values()] } : null;
}

function keptRun(home: Home, key: string): KeptRun | null {
  const program = home.programs.get(Number(key));
  if (!program) return null;
  const { id, status, lastRunAtMs, lastFinishAtMs, nextRunAtMs } = program;
  const running = program.kind === "program" ? { running: program.running } : {};
  return { id, run: { status, lastRunAtMs, lastFinishAtMs, nextRunAtMs, ...running } };
}
