/** `_1/6`, `_1/7` and `_1/9`: values, initial values and the table of variables. Type and id are attributes. */

import type { Variable, VariableType } from "../../home/variables.ts";
import type { Zone } from "../../util/zone.ts";
import { compactTime } from "../../wire/times.ts";
import { eventBody, textElement } from "./event.ts";

export function variableValueBody(timestamp: string, variable: Variable, zone: Zone): string {
  const written = textElement("ts", `${compactTime(variable.writtenAtMs, zone)} `);
  const inner = textElement("prec", variable.prec) + textElement("val", variable.value) + written;
  return variableBody(timestamp, 6, variable, inner);
}

export function variableInitBody(timestamp: string, variable: Variable): string {
  return variableBody(timestamp, 7, variable, textElement("init", variable.init) + textElement("prec", variable.prec));
}

/** Clients then read the whole list of this type again. */
export function variableTableBody(timestamp: string, type: VariableType): string {
  return eventBody({ timestamp, control: "_1", action: 9, info: `<var type="${type}" id="0" />` });
}

function variableBody(timestamp: string, action: 6 | 7, { type, id }: Variable, inner: string): string {
  return eventBody({ timestamp, control: "_1", action, info: `<var type="${type}" id="${id}">${inner}</var>` });
}
