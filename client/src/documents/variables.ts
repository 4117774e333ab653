/** Variables of one type, from `/api/variables` and from `/rest/vars`. @see docs/interface/variables.md */

import { isoFromLocal, type Zone } from "../model/local-time.ts";
import type { VariableRecord, VariableType } from "../model/records.ts";
import { isObject, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";
import { scanXml } from "./scan-xml.ts";
import { childOf, childrenOf, childText, parseXml } from "./xml.ts";

/** Entries without an id are left out. */
export function readVariablesJson(data: unknown, type: VariableType): Map<string, VariableRecord> {
  const records = objectsOf(Array.isArray(data) ? data : null).map((entry) => readVariableJson(entry, type));
  return byId(records);
}

function readVariableJson(entry: unknown, type: VariableType): VariableRecord {
  const { id, name, val, init, prec, ts, valueNames } = isObject(entry) ? entry : {};
  return {
    ...keyOf(type, textOf(id)),
    name: textOf(name),
    value: numberOf(val),
    init: numberOf(init),
    prec: numberOf(prec),
    valueNames: namesOf(valueNames),
    ts: textOrNull(ts),
  };
}

function namesOf(given: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isObject(given) ? given : {});
  return Object.fromEntries(entries.map(([raw, name]) => [raw, textOf(name)]));
}

/** Values, without names. @throws ClientError `BAD_DOCUMENT` */
export function readVariablesXml(document: string, type: VariableType, zone: Zone | null): Map<string, VariableRecord> {
  // Real units answer a plain sentence when none is defined.
  if (!document.trimStart().startsWith("<")) return new Map();
  const records = childrenOf(parseXml(document), "var").map((element) => ({
    ...keyOf(type, element.attributes.id ?? ""),
    name: "",
    value: numberOf(childText(element, "val")),
    init: numberOf(childText(element, "init")),
    prec: numberOf(childText(element, "prec")),
    valueNames: {},
    ts: isoFromLocal(childText(element, "ts"), zone),
  }));
  return byId(records);
}

/** Gives the variables their names and precisions. @throws ClientError `BAD_DOCUMENT` */
export function mergeDefinitions(variables: ReadonlyMap<string, VariableRecord>, document: string): void {
  if (!document.trimStart().startsWith("<")) return;
  let variable: VariableRecord | undefined;
  let text = "";
  scanXml(document, {
    open(name, { id, name: label }) {
      text = "";
      if (name !== "e") return;
      variable = variables.get(id ?? "");
      if (variable) variable.name = label ?? "";
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      if (name === "val" && variable && text.trim() !== "") variable.prec = numberOf(text);
    },
  });
}

export type VariableFrame = {
  readonly type: VariableType;
  readonly id: string;
  readonly value: number | null;
  readonly init: number | null;
  readonly prec: number | null;
  readonly ts: string | null;
};

/** `<var>` of a frame: type and id as attributes, or as children. Null when it is none. */
export function readVariableFrame(info: ReturnType<typeof parseXml>, zone: Zone | null): VariableFrame | null {
  const element = childOf(info, "var");
  const type = element?.attributes.type ?? childText(element, "type");
  if (!element || (type !== "1" && type !== "2")) return null;
  const number = (name: string) => (childOf(element, name) ? numberOf(childText(element, name)) : null);
  return {
    type: type === "1" ? 1 : 2,
    id: element.attributes.id ?? childText(element, "id"),
    value: number("val"),
    init: number("init"),
    prec: number("prec"),
    ts: isoFromLocal(childText(element, "ts"), zone),
  };
}

function keyOf(type: VariableType, id: string) {
  return { key: `${type}.${id}`, type, id };
}

function byId(records: readonly VariableRecord[]): Map<string, VariableRecord> {
  return new Map(records.filter(({ id }) => id !== "").map((record) => [record.id, record]));
}
