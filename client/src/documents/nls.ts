/** NLS tables, and how they give radio nodedefs their labels. @see docs/interface/profiles.md */

import type { CommandDefinition, Nodedef } from "../model/profile.ts";

type Labels = ReadonlyMap<string, string>;

/** One `KEY = VALUE` a line; `#` begins a comment; the later of two wins, and so does the later table. */
export function readLabels(...tables: readonly string[]): Labels {
  const labels = new Map<string, string>();
  for (const line of tables.flatMap((table) => table.split(/\r?\n/))) {
    const at = line.indexOf("=");
    const key = line.slice(0, Math.max(at, 0)).trim();
    const value = line.slice(at + 1).trim();
    if (key !== "" && !key.startsWith("#") && value !== "") labels.set(key, value);
  }
  return labels;
}

/** Labels of the nodedef's own key go before those of all; a name that it has already stays. */
export function labelNodedef(nodedef: Nodedef, labels: Labels): Nodedef {
  const { nls } = nodedef;
  const label = (kind: "CMD" | "ST", id: string) =>
    (nls === null ? undefined : labels.get(`${kind}-${nls}-${id}-NAME`)) ?? labels.get(`${kind}-${id}-NAME`) ?? "";
  const named = (command: CommandDefinition) => ({ ...command, name: command.name || label("CMD", command.id) });
  return {
    ...nodedef,
    name: nodedef.name || (nls === null ? "" : (labels.get(`NDN-${nls}-NAME`) ?? "")),
    properties: nodedef.properties.map((property) => ({
      ...property,
      name: property.name || label("ST", property.id),
    })),
    sends: nodedef.sends.map(named),
    accepts: nodedef.accepts.map(named),
  };
}
