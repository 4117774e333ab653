/** The table of the JSON surface. A new path: a handler beside this file, a line here, its page, a flow test. */

import type { Action } from "../../auth/policy.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import { variableInPath } from "../things.ts";
import {
  accountBody,
  accountData,
  accountsData,
  addAccount,
  addedAccountData,
  listAccounts,
  passwordBody,
  passwordData,
  removeAccount,
  rightsBody,
  setPassword,
  setRights,
} from "./accounts/accounts.ts";
import { guestRoutes } from "./accounts/guests.ts";
import { pageLayerRoutes } from "./accounts/page-layer.ts";
import {
  BACKUP_FILE_TYPE,
  backupBody,
  backupData,
  backupQuery,
  backupsData,
  getBackup,
  getBackupFile,
  listBackups,
  makeBackup,
  removeBackup,
  testBackup,
} from "./backup/backup.ts";
import { act, actBody, actionsData, getActions } from "./act.ts";
import { commandData, commandsData, getCommand, listCommands } from "./commands.ts";
import { configData, getConfig } from "./config.ts";
import { replayRoutes } from "./replays.ts";
import { editRoutes } from "./edit/edit-routes.ts";
import { getGroups, groupsData } from "./groups.ts";
import { loginRoutes } from "./login.ts";
import { integrationRoutes } from "./integrations.ts";
import { moveInRoutes } from "./move-in.ts";
import { getReport, reportData } from "./report.ts";
import { getNodes, renameBody, renameNode } from "./nodes.ts";
import { createOpenApiHandler } from "./openapi.ts";
import { getPast, pastData, pastQuery } from "./past.ts";
import { versionQuery } from "./program-members.ts";
import {
  appliedTextData,
  applyProgramText,
  textQuery,
  getProgramText,
  programTextBody,
  programTextData,
  putProgramText,
} from "./program-text.ts";
import {
  addFolder,
  deleteProgram,
  folderCreateBody,
  getProgram,
  getPrograms,
  programData,
  programsData,
  programUpdateBody,
  updateProgram,
} from "./programs.ts";
import { channelRoutes } from "./channels.ts";
import { pluginRoutes } from "./plugins.ts";
import { radioRoutes } from "./radios/radios.ts";
import { aboutData, getAbout, getSystem, systemData, systemMembers } from "./system.ts";
import { getSeries, seriesData, seriesQuery } from "./history.ts";
import { getProgramTrace, getTrace, traceData, traceQuery } from "./trace.ts";
import { nodesData } from "./tree-schema.ts";
import {
  addTrigger,
  getTrigger,
  getTriggers,
  removeTrigger,
  replaceTrigger,
  triggerCreateBody,
  triggerData,
  triggerReplaceBody,
  triggersData,
} from "./triggers.ts";
import {
  addedVariableData,
  addVariable,
  listVariables,
  removeVariable,
  updateVariable,
  variableCreateBody,
  variablesData,
  variableUpdateBody,
} from "./variables.ts";
import { getWhyNode, getWhyProgram, whyNodeData, whyNodeQuery, whyProgramData, whyProgramQuery } from "./why.ts";
import { findingsSchema } from "./verify/findings.ts";
import { verify, verifyBody, verifyData } from "./verify/verify.ts";

type Handle = Route["handle"];

