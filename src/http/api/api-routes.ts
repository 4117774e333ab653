/** The table of the JSON surface. A new path: a handler beside this file, a line here, its page, a flow test. */

import type { Route } from "../route.ts";
import { commandData, commandsData, getCommand, listCommands } from "./commands.ts";
import { configData, getConfig } from "./config.ts";
import { getGroups, groupsData } from "./groups.ts";
import { loginRoutes } from "./login.ts";
import { createNodesHandler, nodesData, renameBody, renameNode } from "./nodes.ts";
import { createOpenApiHandler } from "./openapi.ts";
import { getPrograms, programsData } from "./programs.ts";
import { getTriggers, triggersData } from "./triggers.ts";
import {
  addVariable,
  listVariables,
  removeVariable,
  updateVariable,
  variableCreateBody,
  variableData,
  variablesData,
  variableUpdateBody,
} from "./variables.ts";

/** Made per listener set, because some handlers keep encoded pieces. */
export function createApiRoutes(): readonly Route[] {
  const read = { method: "GET", listener: "portal", access: "read", changes: false } as const;
  const edit = { listener: "portal", access: "edit-variables", changes: true, page: "variables" } as const;
  const routes: readonly Route[] = [
    ...loginRoutes,
    {
      ...read,
      path: "/api/config",
      access: "public",
      summary: "What the controller is.",
      page: "config",
      data: configData,
      handle: getConfig,
    },
    {
      ...read,
      path: "/api/nodes",
      summary: "The tree: nodes, folders, groups.",
      page: "nodes",
      data: nodesData,
      handle: createNodesHandler(),
    },
    {
      method: "POST",
      listener: "portal",
      path: "/api/nodes/:address",
      access: "rename",
      changes: true,
      summary: "Renames a node, group or folder.",
      page: "nodes",
      body: renameBody,
      handle: renameNode,
    },
    {
      ...read,
      path: "/api/groups",
      summary: "The links of every scene.",
      page: "groups",
      data: groupsData,
      handle: getGroups,
    },
    {
      ...read,
      path: "/api/programs",
      summary: "Programs and their folders.",
      page: "programs",
      data: programsData,
      handle: getPrograms,
    },
    {
      ...read,
      path: "/api/triggers",
      summary: "The syntax tree of every program.",
      page: "triggers",
      data: triggersData,
      handle: getTriggers,
    },
    {
      ...read,
      path: "/api/variables/:type",
      summary: "The variables of a type.",
      page: "variables",
      data: variablesData,
      handle: listVariables,
    },
    {
      ...edit,
      method: "PUT",
      path: "/api/variables/:type",
      summary: "Makes a variable.",
      body: variableCreateBody,
      data: variableData,
      handle: addVariable,
    },
    {
      ...edit,
      method: "POST",
      path: "/api/variables/:type/:id",
      access: writesValue,
      summary: "Writes the value, the init, the name or the precision.",
      body: variableUpdateBody,
      handle: updateVariable,
    },
    {
      ...edit,
      method: "DELETE",
      path: "/api/variables/:type/:id",
      summary: "Removes a variable.",
      handle: removeVariable,
    },
    {
      ...read,
      path: "/api/commands",
      summary: "What became of the latest commands.",
      page: "commands",
      data: commandsData,
      handle: listCommands,
    },
    {
      ...read,
      path: "/api/commands/:id",
      summary: "What became of one command.",
      page: "commands",
      data: commandData,
      handle: getCommand,
    },
    {
      ...read,
      path: "/api/openapi.json",
      summary: "This document.",
      page: "openapi",
      handle: createOpenApiHandler(() => routes),
    },
  ];
  return routes;
}

/** Writing a value is living in the home; everything else of a variable is building it. */
function writesValue(request: { readonly body: unknown }): "write-variable" | "edit-variables" {
  const { body } = request;
  return typeof body === "object" && body !== null && "value" in body ? "write-variable" : "edit-variables";
}
