/** The values of all watched properties at one time, to find the changed ones later. */

import type { Home } from "../home/home.ts";
import { type Property, samePropertyValue } from "../home/property.ts";
import { conditionsOf, leafConditions } from "./references.ts";

export type WatchedValue = { readonly node: string; readonly property: Property };

/** Each known value once, in the order in which programs and their conditions name them. */
export function watchedValues(home: Home): readonly WatchedValue[] {
  const values = new Map<string, WatchedValue>();
  for (const entry of home.programs.values()) {
    for (const condition of leafConditions(conditionsOf(entry))) {
      if (condition.kind !== "status") continue;
      const property = home.nodes.get(condition.node)?.properties.get(condition.property);
      if (property) values.set(`${property.id} ${condition.node}`, { node: condition.node, property });
    }
  }
  return [...values.values()];
}

/** Properties with a known value that has changed since. */
export function changedSince(home: Home, before: readonly WatchedValue[]): readonly WatchedValue[] {
  return before.flatMap(({ node, property }) => {
    const now = home.nodes.get(node)?.properties.get(property.id);
    return now && !samePropertyValue(now, property) ? [{ node, property: now }] : [];
  });
}
