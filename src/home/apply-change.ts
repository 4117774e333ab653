/** The one way into the home: applies a change or a whole entry. Unknown addresses are ignored, so an old journal entry can be applied twice. */

import type { Change, ChangeType, Entry, JournalEntry } from "./change.ts";
import { rememberEdit } from "./edit-history.ts";
import { changesOf } from "./editable.ts";
import type { Folder } from "./folders.ts";
import type { Group } from "./groups.ts";
import { noteId, numberedThing } from "./highest-ids.ts";
import type { Home } from "./home.ts";
import type { IntegrationRecord } from "./integrations.ts";
import { addNode, dropNode, patchNode, putNode, putProperty, setNodeEnabled } from "./nodes.ts";
import type { HomePart } from "./parts.ts";
import { putProgramHold } from "./program-holds.ts";
import { putProgramProgress } from "./program-progress.ts";
import { dropProgram, patchProgramRun, putProgram } from "./programs.ts";
import { findVariable, putVariable, removeVariable, type Variable, type VariableType } from "./variables.ts";

type Apply<T extends ChangeType> = (home: Home, change: Extract<Change, { type: T }>) => void;

/** Happenings leave no state behind. */
const nothing = () => {};

/** One row per member of the union; the compiler refuses a member without a row. */
const APPLY: { readonly [T in ChangeType]: Apply<T> } = {
  "controller-changed": (home, { controller }) => {
    home.controller = controller;
    home.touch("controller", "structure");
  },
  "busy-changed": (home, { busy }) => {
    home.busy = busy;
  },
  "node-added": (home, { node, properties = [] }) => addNode(home, node, properties),
  "node-revised": (home, { node }) => putNode(home, node),
  "node-removed": (home, { address, isHidden = false }) => dropNode(home, address, isHidden),
  "node-renamed": (home, { address, name }) => patchNode(home, address, { name }),
  "node-enabled": (home, { address, enabled, because = null }) => setNodeEnabled(home, address, enabled, because),
  "node-link-changed": (home, { address, link }) => patchNode(home, address, { link }),
  "parent-changed": applyParent,
  "property-changed": (home, { address, property }) => putProperty(home, address, property),
  "control-sent": nothing,
  "write-progress": nothing,
  "group-added": (home, { group }) => putGroup(home, group),
  "group-links-changed": (home, { group }) => putGroup(home, group),
  "group-removed": (home, { address }) => drop(home, home.groups, address, "structure", "groups"),
  "group-renamed": (home, { address, name }) => {
    const group = home.groups.get(address);
    if (group) putGroup(home, { ...group, name });
  },
  "folder-added": (home, { folder }) => putFolder(home, folder),
  "folder-removed": (home, { address }) => drop(home, home.folders, address, "structure"),
  "folder-renamed": (home, { address, name }) => {
    const folder = home.folders.get(address);
    if (folder) putFolder(home, { ...folder, name });
  },
  "program-added": (home, { program }) => putProgram(home, program),
  "program-changed": (home, { program }) => putProgram(home, program),
  "program-removed": (home, { id }) => {
    dropProgram(home, id);
    putProgramProgress(home, id, null);
  },
  "program-ordered": nothing,
  "programs-started": nothing,
  "guest-visited": nothing,
  "program-ran": (home, { id, run }) => patchProgramRun(home, id, run),
  "programs-cut": nothing,
  "program-progressed": (home, { id, progress }) => putProgramProgress(home, id, progress),
  "program-held": (home, { id, key, hold }) => putProgramHold(home, id, key, hold),
  "variable-added": (home, { variable }) => putVariable(home, variable),
  "variable-removed": (home, { variableType, id }) => removeVariable(home, variableType, id),
  "variable-renamed": (home, { variableType, id, name }) => patchVariable(home, variableType, id, { name }),
  "variable-precision-changed": (home, { variableType, id, prec }) => patchVariable(home, variableType, id, { prec }),
  "variable-values-named": (home, { variableType, id, valueNames }) =>
    patchVariable(home, variableType, id, { valueNames }),
  "variable-written": (home, { variableType, id, value, writtenAtMs }) => {
    if (home.variables[variableType].get(id)?.value !== value)
      patchVariable(home, variableType, id, { value, writtenAtMs });
  },
  "variable-init-written": (home, { variableType, id, init }) => patchVariable(home, variableType, id, { init }),
  "network-resource-put": (home, { resource }) =>
    put(home, home.networkResources, resource.id, resource, "networkResources"),
  "network-resource-removed": (home, { id }) => drop(home, home.networkResources, id, "networkResources"),
  "network-resource-fired": nothing,
  "integration-added": (home, { integration }) => putIntegration(home, integration),
  "integration-changed": (home, { integration }) => putIntegration(home, integration),
  "integration-removed": (home, { id }) => drop(home, home.integrations, id, "integrations"),
  "command-moved": nothing,
  "device-parameter": nothing,
  "operation-moved": nothing,
};

export function applyChange(home: Home, change: Change): void {
  // The row is that of the change's own type; the compiler cannot follow the pairing through the index.
  const apply = APPLY[change.type] as (home: Home, change: Change) => void;
  apply(home, change);
  const numbered = numberedThing(change);
  if (numbered !== null) noteId(home, numbered);
}

/** Also what the history of edits remembers of it. */
export function applyEntry(home: Home, entry: JournalEntry): void {
  for (const { change } of entriesOf(entry)) applyChange(home, change);
  if ("edit" in entry) rememberEdit(home, entry);
}

/** The changes of an entry, each as an entry of its own under the same number. */
export function entriesOf(entry: JournalEntry): readonly Entry[] {
  if ("change" in entry) return [entry];
  const { edit, ...numbered } = entry;
  return edit.things.flatMap(changesOf).map((change) => ({ ...numbered, change }));
}

function put<K, T>(home: Home, things: Map<K, T>, key: K, thing: T, ...parts: readonly HomePart[]): void {
  things.set(key, thing);
  home.touch(...parts);
}

function drop<K>(home: Home, things: Map<K, unknown>, key: K, ...parts: readonly HomePart[]): void {
  if (things.delete(key)) home.touch(...parts);
}

function putFolder(home: Home, folder: Folder): void {
  put(home, home.folders, folder.address, folder, "structure");
}

function putGroup(home: Home, group: Group): void {
  put(home, home.groups, group.address, group, "structure", "groups");
}

function putIntegration(home: Home, integration: IntegrationRecord): void {
  put(home, home.integrations, integration.id, integration, "integrations");
}

function applyParent(home: Home, change: Extract<Change, { type: "parent-changed" }>): void {
  const { address, kind, parent } = change;
  if (kind === "node") patchNode(home, address, { parent });
  const group = home.groups.get(address);
  if (kind === "group" && group) putGroup(home, { ...group, parent });
  const folder = home.folders.get(address);
  if (kind === "folder" && folder) putFolder(home, { ...folder, parent });
}

function patchVariable(home: Home, type: VariableType, id: number, patch: Partial<Variable>): void {
  const variable = findVariable(home, type, id);
  if (variable) putVariable(home, { ...variable, ...patch });
}
