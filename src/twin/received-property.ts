/** Converts a property of another controller to a property of the home. */

import type { Property } from "../home/property.ts";
import { describeProperty } from "../profile/format.ts";
import type { NodedefKey } from "../profile/predicates.ts";
import type { Profile } from "../profile/profile.ts";
import type { ReceivedProperty } from "./parse/status.ts";

/** Stores the received text only when this controller would print another one. */
export function receivedProperty(
  profile: Profile,
  node: NodedefKey,
  received: ReceivedProperty,
  nowMs: number,
): Property {
  const { id, value, uom, prec, formatted } = received;
  const property: Property = { id, value, uom, prec, text: null, changedAtMs: nowMs };
  if (value === null || formatted.trim() === "") return property;
  return describeProperty(profile, node, property).formatted === formatted
    ? property
    : { ...property, text: formatted };
}
