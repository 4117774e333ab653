/**
 * The table of the legacy surface: every path under `/rest`, all of them requested with GET. To add a path, write a
 * handler in this folder, a line here, its page and a flow test. Other paths are answered with 404.
 */

import { RADIO_FAMILIES } from "../../families.ts";
import type { Route } from "../route.ts";
import { nodeInPath, programInPath, resourceInPath, variableInPath } from "../things.ts";
import { getDescription, getSystemConfiguration } from "./appliance.ts";
import { getConfig } from "./config.ts";
import { getPropertyHistory, setRecording } from "./history.ts";
import { getErrorLog, getLog } from "./log.ts";
import { fireResourceByPath, getNetworkResources, getWakeTargets } from "./networking.ts";
import { changeNode, commandNode, disableNode, query, setNodeOn, setProperty } from "./node-command.ts";
import { reportAsNodeServer } from "./node-server.ts";
import { getDevices, getNodeInfo, getNodes, getNotes, getScenes } from "./nodes.ts";
import { getLabels, getProfiles } from "./profiles.ts";
import { commandProgram, getProgram, getPrograms, moveProgram, programAccess } from "./programs.ts";
import { beginMembership, deleteCode, getDefinitions, queryParameter, setCode, setParameter } from "./radio.ts";
import { getNodeStatus, getProperty, getStatus } from "./status.ts";
import {
  getBatchMode,
  getBatteryWrites,
  getNetwork,
  getSubscriptions,
  getSystemOptions,
  ping,
  switchBatchMode,
  switchBatteryWrites,
} from "./system.ts";
import { getTime } from "./time.ts";
import { getVariable, getVariableDefinitions, getVariables, initVariable, setVariableByPath } from "./variables.ts";

export const restRoutes: readonly Route[] = [
  reads("/rest/config", "config", "The configuration of the controller.", getConfig),
  reads("/rest/sys", "system", "Options of the system.", getSystemOptions),
  reads("/rest/time", "time", "Clock, place and sun.", getTime),
  reads("/rest/network", "system", "Addresses and ports of the controller.", getNetwork),
  reads("/rest/subscriptions", "system", "The clients of the event streams.", getSubscriptions),
  reads("/rest/ping", "system", "Whether the controller answers.", ping),
  reads("/rest/batch", "system", "Whether writes to devices are collected.", getBatchMode),
  acts(
    "/rest/batch/:mode",
    "administer",
    "system",
    "Collects writes to devices (on) or sends them (off).",
    switchBatchMode,
  ),
  ...["/rest/batteryPoweredWrites", "/rest/batterypoweredwrites"].flatMap((path) => [
    reads(path, "system", "Whether battery devices are written to.", getBatteryWrites),
    acts(`${path}/:mode`, "administer", "system", "Writes to battery devices (on) or not (off).", switchBatteryWrites),
  ]),

  acts("/rest/ns/:slot/*", "administer", "plugins", "Reports of node servers from before plugins.", reportAsNodeServer),

  reads("/rest/nodes", "nodes", "The tree: folders, nodes, groups.", getNodes),
  reads("/rest/nodes/devices", "nodes", "The nodes of the tree.", getDevices),
  reads("/rest/nodes/scenes", "groups", "The groups of the tree.", getScenes),
  reads("/rest/nodes/:address", "nodes", "One node, group or folder.", getNodeInfo),
  reads("/rest/nodes/:address/notes", "nodes", "Notes of a node; always empty.", getNotes),
  reads("/rest/nodes/:address/status", "status", "The properties of a node.", getNodeStatus),
  reads("/rest/nodes/:address/:property", "status", "One property of a node.", getProperty),
  reads("/rest/nodes/:address/get/:property", "status", "One property of a node.", getProperty),
  acts("/rest/nodes/:address/cmd/:command", "command-node", "commands", "Commands a node or a group.", commandNode, {
    limited: nodeInPath,
  }),
  acts(
    "/rest/nodes/:address/cmd/:command/*",
    "command-node",
    "commands",
    "Commands a node or a group, with parameters.",
    commandNode,
    { limited: nodeInPath },
  ),
  acts("/rest/nodes/:address/set/:property/:value", "command-node", "commands", "Writes a property.", setProperty, {
    limited: nodeInPath,
  }),
  acts("/rest/nodes/:address/enable", "enable-node", "nodes", "Enables a node.", setNodeOn),
  acts("/rest/nodes/:address/disable", "enable-node", "nodes", "Disables a node.", disableNode),
  acts("/rest/nodes/:address/change", "rename", "nodes", "Renames a node, group or folder.", changeNode),
  // Open to everybody while the controller is announced; the handler checks that.
  reads("/desc", "system", "Description of the controller as a UPnP device.", getDescription, { access: "optional" }),
  reads("/WEB/sysconfig.txt", "system", "Operating system and network interfaces.", getSystemConfiguration, {
    access: "administer",
  }),
  reads("/rest/status", "status", "The last reported values of every node.", getStatus, { past: "at" }),
  reads("/rest/status/:address", "status", "The last reported values of one node.", getNodeStatus),
  acts("/rest/query", "command-node", "commands", "Asks every node for its state.", query, { limited: "view" }),
  acts("/rest/query/:address", "command-node", "commands", "Asks one node for its state.", query, {
    limited: nodeInPath,
  }),

  reads("/rest/programs", "programs", "Programs and their folders.", getPrograms),
  reads("/rest/programs/:id", "programs", "One program, or a folder with its contents.", getProgram),
  acts("/rest/programs/:id/:verb", programAccess, "programs", "Runs, stops, enables or disables.", commandProgram, {
    limited: programInPath,
  }),

  acts(
    "/rest/programs/:id/set/parent/:folder",
    "edit-program",
    "programs",
    "Moves a program or folder into a folder.",
    moveProgram,
  ),

  reads("/rest/vars/definitions/:type", "variables", "Names and precisions of variables.", getVariableDefinitions),
  reads("/rest/vars/get/:type", "variables", "Values of variables.", getVariables),
  reads("/rest/vars/get/:type/:id", "variables", "Value of one variable.", getVariable),
  acts("/rest/vars/set/:type/:id/:value", "write-variable", "variables", "Writes a value.", setVariableByPath, {
    limited: variableInPath,
  }),
  acts("/rest/vars/init/:type/:id/:value", "edit-variables", "variables", "Writes an initial value.", initVariable),

  reads("/rest/networking/resources", "networking", "Network resources.", getNetworkResources, { past: "at" }),
  acts(
    "/rest/networking/resources/:id",
    "fire-resource",
    "networking",
    "Fires a network resource.",
    fireResourceByPath,
    { limited: resourceInPath },
  ),
  reads("/rest/networking/wol", "networking", "Machines for Wake-on-LAN; always empty.", getWakeTargets),

  readsJournal("/rest/log", "The latest values, commands and presses as lines of text.", getLog),
  readsJournal("/rest/log/error", "Failed commands and silent devices as lines of text.", getErrorLog),
  reads("/rest/history/node/properties/get", "history", "The changes of properties.", getPropertyHistory, {
    past: "always",
  }),
  acts(
    "/rest/history/node/properties/recording/:choice",
    "administer",
    "history",
    "Turns the recording of properties on or off.",
    setRecording,
  ),

  reads("/rest/profiles", "profiles", "Nodedefs, editors and linkdefs.", getProfiles),
  reads(
    "/rest/profiles/family/:family/profile/:instance/download/:folder/:file",
    "profiles",
    "Label texts.",
    getLabels,
  ),

  ...RADIO_FAMILIES.flatMap(radioRoutes),
];

