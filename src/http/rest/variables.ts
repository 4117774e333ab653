/**
 * `/rest/vars`: definitions, values, writing. Some clients read these documents with regular expressions, so every one is
 * a single line with a fixed order of attributes and children, and no list closes itself.
 *
 * @see docs/interface/variables.md
 */

import { changeVariable, parseRawNumber, writeVariable } from "../../commands/edit-variables.ts";
import type { Variable, VariableType } from "../../home/variables.ts";
import { escapeXml } from "../../util/xml.ts";
import { createZone, type Zone } from "../../util/zone.ts";
import { compactTime } from "../../wire/times.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, PathOnly } from "../route.ts";
import type { Services } from "../services.ts";
import { variableOf, variableType } from "../things.ts";
import { succeeded, xmlDocument, xmlReply } from "./rest-reply.ts";

export function getVariableDefinitions(request: HttpRequest, services: Services): Reply {
  const type = variableType(request);
  return listDocument(services, type, `/rest/vars/definitions/${type}`, (variables) => {
    const entries = variables.map(
      ({ id, name, prec }) => `<e id="${id}" name="${escapeXml(name)}"><val id="prec">${prec}</val></e>`,
    );
    return `<CList type="${type === 1 ? "VAR_INT" : "VAR_STATE"}">${entries.join("")}</CList>`;
  });
}

export function getVariables(request: PathOnly, services: Services): Reply {
  const type = variableType(request);
  return listDocument(services, type, `/rest/vars/get/${type}`, (variables, zone) => {
    return `<vars>${variables.map((variable) => variableElement(variable, zone)).join("")}</vars>`;
  });
}

export function getVariable(request: PathOnly, { home }: Services): Reply {
  return xmlReply(variableElement(variableOf(request, home), createZone(home.controller.timeZone)));
}

export async function setVariableByPath(request: HttpRequest, services: Services): Promise<Reply> {
  const { type, id, prec } = variableOf(request, services.home);
  await writeVariable(services, type, id, rawNumber(request, prec), request.cause);
  return succeeded();
}

export async function initVariable(request: HttpRequest, services: Services): Promise<Reply> {
  const { type, id, prec } = variableOf(request, services.home);
  await changeVariable(services, type, id, { init: rawNumber(request, prec) }, request.cause);
  return succeeded();
}

/** Numbers in these paths are raw already: a client that writes 21.0 has scaled it itself. */
function rawNumber(request: HttpRequest, prec: number): number {
  return parseRawNumber(request.params.value ?? "", prec, { floatIsDisplayed: false });
}

/** Both lists show the same ids in the same order, because one client joins them by position. */
function listDocument(
  services: Services,
  type: VariableType,
  name: string,
  encode: (variables: readonly Variable[], zone: Zone) => string,
): Reply {
  const { home } = services;
  const version = `${home.version(type === 1 ? "integerVariables" : "stateVariables")}.${home.version("controller")}`;
  return xmlDocument(services, name, version, () => {
    const variables = [...home.variables[type].values()].sort((a, b) => a.id - b.id);
    return encode(variables, createZone(home.controller.timeZone));
  });
}

function variableElement({ type, id, init, prec, value, writtenAtMs }: Variable, zone: Zone): string {
  return (
    `<var type="${type}" id="${id}"><init>${init}</init><prec>${prec}</prec><val>${value}</val>` +
    `<ts>${compactTime(writtenAtMs, zone)}</ts></var>`
  );
}
