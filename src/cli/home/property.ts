/** Values of nodes, for people and for programs. */

import type { Node, Property } from "@domovoi/client";
import { isTurnedOn } from "../../profile/command-words.ts";
import type { Paint } from "../show/table.ts";

/**
 * `value` is displayed, in the unit `uom`, as it was reported; `text` says it in words.
 * @see docs/cli.md
 */
export function propertyJson(property: Property, text: string): object {
  const { id, name, uom, prec, value: raw } = property;
  return { id, name, value: shownValue(property), text, uom, prec, raw: raw === "" ? null : raw };
}

/** The displayed value in the reported unit; null without a value. */
export function shownValue({ value, prec }: Property): number | null {
  return value === "" ? null : Number(value) / 10 ** prec;
}

/** The value in words; empty without a value. */
export function wordsOf(node: Node, id: string): string {
  return node.label(id)?.trim() ?? "";
}

/** Grey what is off or not known, green what is on. */
export function paintOf(node: Node, id: string): Paint | null {
  if (!node.enabled) return "gray";
  const property = node.properties.get(id);
  return property && isTurnedOn(Number(property.uom), shownValue(property)) ? "green" : "gray";
}

/** Path of the folder that a thing lies in; empty at the top. */
export function folderPathOf({ path, name }: { readonly path: string; readonly name: string }): string {
  return path === name ? "" : path.slice(0, -name.length - 1);
}
