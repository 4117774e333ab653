/** The values that conditions watch, as they were at one time, to tell later which of them are others. */

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

/** Those that are known still and are others than before, as they are now. */
export function changedSince(home: Home, before: readonly WatchedValue[]): readonly WatchedValue[] {
  return before.flatMap(({ node, property }) => {
    const now = home.nodes.get(node)?.properties.get(property.id);
    return now && !samePropertyValue(now, property) ? [{ node, property: now }] : [];
  });
}