export const apiRoutes: readonly Route[] = [
  ...loginRoutes,
  ...channelRoutes,
  {
    ...reads("/api/config", "config", "The controller's identity and settings.", getConfig, configData),
    access: "public",
  },
  showsPast("/api/nodes", "nodes", "The tree: nodes, folders, groups.", getNodes, nodesData),
  {
    ...writes("POST", "/api/nodes/:address", "nodes", "Renames a node, group or folder.", renameNode),
    access: "rename",
    body: renameBody,
  },
  shows("/api/nodes/:address/act", "nodes", "The possible actions at a simulated device.", getActions, actionsData),
  {
    ...writes("POST", "/api/nodes/:address/act", "nodes", "Does what a person at a simulated device does.", act),
    access: "run-program",
    body: actBody,
  },
  showsPast("/api/groups", "groups", "The links of every scene.", getGroups, groupsData),
  showsPast("/api/programs", "programs", "Programs and their folders.", getPrograms, programsData),
  showsPast("/api/programs/:id", "programs", "One program or folder, with its conditions.", getProgram, programData),
  {
    ...savesProgram("POST", "/api/programs", "programs", "Makes a folder.", addFolder),
    body: folderCreateBody,
    holdsProgram: true,
    data: programData,
  },
  {
    ...savesProgram("POST", "/api/programs/:id", "programs", "Writes members of a program or folder.", updateProgram),
    body: programUpdateBody,
    holdsProgram: true,
    data: programData,
  },
  {
    ...reads(
      "/api/why/node/:address",
      "why",
      "The cause of a node's state, now or at a time.",
      getWhyNode,
      whyNodeData,
    ),
    query: whyNodeQuery,
  },
  {
    ...reads("/api/why/program/:id", "why", "Why a program ran, or did not.", getWhyProgram, whyProgramData),
    query: whyProgramQuery,
  },
  {
    ...reads("/api/programs/:id/text", "programs", "A program as text.", getProgramText, programTextData),
    past: true,
  },
  {
    ...savesProgram("PUT", "/api/programs/:id/text", "programs", "Replaces a program by its text.", putProgramText),
    query: textQuery,
    body: programTextBody,
    holdsProgram: true,
    data: programTextData,
  },
  {
    ...savesProgram("POST", "/api/programs/text", "programs", "Makes or replaces a program.", applyProgramText),
    query: textQuery,
    body: programTextBody,
    holdsProgram: true,
    data: appliedTextData,
  },
  {
    ...editsPrograms("POST", "/api/programs/verify", "programs", "Looks for mistakes; changes nothing.", verify),
    changes: false,
    body: verifyBody,
    holdsProgram: true,
    data: verifyData,
  },
  {
    ...editsPrograms("DELETE", "/api/programs/:id", "programs", "Removes a program or an empty folder.", deleteProgram),
    query: versionQuery,
  },
  {
    ...reads(
      "/api/history/:address/:property",
      "history",
      "The values of a property over a span.",
      getSeries,
      seriesData,
    ),
    query: seriesQuery,
  },
  {
    ...reads("/api/past", "past", "The facts about a time, and the number of changes around it.", getPast, pastData),
    query: pastQuery,
  },
  {
    ...reads("/api/trace", "trace", "The actions of programs and their causes.", getTrace, traceData),
    query: traceQuery,
  },
  {
    ...reads(
      "/api/programs/:id/trace",
      "trace",
      "The actions of one program and their causes.",
      getProgramTrace,
      traceData,
    ),
    query: traceQuery,
  },
  showsPast("/api/triggers", "triggers", "The syntax tree of every program.", getTriggers, triggersData),
  showsPast("/api/triggers/:id", "triggers", "The syntax tree of one program.", getTrigger, triggerData),
  {
    ...savesProgram("PUT", "/api/trigger", "triggers", "Makes a program.", addTrigger),
    body: triggerCreateBody,
    holdsProgram: true,
    data: triggerData,
  },
  {
    ...savesProgram("POST", "/api/trigger", "triggers", "Replaces the tree of a program.", replaceTrigger),
    body: triggerReplaceBody,
    holdsProgram: true,
    data: triggerData,
  },
  {
    ...editsPrograms("DELETE", "/api/trigger/:id", "triggers", "Removes a program.", removeTrigger),
    query: versionQuery,
  },
  showsPast("/api/variables/:type", "variables", "The variables of a type.", listVariables, variablesData),
  {
    ...writes("PUT", "/api/variables/:type", "variables", "Makes a variable.", addVariable),
    body: variableCreateBody,
    data: addedVariableData,
  },
  {
    ...writes(
      "POST",
      "/api/variables/:type/:id",
      "variables",
      "Writes value, init, name or precision.",
      updateVariable,
    ),
    access: { least: "write-variable", action: variableAction },
    limited: variableInPath,
    body: variableUpdateBody,
  },
  writes("DELETE", "/api/variables/:type/:id", "variables", "Removes a variable.", removeVariable),
  ...editRoutes,
  ...radioRoutes,
  ...integrationRoutes,
  ...pluginRoutes,
  ...moveInRoutes,
  { ...shows("/api/sys", "system", "Which parts the controller has.", getSystem, systemData), beside: systemMembers },
  shows("/api/system/about", "system", "How full memory and disk are.", getAbout, aboutData),
  shows("/api/commands", "commands", "The outcomes of the latest commands.", listCommands, commandsData),
  shows("/api/commands/:id", "commands", "The outcome of one command.", getCommand, commandData),
  administers(reads("/api/accounts", "accounts", "The accounts and their roles.", listAccounts, accountsData)),
  administers({
    ...writes("POST", "/api/accounts", "accounts", "Makes an account.", addAccount),
    body: accountBody,
    data: addedAccountData,
  }),
  administers({
    ...writes("POST", "/api/accounts/:id", "accounts", "Another role, or other limits.", setRights),
    body: rightsBody,
    data: accountData,
  }),
  administers({
    ...writes("POST", "/api/accounts/:id/password", "accounts", "Gives an account another password.", setPassword),
    body: passwordBody,
    data: passwordData,
  }),
  administers(writes("DELETE", "/api/accounts/:id", "accounts", "Removes an account.", removeAccount)),
  ...guestRoutes,
  ...pageLayerRoutes,
  administers(reads("/api/backup", "backup", "The backups that the controller holds.", listBackups, backupsData)),
  administers({
    ...writes("POST", "/api/backup", "backup", "Begins a backup.", makeBackup),
    body: backupBody,
    data: backupData,
  }),
  administers({
    ...reads("/api/backup/:id", "backup", "One backup, and how far it is.", getBackup, backupData),
    query: backupQuery,
  }),
  administers({
    ...reads("/api/backup/:id/file", "backup", "The file of a backup.", getBackupFile),
    fileType: BACKUP_FILE_TYPE,
  }),
  administers({
    ...writes("POST", "/api/backup/:id/test", "backup", "Begins to restore a backup into memory.", testBackup),
    data: backupData,
  }),
  administers(writes("DELETE", "/api/backup/:id", "backup", "Removes a backup.", removeBackup)),
  administers(reads("/api/report", "monitoring", "The support report.", getReport, reportData)),
  ...replayRoutes,
  shows(
    "/api/openapi.json",
    "openapi",
    "This document.",
    createOpenApiHandler(() => apiRoutes),
  ),
];

