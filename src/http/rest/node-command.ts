/**
 * Commands to nodes and groups, and what else is changed at a node by a GET: enabling, renaming, querying.
 *
 * @see docs/interface/commands.md
 */

import { authorize } from "../../auth/policy.ts";
import { renameThing, setNodeEnabled } from "../../commands/edit-nodes.ts";
import { acceptsCommand, type CommandRequest } from "../../commands/node-command.ts";
import { queryNode } from "../../commands/query-node.ts";
import { needsFor } from "../../commands/secured-command.ts";
import { sendCommand } from "../../commands/send-command.ts";
import { ControllerError } from "../../errors.ts";
import { findNode, type Node } from "../../home/nodes.ts";
import { badParameter } from "../../profile/command-resolver.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { readCommandText, readNumbers } from "./command-text.ts";
import { succeeded } from "./rest-reply.ts";

/** `/cmd/{command}/{value}/{unit}…?{NAME}.uom{unit}={value}` */
export async function commandNode(request: HttpRequest, services: Services): Promise<Reply> {
  const { address = "", command = "" } = request.params;
  return sendGiven(
    request,
    services,
    readCommandText(services, address, command, positionalParameters(request), request.query),
  );
}

/** `/set/{property}/{value}`: the older way to write a property. */
export async function setProperty(request: HttpRequest, services: Services): Promise<Reply> {
  const { address = "", property = "", value = "" } = request.params;
  const node = findNode(services.home, address);
  const { command, segments } = setting(services, node, property, value);
  return sendGiven(request, services, readCommandText(services, address, command, segments, []));
}

export async function setNodeOn(request: HttpRequest, services: Services): Promise<Reply> {
  await setNodeEnabled(services, request.params.address ?? "", true, null, request.cause);
  return succeeded();
}

export async function disableNode(request: HttpRequest, services: Services): Promise<Reply> {
  await setNodeEnabled(services, request.params.address ?? "", false, null, request.cause);
  return succeeded();
}

/** `/change?name=…`: renames a node, a group or a folder. */
export async function changeNode(request: HttpRequest, services: Services): Promise<Reply> {
  await renameThing(services, request.params.address ?? "", null, request.query.get("name") ?? "", request.cause);
  return succeeded();
}

/** Asks one node, or all of them; the answers come as reports. */
export async function query(request: HttpRequest, services: Services): Promise<Reply> {
  await queryNode(services, request.params.address ?? null, request.cause);
  return succeeded();
}

/** Opening a door takes more than switching a lamp, and so does configuring one. The id in the header leads to the command's outcome. */
export async function sendGiven(request: HttpRequest, services: Services, given: CommandRequest): Promise<Reply> {
  const thing = { kind: "node", address: given.address, command: given.command } as const;
  for (const need of ["command-node" as const, ...needsFor(services, given.address, given.command)])
    authorize(request.principal, need, thing);
  const { commandId } = await sendCommand(services, given, request.cause, request.signal).catch((error: unknown) => {
    throw withoutMembers(request, services, given.address, error);
  });
  return { ...succeeded(), headers: { "Domovoi-Command": commandId } };
}

/** The reason why no member of a scene accepted a command names one, which a limited account may not see. */
function withoutMembers({ principal }: HttpRequest, { home }: Services, address: string, error: unknown): unknown {
  const isHidden = principal?.view && home.groups.has(address) && error instanceof ControllerError;
  return isHidden ? new ControllerError(error.code, "No member accepted the command.") : error;
}

/**
 * The state itself has no command of its own on most devices: it is switched on to a level, or off.
 *
 * @throws ControllerError BAD_PARAMETER when the value is no number; without one a lamp would go on.
 */
function setting(services: Services, node: Node | null, property: string, value: string) {
  const [number] = readNumbers([value]);
  if (!number) throw badParameter("The value is not a number.");
  const isSettable = property !== "ST" || (node !== null && acceptsCommand(services, node, property));
  if (isSettable) return { command: property, segments: [value] };
  if (number.value === 0) return { command: "DOF", segments: [] };
  const nodedef = node && services.profile.nodedef(node.nodeDefId, node.family, node.instance);
  const takesLevel = !nodedef || nodedef.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);
  return { command: "DON", segments: takesLevel ? [value] : [] };
}

function positionalParameters(request: HttpRequest): readonly string[] {
  const rest = request.params["*"] ?? "";
  return rest === "" ? [] : rest.split("/").map(decodeURIComponent);
}
