/** Radio networks and the health of their devices in JSON, with the schemas. */

import type { RadioState } from "../../../commands/radio/radio-network.ts";
import type { NodeHealth } from "../../../drivers/radio-facts.ts";
import { isoTimeOrNull } from "../../../wire/times.ts";
import { type Fits, list, object, orNull, textOrNull } from "../../schema.ts";
import { operationData, operationJson } from "../operations.ts";

const aboutData = object(
  {
    homeId: { type: "string", description: "Eight hexadecimal digits." },
    nodeId: { type: "integer" },
    firmware: { type: ["string", "null"] },
    library: { type: ["string", "null"] },
    region: { type: ["string", "null"] },
    nodes: { type: "integer" },
    isJammed: { type: "boolean", description: "The adapter finds no free moment to send." },
    acceptsProvisioned: { type: "boolean" },
    sent: { type: "integer" },
    received: { type: "integer" },
    lost: { type: "integer" },
    refused: { type: "integer", description: "Frames that the adapter refused or did not answer." },
    collisions: { type: "integer" },
    timeouts: { type: "integer" },
    noiseDbm: list({ type: "number" }, { description: "Background noise of each channel in dBm." }),
  },
  { title: "RadioAbout" },
);

export const radioData = object({
  name: { type: "string", description: "Name of its driver." },
  family: { type: "integer", description: "Family of its nodes: 4 for the first adapter, 12 for the second." },
  state: { type: "string", enum: ["starting", "ready", "degraded", "failed", "stopped"] },
  detail: { type: "string" },
  about: orNull(aboutData, { description: "null while the adapter is not running." }),
  operation: operationData,
});

export const radiosData = list(radioData);

export const healthData = object(
  {
    address: { type: "string" },
    state: { type: "string", enum: ["alive", "asleep", "dead", "unknown"] },
    responding: { type: "boolean" },
    batteryPercent: {
      type: ["integer", "null"],
      description: "Battery level as last reported; null for a device without one.",
    },
    lastSeenTime: textOrNull("ISO 8601 in UTC."),
    roundTripMs: { type: ["number", "null"], description: "Average of commands to it and back." },
    signalDbm: { type: ["number", "null"], description: "Received signal strength." },
    route: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "Addresses of the devices that repeat for it, in order; null while unknown.",
    },
    security: textOrNull("null: it is not encrypted."),
    interviewStage: {
      type: "string",
      enum: ["none", "protocol", "node-info", "command-classes", "configuration", "complete"],
    },
    interviewed: { type: "boolean" },
    routeSpeed: { type: ["number", "null"], description: "kbit/s." },
    sent: { type: "integer" },
    received: { type: "integer" },
    lost: { type: "integer" },
    timeouts: { type: "integer" },
  },
  { title: "RadioDevice" },
);

export const healthsData = list(healthData, { description: "Sorted by device number." });

export function radioJson({ operation, ...radio }: RadioState): Fits<typeof radioData> {
  return { ...radio, operation: operationJson(operation) };
}

export function healthJson({
  isResponding,
  isInterviewed,
  lastSeenAtMs,
  ...rest
}: NodeHealth): Fits<typeof healthData> {
  const lastSeenTime = isoTimeOrNull(lastSeenAtMs);
  return { ...rest, responding: isResponding, interviewed: isInterviewed, lastSeenTime };
}
