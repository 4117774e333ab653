/** Short answers: the configuration, acknowledgements, reasons of failures, parameters of radio devices. */

import { ClientError, type TextProblem } from "../errors.ts";
import type { Zone } from "../model/local-time.ts";
import type { ControllerConfig } from "../model/records.ts";
import { isObject, type Json, numberOf, objectsOf, parseJson, textOf, textOrNull } from "./json.ts";
import { childOf, childText, parseXml, type XmlElement } from "./xml.ts";

/** @throws ClientError `BAD_DOCUMENT` without uuid or version */
export function readConfig(data: unknown): ControllerConfig {
  const { uuid, version, portalHost } = isObject(data) ? data : {};
  return checkedConfig(textOf(uuid), textOf(version), textOrNull(portalHost));
}

/** `/rest/config`, where there is no `/api`. @throws ClientError `BAD_DOCUMENT` */
export function readConfigXml(document: string): ControllerConfig {
  const root = parseXml(document);
  const version = childText(root, "app_version") || childText(root, "app_full_version");
  return checkedConfig(childText(childOf(root, "root"), "id"), version, null);
}

function checkedConfig(uuid: string, version: string, portalHost: string | null): ControllerConfig {
  if (uuid === "" || version === "") throw new ClientError("BAD_DOCUMENT", "The configuration has no uuid or version.");
  return { uuid, version, portalHost };
}

/** `/rest/time`: the zone by name if it is named, else its present offset. Null when it is unreadable. */
export function readZone(document: string): Zone | null {
  const root = tryXml(document);
  const name = childText(root, "TzId").trim();
  if (name !== "") return isZone(name) ? { name } : null;
  const seconds = Number(childText(root, "TMZOffset") || Number.NaN);
  const daylight = childText(root, "DST").trim() === "true" ? 60 : 0;
  return Number.isNaN(seconds) ? null : { offsetMinutes: Math.round(seconds / 60) + daylight };
}

type Reason = {
  readonly sentence: string;
  readonly code: string;
  /** For a refused text. */
  readonly problems: readonly TextProblem[];
};

/** The content of a failure, on either surface; empty when it is unreadable. */
export function readReason(text: string): Reason {
  const json = parseJson(text);
  if (isObject(json)) {
    const sentence = textOf(json.error) || textOf(json.message);
    return { sentence, code: textOf(json.code), problems: objectsOf(json.problems).map(readProblem) };
  }
  const reason = childOf(tryXml(text), "reason");
  return { sentence: reason?.text ?? "", code: reason?.attributes.code ?? "", problems: [] };
}

function readProblem({ line, column, code, message, suggestion }: Json): TextProblem {
  return {
    line: numberOf(line),
    column: numberOf(column),
    code: textOf(code),
    message: textOf(message),
    suggestion: textOrNull(suggestion),
  };
}

/** @throws ClientError `REFUSED` for a `RestResponse` that says it failed; any other answer is an acknowledgement */
export function checkAcknowledged(text: string): void {
  const root = tryXml(text);
  if (root?.name !== "RestResponse" || root.attributes.succeeded?.toLowerCase() !== "false") return;
  const status = childText(root, "status").trim();
  const { sentence, code } = readReason(text);
  throw new ClientError("REFUSED", sentence || `The controller reports a failure (${status}).`, {
    ...(/^\d+$/.test(status) && { status: Number(status) }),
    reason: code,
  });
}

/** `<config paramNum size value>`. @throws ClientError `REFUSED`, `BAD_DOCUMENT` */
export function readParameter(text: string): { readonly size: number; readonly value: number } {
  checkAcknowledged(text);
  const root = parseXml(text);
  const size = Number(root.attributes.size ?? Number.NaN);
  const value = Number(root.attributes.value ?? Number.NaN);
  if (root.name !== "config" || !Number.isInteger(size) || !Number.isInteger(value))
    throw new ClientError("BAD_DOCUMENT", "The parameter was answered without its value.");
  return { size, value };
}

function tryXml(text: string): XmlElement | null {
  try {
    return parseXml(text);
  } catch {
    return null;
  }
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
