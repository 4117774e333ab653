/** Values in texts: `${Hall Motion.ST}` becomes the property in words, `${$Comfort}` the variable with this name. */

import type { Home } from "../home/home.ts";
import { describeProperty } from "../profile/format.ts";
import type { Profile } from "../profile/profile.ts";

const PLACE = /\$\{([^{}]{1,220})\}/g;
const UNKNOWN = "?";

export function fillText(text: string, home: Home, profile: Profile): string {
  return text.replace(PLACE, (_whole, name: string) =>
    name.startsWith("$") ? variableText(home, name.slice(1)) : propertyText(home, profile, name),
  );
}

/** @param name `NODE.PROPERTY`; the node by address or name */
function propertyText(home: Home, profile: Profile, name: string): string {
  const dot = name.lastIndexOf(".");
  const key = name.slice(0, dot);
  const node = home.nodes.get(key) ?? [...home.nodes.values()].find((each) => each.name === key);
  const property = node?.properties.get(name.slice(dot + 1));
  if (!node || !property) return UNKNOWN;
  return describeProperty(profile, node, property).formatted.trim() || UNKNOWN;
}

function variableText(home: Home, name: string): string {
  const all = [...home.variables[1].values(), ...home.variables[2].values()];
  const variable = all.find((each) => each.name === name);
  return variable ? String(variable.value / 10 ** variable.prec) : UNKNOWN;
}
