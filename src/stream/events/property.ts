/** Values of properties, and commands that devices sent. Never for groups or folders: clients fail on those. */

import type { Node } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import { describeProperty } from "../../profile/format.ts";
import type { Profile } from "../../profile/profile.ts";
import { UOM } from "../../profile/uom.ts";
import { escapeXml } from "../../util/xml.ts";
import { eventBody, textElement } from "./event.ts";

/** The communication-error flag: a property by its place, a bare number on the stream. */
const ERROR_PROPERTY = "ERR";
/** "The raw number that the device gave". */
const RAW_NUMBER_UOM = 56;

/** A value that is gone is an empty action, which clients keep as "not known". */
export function propertyBody(timestamp: string, profile: Profile, node: Node, property: Property): string {
  const value = property.value ?? "";
  if (property.id === ERROR_PROPERTY) {
    return eventBody({ timestamp, control: ERROR_PROPERTY, action: value, node: node.address });
  }
  // Clients drop values of unit 0, so a number without a unit goes out as the raw number that it is.
  const uom = property.uom === UOM.none ? RAW_NUMBER_UOM : property.uom;
  const { formatted, label } = describeProperty(profile, node, property);
  return (
    ` timestamp="${timestamp}"><control>${escapeXml(property.id)}</control>` +
    `<action uom="${uom}" prec="${property.prec}">${value}</action><node>${escapeXml(node.address)}</node>` +
    `<eventInfo></eventInfo>${textElement("fmtAct", formatted)}${label === null ? "" : textElement("fmtName", label)}</Event>`
  );
}

/** A button was pressed, motion was seen: the command and its number, never a state. */
export function controlBody(timestamp: string, address: string, control: string, value: number): string {
  return eventBody({ timestamp, control, action: Math.trunc(value), node: address });
}
