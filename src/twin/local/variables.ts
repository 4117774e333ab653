/** Variables of the local interface: names and values are documents of their own. */

import type { Variable, VariableType } from "../../home/variables.ts";
import { childElements, childText, type XmlElement } from "../../util/read-xml.ts";
import { whole } from "../../wire/loose.ts";
import { type Original, xmlDocument } from "../original.ts";

const ID_MAX = 65_535;
const PREC_MAX = 9;
const TYPES = [1, 2] as const;

export function variablesDocument(type: VariableType): string {
  return `/rest/vars/get/${type}`;
}

export function variableNamesDocument(type: VariableType): string {
  return `/rest/vars/definitions/${type}`;
}

/**
 * @param instantOf of a local time; null where it is none
 * @param nowMs time of variables that carry no time
 * @returns `withoutValue`: number of those of which only the name was read; they are 0
 */
export function readLocalVariables(
  original: Original,
  instantOf: (text: string) => number | null,
  nowMs: number,
): { readonly variables: readonly Variable[]; readonly withoutValue: number } {
  let withoutValue = 0;
  const variables = TYPES.flatMap((type) => {
    const names = elements(original, variableNamesDocument(type), "e");
    const values = elements(original, variablesDocument(type), "var");
    const ids = new Set([...names, ...values].map(({ attributes }) => whole(attributes.get("id"), 1)));
    const byId = (listed: readonly XmlElement[], id: number) =>
      listed.find(({ attributes }) => whole(attributes.get("id")) === id);
    return [...ids].flatMap((id): readonly Variable[] => {
      if (id === null || id > ID_MAX) return [];
      const [named, valued] = [byId(names, id), byId(values, id)];
      if (!valued) withoutValue += 1;
      const number = (name: string) => Math.trunc(Number(valued && childText(valued, name))) || 0;
      const prec = whole((valued && childText(valued, "prec")) ?? (named && childText(named, "val")) ?? undefined);
      return [
        {
          type,
          id,
          name: named?.attributes.get("name") ?? "",
          value: safe(number("val")),
          init: safe(number("init")),
          prec: Math.min(prec ?? 0, PREC_MAX),
          writtenAtMs: (valued && instantOf(childText(valued, "ts") ?? "")) ?? nowMs,
        },
      ];
    });
  });
  return { variables, withoutValue };
}

function safe(value: number): number {
  return Number.isSafeInteger(value) ? value + 0 : 0;
}

function elements(original: Original, document: string, name: string): readonly XmlElement[] {
  const root = xmlDocument(original, document);
  return root ? childElements(root, name) : [];
}