function reads(path: string, page: string, summary: string, handle: Handle, data?: JsonSchema): Route {
  const route = {
    method: "GET",
    path,
    listener: "portal",
    access: "read",
    changes: false,
    page,
    summary,
    handle,
  } as const;
  return data ? { ...route, data } : route;
}

/** Also to accounts with limits, as far as these go. */
function shows(...args: Parameters<typeof reads>): Route {
  return { ...reads(...args), limited: "view" };
}

/** Also as it was, by `?at=`. */
function showsPast(...args: Parameters<typeof reads>): Route {
  return { ...shows(...args), past: true };
}

/** Answers with what verification has to say of the program. */
function savesProgram(...args: Parameters<typeof editsPrograms>): Route {
  return { ...editsPrograms(...args), beside: { findings: findingsSchema } };
}

function editsPrograms(...[method, path, page, summary, handle]: Parameters<typeof writes>): Route {
  return { ...writes(method, path, page, summary, handle), access: "edit-program" };
}

function administers(route: Route): Route {
  return { ...route, access: "administer" };
}

/** Requires `edit-variables` unless the line says otherwise. */
function writes(method: "PUT" | "POST" | "DELETE", path: string, page: string, summary: string, handle: Handle): Route {
  return { method, path, listener: "portal", access: "edit-variables", changes: true, page, summary, handle };
}

/** Writing a value is living in the home; everything else of a variable is building it. */
function variableAction({ body }: HttpRequest): Action {
  return typeof body === "object" && body !== null && "value" in body ? "write-variable" : "edit-variables";
}
