/** A property as another controller told it, as the home keeps it. */

import type { Property } from "../home/property.ts";
import { describeProperty } from "../profile/format.ts";
import type { NodedefKey } from "../profile/predicates.ts";
import type { Profile } from "../profile/profile.ts";
import type { ReceivedProperty } from "./parse/status.ts";

/** The text is kept where this controller would find another one. */
export function receivedProperty(profile: Profile, node: NodedefKey, told: ReceivedProperty, nowMs: number): Property {
  const { id, value, uom, prec, formatted } = told;
  const property: Property = { id, value, uom, prec, text: null, changedAtMs: nowMs };
  if (value === null || formatted.trim() === "") return property;
  return describeProperty(profile, node, property).formatted === formatted
    ? property
    : { ...property, text: formatted };
}