function radioRoutes({ id: family, radio }: (typeof RADIO_FAMILIES)[number]): readonly Route[] {
  const node = `${radio.path}/node/:address`;
  const code = `${node}/security/user/:slot`;
  const definitions = reads(`${node}/def/get`, "radio", "Generated nodedefs.", getDefinitions(family));
  if (!radio.hasDeviceTypes) return [definitions];
  return [
    definitions,
    acts(
      `${radio.path}/node/include`,
      "manage-radio",
      "radio-network",
      "Includes a device.",
      beginMembership("include", family),
    ),
    acts(
      `${radio.path}/node/exclude`,
      "manage-radio",
      "radio-network",
      "Excludes a device.",
      beginMembership("exclude", family),
    ),
    acts(`${node}/config/query/:number`, "configure-device", "radio", "Reads a parameter of a device.", queryParameter),
    acts(`${node}/config/set/:number/:value/:size`, "configure-device", "radio", "Writes a parameter.", setParameter),
    acts(`${code}/set/code/:code`, "manage-locks", "radio", "Sets a user code of a lock.", setCode),
    acts(`${code}/delete`, "manage-locks", "radio", "Clears a user code of a lock.", deleteCode),
  ];
}

type Extras = Pick<Partial<Route>, "access" | "limited" | "past">;

function reads(path: string, page: string, summary: string, handle: Route["handle"], extras: Extras = {}): Route {
  const access = { access: "read", limited: "view", changes: false } as const;
  return { method: "GET", path, listener: "both", ...access, summary, page, handle, ...extras };
}

/** For accounts without limits, like the other answers from the journal. */
function readsJournal(path: string, summary: string, handle: Route["handle"]): Route {
  const { limited: _limited, ...route } = reads(path, "history", summary, handle);
  return { ...route, past: "always" };
}

/** On this surface a GET can send commands and change the home. */
function acts(
  path: string,
  access: Route["access"],
  page: string,
  summary: string,
  handle: Route["handle"],
  extras: Extras = {},
): Route {
  return { method: "GET", path, listener: "both", access, changes: true, summary, page, handle, ...extras };
}
