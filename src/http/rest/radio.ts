/**
 * Radio devices: generated nodedefs, configuration parameters, lock codes. The same handlers stand under every radio's
 * prefix, because clients do not agree on which prefix belongs to which family.
 *
 * @see docs/interface/radio.md
 */

import {
  clearLockCode,
  readDeviceParameter,
  setLockCode,
  writeDeviceParameter,
} from "../../commands/device-parameters.ts";
import { listRadios } from "../../commands/radio/radio-network.ts";
import { ControllerError, type ErrorCode } from "../../errors.ts";
import { findNode } from "../../home/nodes.ts";
import { beginOperation } from "../../integrations/operations.ts";
import type { CommandDefinition, Nodedef } from "../../profile/nodedef.ts";
import { escapeXml } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { succeeded, xmlDocument, xmlReply } from "./rest-reply.ts";

/** The address of all devices of a radio. */
const ALL = "0";

/** `/def/get`: the nodedef of one device, or with address 0 all that were generated for the family. */
export function getDefinitions(family: number) {
  return (request: HttpRequest, services: Services): Reply => {
    // The one client that asks for the full definition reads the element with a capital letter.
    const tag = request.query.get("full") === "true" ? "nodeDef" : "nodedef";
    return definitions(request, services, family, tag);
  };
}

export async function queryParameter(request: HttpRequest, services: Services): Promise<Reply> {
  const { address = "" } = request.params;
  const asked = wholeNumber(request, "number", "PARAMETER_NOT_FOUND");
  const { number, size, value } = await readDeviceParameter(services, address, asked, request.cause, request.signal);
  return xmlReply(`<config paramNum="${number}" size="${size}" value="${value}" />`);
}

export async function setParameter(request: HttpRequest, services: Services): Promise<Reply> {
  const { address = "" } = request.params;
  const parameter = {
    number: wholeNumber(request, "number", "PARAMETER_NOT_FOUND"),
    value: wholeNumber(request, "value", "BAD_VALUE"),
    size: wholeNumber(request, "size", "BAD_PARAMETER_SIZE"),
  };
  await writeDeviceParameter(services, address, parameter, request.cause, request.signal);
  return succeeded();
}

export async function setCode(request: HttpRequest, services: Services): Promise<Reply> {
  const { address = "", code = "" } = request.params;
  const slot = wholeNumber(request, "slot", "CODE_SLOT_NOT_FOUND");
  await setLockCode(services, address, slot, code, request.cause, request.signal);
  return succeeded();
}

export async function deleteCode(request: HttpRequest, services: Services): Promise<Reply> {
  const { address = "" } = request.params;
  await clearLockCode(
    services,
    address,
    wholeNumber(request, "slot", "CODE_SLOT_NOT_FOUND"),
    request.cause,
    request.signal,
  );
  return succeeded();
}

/** `include` and `exclude` without anything to choose; questions are answered over `/api/integrations`. */
export function beginMembership(kind: "include" | "exclude", family: number) {
  return async ({ cause, signal }: HttpRequest, services: Services): Promise<Reply> => {
    await beginOperation(services, radioOfFamily(services, family), { kind, input: {} }, cause, signal);
    return succeeded();
  };
}

/** The path selects the radio where there are two; clients that know only one path mean the only one. */
function radioOfFamily(services: Services, family: number): string {
  const radios = listRadios(services);
  const radio = radios.find((each) => each.family === family) ?? radios[0];
  if (!radio) throw new ControllerError("RADIO_NOT_FOUND");
  return radio.name;
}

function definitions(request: HttpRequest, services: Services, family: number, tag: "nodedef" | "nodeDef"): Reply {
  const { address = "" } = request.params;
  if (address !== ALL) return xmlReply(nodedefsElement([nodedefOf(services, address)], tag));
  const { profile } = services;
  const generated = profile
    .instances()
    .filter((instance) => instance.family === family)
    .flatMap((instance) => [...instance.dynamicNodedefs.values()]);
  const name = `def/get ${family} ${tag}`;
  if (generated.length === 0 && !services.documents.isReceived(name)) throw new ControllerError("PROFILE_NOT_FOUND");
  return xmlDocument(services, name, String(profile.version), () => nodedefsElement(generated, tag));
}

function nodedefOf({ home, profile }: Services, address: string): Nodedef {
  const node = findNode(home, address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  if (!nodedef) throw new ControllerError("PROFILE_NOT_FOUND");
  return nodedef;
}

function wholeNumber(request: HttpRequest, name: string, otherwise: ErrorCode): number {
  const text = request.params[name] ?? "";
  if (!/^-?[0-9]{1,10}$/.test(text)) throw new ControllerError(otherwise);
  return Number(text);
}

/** Two clients, two spellings of the same element. */
type NodedefTag = "nodedef" | "nodeDef";

/** Nodedefs as the XML of `def/get`: the abilities of the devices of a radio, generated from their own description. */
function nodedefsElement(nodedefs: readonly Nodedef[], tag: NodedefTag): string {
  return `<nodeDefs>${nodedefs.map((nodedef) => nodedefElement(nodedef, tag)).join("")}</nodeDefs>`;
}

/** `sends` and `accepts` are always there: clients read them without looking. */
function nodedefElement(nodedef: Nodedef, tag: NodedefTag): string {
  const { id, nls, name, properties, sends, accepts, controlLinks, respondLinks } = nodedef;
  const states = properties.map((property) => {
    const { hide } = property;
    return `<st${attributes({ id: property.id, editor: property.editor, name: property.name })}${flag("hide", hide)} />`;
  });
  return (
    `<${tag}${attributes({ id, nls, name })}><editors /><sts>${states.join("")}</sts>` +
    `<cmds><sends>${sends.map(commandElement).join("")}</sends><accepts>${accepts.map(commandElement).join("")}</accepts></cmds>` +
    `<links><ctl>${controlLinks.map(linkElement).join("")}</ctl><rsp>${respondLinks.map(linkElement).join("")}</rsp></links></${tag}>`
  );
}

function commandElement({ id, name, native, format, parameters }: CommandDefinition): string {
  const elements = parameters.map((parameter) => {
    const { editor, init, optional } = parameter;
    return `<p id="${escapeXml(parameter.id)}"${attributes({ editor, init, name: parameter.name })}${flag("optional", optional)} />`;
  });
  const start = `<cmd${attributes({ id, name, fmt: format })}${native ? "" : ' native="F"'}`;
  return elements.length === 0 ? `${start} />` : `${start}>${elements.join("")}</cmd>`;
}

function linkElement(linkdef: string): string {
  return `<link${attributes({ linkdef })} />`;
}

/** Attributes without a value are left out. */
function attributes(values: Readonly<Record<string, string | null>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) if (value) text += ` ${name}="${escapeXml(value)}"`;
  return text;
}

function flag(name: string, on: boolean): string {
  return on ? ` ${name}="T"` : "";
}
