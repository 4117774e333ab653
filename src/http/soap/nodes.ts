/** SOAP operations on nodes and the tree. Each is a command of the JSON interface under its old name. */

import { writeDeviceLinks } from "../../commands/device-links.ts";
import { readDeviceParameter, writeDeviceParameter } from "../../commands/device-parameters.ts";
import { renameThing, setNodeEnabled, thingAt } from "../../commands/edit-nodes.ts";
import { createFolder, moveThing, removeFolder, removeNode } from "../../commands/edit-tree.ts";
import { queryNode } from "../../commands/query-node.ts";
import { ControllerError } from "../../errors.ts";
import { findNode, type Parent, type ParentKind } from "../../home/nodes.ts";
import { readCommandText } from "../rest/command-text.ts";
import { sendGiven } from "../rest/node-command.ts";
import { getNodeInfo, getNodes } from "../rest/nodes.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import type { Given } from "./call.ts";
import { does, type SoapOperation, shows } from "./operation.ts";

type Spelled<K extends string> = Readonly<Record<K, readonly string[]>>;

export const nodeOperations: readonly SoapOperation[] = [
  shows("GetNodesConfig", {}, (_given, request, services) => getNodes(request, services)),
  shows("GetNodeInfo", { address: "id node" }, (given, _request, services) =>
    getNodeInfo({ params: { address: given.text("address") } }, services),
  ),
  does("RenameNode", { address: "id node", name: "name" }, "rename", rename("node")),
  // One client sends the address as the name, and the name as the new one.
  does("RenameGroup", { address: "id name", name: "newName name" }, "rename", rename("group")),
  does("RenameFolder", { address: "id name", name: "newName name" }, "rename", rename("folder")),
  does(
    "SetParent",
    { address: "node", type: "nodeType", parent: "parent", parentType: "parentType" },
    "edit-home",
    (given, { cause }, services) => {
      const address = given.text("address");
      const kind = kindOf(services, address, given.find("type"));
      const parent = parentOf(services, given.find("parent"), given.find("parentType"));
      return moveThing(services, kind, address, parent, cause);
    },
  ),
  does("AddFolder", { address: "id", name: "name" }, "edit-home", (given, { cause }, services) =>
    createFolder(services, { name: given.text("name"), parent: null }, cause, given.find("address")),
  ),
  does("RemoveFolder", { address: "id fid" }, "edit-home", (given, { cause }, services) =>
    removeFolder(services, given.text("address"), "keep", cause),
  ),
  does("RemoveNode", { address: "id node" }, "edit-home", (given, { cause }, services) =>
    removeNode(services, given.text("address"), cause),
  ),
  does("SetNodeEnabled", { address: "node id", on: "flag" }, "enable-node", (given, { cause }, services) =>
    setNodeEnabled(services, given.text("address"), given.integer("on") !== 0, null, cause),
  ),
  does(
    "UDIService",
    { address: "node", command: "control", value: "action" },
    "command-node",
    (given, request, services) => {
      const [address, command] = [given.text("address"), given.text("command")];
      return sendGiven(request, services, readCommandText(services, address, command, segments(given), []));
    },
    (given) => ({ kind: "node", address: given.text("address") }),
  ),
  does(
    "QueryAll",
    { address: "node" },
    "command-node",
    (given, { cause }, services) => queryNode(services, given.find("address"), cause),
    (given) => {
      const address = given.find("address");
      return address === null ? null : { kind: "node", address };
    },
  ),
  does("WriteDeviceUpdates", { address: "node id" }, "edit-home", (given, _request, services) =>
    writeScenesOf(services, given.text("address")),
  ),
  does(
    "QueryConfigParam",
    { address: "node id", number: "param" },
    "configure-device",
    (given, { cause, signal }, services) =>
      readDeviceParameter(services, given.text("address"), given.integer("number"), cause, signal),
  ),
  does(
    "SetConfigParam",
    { address: "node id", number: "param", value: "val value", size: "size" },
    "configure-device",
    (given, { cause, signal }, services) => {
      const wanted = { number: given.integer("number"), value: given.integer("value"), size: given.integer("size") };
      return writeDeviceParameter(services, given.text("address"), wanted, cause, signal);
    },
  ),
];

function rename(kind: ParentKind) {
  return (given: Given<Spelled<"address" | "name">>, { cause }: HttpRequest, services: Services) =>
    renameThing(services, given.text("address"), kind, given.text("name"), cause);
}

/** The numbers of the interface; 0 is the top of the tree. */
const KINDS: Readonly<Record<string, ParentKind>> = { "1": "node", "2": "group", "3": "folder" };

/** @throws ControllerError NODE_NOT_FOUND, also for the root, which lies nowhere. */
function kindOf({ home }: Services, address: string, type: string | null): ParentKind {
  const { kind } = thingAt(home, address, KINDS[type ?? ""] ?? null);
  if (kind === "controller") throw new ControllerError("NODE_NOT_FOUND", "The root group lies in no folder.");
  return kind;
}

function parentOf(services: Services, address: string | null, type: string | null): Parent | null {
  if (address === null || address === "0" || type === "0") return null;
  return { kind: kindOf(services, address, type), address };
}

/** A bare value means what it means in the path of a command. Its unit and precision are attributes. */
function segments(given: Given<Spelled<"value">>): readonly string[] {
  const element = given.element("value");
  if (!element) return [];
  const attribute = (name: string) =>
    [...element.attributes].find(([each]) => each.toLowerCase() === name)?.[1].trim() ?? "";
  const [text, uom, prec] = [element.text.trim(), attribute("uom"), attribute("prec")];
  if (uom === "" || uom === "0") return [text];
  const places = /^[1-6]$/.test(prec) ? Number(prec) : 0;
  return [places > 0 ? (Number(text) / 10 ** places).toFixed(places) : text, uom];
}

/** @throws ControllerError NODE_NOT_FOUND */
function writeScenesOf(services: Services, address: string): void {
  if (!findNode(services.home, address)) throw new ControllerError("NODE_NOT_FOUND");
  for (const { address: scene, members } of services.home.groups.values())
    if (members.some((member) => member.address === address)) writeDeviceLinks(services, scene);
}
