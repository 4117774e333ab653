/** Which programs name which nodes, scenes and variables. */

import type { Home } from "@domovoi/client";

/** Address of a node or scene, or `variable TYPE/ID`, to the ids of the programs that name it. */
export function touchedBy(home: Home): ReadonlyMap<string, ReadonlySet<string>> {
  const touched = new Map<string, Set<string>>();
  for (const tree of home.programs.trees) {
    const program = tree.id.toString(16).toUpperCase().padStart(4, "0");
    for (const key of keysIn([tree.if, tree.then, tree.else]))
      touched.set(key, (touched.get(key) ?? new Set()).add(program));
  }
  return touched;
}

/** A statement names a node by `node`, and a variable by its id and its kind. */
function* keysIn(value: unknown): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  const { node, controller, varType, type, id } = value as Readonly<Record<string, unknown>>;
  for (const address of [node, controller]) if (typeof address === "string") yield address;
  const kind = varType ?? (type === "1" || type === "2" ? type : undefined);
  if (kind !== undefined && typeof id === "number") yield `variable ${kind}/${id}`;
  for (const inner of Object.values(value)) yield* keysIn(inner);
}
