/** The one way into the home: applies a change. Unknown addresses are ignored, so an old journal entry can be applied twice. */

import type { Change } from "./change.ts";
import { putFolder, removeFolder } from "./folders.ts";
import { putGroup, removeGroup } from "./groups.ts";
import type { Home } from "./home.ts";
import { putNetworkResource, removeNetworkResource } from "./network-resources.ts";
import { patchNode, putNode, putProperty, removeNode } from "./nodes.ts";
import { patchProgramRun, putProgram, removeProgram } from "./programs.ts";
import { findVariable, putVariable, removeVariable, type Variable, type VariableType } from "./variables.ts";

export function applyChange(home: Home, change: Change): void {
  switch (change.type) {
    case "controller-changed":
      home.controller = change.controller;
      return home.touch("controller", "structure");
    case "busy-changed":
      home.busy = change.busy;
      return;
    case "node-added":
    case "node-revised":
      return putNode(home, change.node);
    case "node-removed":
      return removeNode(home, change.address);
    case "node-renamed":
      return patchNode(home, change.address, { name: change.name });
    case "node-enabled":
      return patchNode(home, change.address, { enabled: change.enabled });
    case "node-link-changed":
      return patchNode(home, change.address, { link: change.link });
    case "parent-changed":
      return applyParent(home, change);
    case "property-changed":
      return putProperty(home, change.address, change.property);
    case "group-added":
    case "group-links-changed":
      return putGroup(home, change.group);
    case "group-removed":
      return removeGroup(home, change.address);
    case "group-renamed":
      return renameGroup(home, change.address, change.name);
    case "folder-added":
      return putFolder(home, change.folder);
    case "folder-removed":
      return removeFolder(home, change.address);
    case "folder-renamed":
      return renameFolder(home, change.address, change.name);
    case "program-added":
    case "program-changed":
      return putProgram(home, change.program);
    case "program-removed":
      return removeProgram(home, change.id);
    case "program-ran":
      return patchProgramRun(home, change.id, change.run);
    case "variable-added":
      return putVariable(home, change.variable);
    case "variable-removed":
      return removeVariable(home, change.variableType, change.id);
    case "variable-renamed":
      return patchVariable(home, change.variableType, change.id, { name: change.name });
    case "variable-precision-changed":
      return patchVariable(home, change.variableType, change.id, { prec: change.prec });
    case "variable-written":
      return patchVariable(home, change.variableType, change.id, {
        value: change.value,
        writtenAtMs: change.writtenAtMs,
      });
    case "variable-init-written":
      return patchVariable(home, change.variableType, change.id, { init: change.init });
    case "network-resource-put":
      return putNetworkResource(home, change.resource);
    case "network-resource-removed":
      return removeNetworkResource(home, change.id);
    case "control-sent":
    case "write-progress":
    case "network-resource-fired":
    case "command-moved":
    case "device-parameter":
      return; // Happenings: they leave no state behind.
  }
}

function applyParent(home: Home, change: Extract<Change, { type: "parent-changed" }>): void {
  if (change.kind === "node") return patchNode(home, change.address, { parent: change.parent });
  const group = home.groups.get(change.address);
  if (change.kind === "group" && group) return putGroup(home, { ...group, parent: change.parent });
  const folder = home.folders.get(change.address);
  if (change.kind === "folder" && folder) putFolder(home, { ...folder, parent: change.parent });
}

function renameGroup(home: Home, address: string, name: string): void {
  const group = home.groups.get(address);
  if (group) putGroup(home, { ...group, name });
}

function renameFolder(home: Home, address: string, name: string): void {
  const folder = home.folders.get(address);
  if (folder) putFolder(home, { ...folder, name });
}

function patchVariable(home: Home, type: VariableType, id: number, patch: Partial<Variable>): void {
  const variable = findVariable(home, type, id);
  if (variable) putVariable(home, { ...variable, ...patch });
}
