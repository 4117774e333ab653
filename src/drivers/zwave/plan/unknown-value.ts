/** Values that no table knows: shown all the same, under an id made from their own name, so that it never moves. */

import type { ValueView } from "./device-view.ts";
import { shortHash } from "./kinds.ts";

const ID_LENGTH_MAX = 32;
const HASH_LENGTH = 8;

/** `V6B_MASTER_VALVE_STATUS`: the command class in hex, then property and key; a long name ends in its hash. */
export function idOfValue({ commandClass, property, propertyKey, propertyName, propertyKeyName }: ValueView): string {
  const names = [propertyName ?? property, propertyKeyName ?? propertyKey].filter((name) => name !== undefined);
  const words = names.map((name) => String(name).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
  const text = words
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  const id = `V${commandClass.toString(16).toUpperCase().padStart(2, "0")}_${text}`;
  if (id.length <= ID_LENGTH_MAX) return id;
  return `${id.slice(0, ID_LENGTH_MAX - HASH_LENGTH - 1)}_${shortHash(`${property}/${propertyKey ?? ""}`)}`;
}

/** Its label: from the description, else the value's name. */
export function labelOfValue({ metadata, property, propertyName, propertyKeyName }: ValueView): string {
  const own = metadata.label?.trim();
  return own || [propertyName ?? String(property), propertyKeyName].filter(Boolean).join(" ");
}
