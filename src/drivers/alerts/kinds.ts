/** The alerts that every home has as soon as a node can raise them. */

import type { Urgency } from "../alert-port.ts";

export const ALERT_KINDS = {
  water: { name: "Water", urgency: "critical" },
  smoke: { name: "Smoke", urgency: "critical" },
  gas: { name: "Gas", urgency: "critical" },
  "carbon-monoxide": { name: "Carbon monoxide", urgency: "critical" },
  "break-in": { name: "Break-in", urgency: "critical" },
  jam: { name: "Jammed lock", urgency: "high" },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly urgency: Urgency }>>;

export type AlertKind = keyof typeof ALERT_KINDS;
