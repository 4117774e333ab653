/** What a sensor sends when its state changes. */

import { isActive } from "../profile/status-words.ts";
import type { DriverHost } from "./driver.ts";
import type { PropertyReport } from "./report.ts";

/** On when it is open, wet or on, Off when not; nothing while it does not know. */
export function sendState(
  host: Pick<DriverHost, "control">,
  { address, value, uom, prec }: Pick<PropertyReport, "address" | "value" | "uom" | "prec">,
): void {
  const active = isActive(null, uom, value === null ? null : value / 10 ** prec);
  if (active !== null) host.control(address, active ? "DON" : "DOF", 0);
}
