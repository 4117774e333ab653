/** How radio networks and their operations are spelled in JSON, with the schemas of the answers. */

import type { Radio } from "../../../commands/radio/radio-network.ts";
import type { NodeHealth } from "../../../drivers/radio-facts.ts";
import type { ProvisioningEntry } from "../../../drivers/radio-port.ts";
import type { Operation, OperationQuestion } from "../../../home/operation.ts";
import { isoTime, isoTimeOrNull } from "../../../wire/times.ts";
import { type Fits, list, object, orNull, text, textOrNull, time } from "../../schema.ts";

export const securityNames = ["S2-access-control", "S2-authenticated", "S2-unauthenticated", "S0"] as const;

const questionData = object(
  { kind: { type: "string", description: "grant or pin." } },
  {
    optional: {
      requested: list({ type: "string", enum: securityNames }),
      dskRest: { type: "string", description: "The device's key without its first five digits." },
    },
    description: "The present question to a person.",
  },
);

export const operationData = orNull(
  object({
    id: { type: "string" },
    kind: { type: "string" },
    stage: text(
      "starting, waiting, found, asking, securing, interviewing, working; done, failed and cancelled end it.",
    ),
    question: orNull(questionData),
    address: textOrNull("First node of the device, once it is known."),
    percent: { type: ["integer", "null"], description: "Where the length of the way is known." },
    security: textOrNull("Security class of the included device; `none`: not encrypted."),
    detail: { type: "string", description: "A sentence for people." },
    startedTime: time,
    lastTime: { type: "string", description: "When it last moved." },
  }),
);

const aboutData = object({
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
});

export const radioData = object({
  name: { type: "string", description: "Name of its driver." },
  family: { type: "integer", description: "Family of its nodes: 4 for the first adapter, 12 for the second." },
  state: { type: "string", enum: ["starting", "ready", "degraded", "failed", "stopped"] },
  detail: { type: "string" },
  about: orNull(aboutData, { description: "null while the adapter is not running." }),
  operation: operationData,
});

export const radiosData = list(radioData);

export const healthData = object({
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
});

export const healthsData = list(healthData, { description: "Sorted by device number." });

export function radioJson({ operation, ...radio }: Radio): Fits<typeof radioData> {
  return { ...radio, operation: operationJson(operation) };
}

export function operationJson(operation: Operation | null): Fits<typeof operationData> {
  if (!operation) return null;
  const { startedAtMs, movedAtMs, question, result, ...rest } = operation;
  const security = result.security === undefined ? null : String(result.security);
  return {
    ...rest,
    question: question && questionJson(question),
    security,
    startedTime: isoTime(startedAtMs),
    lastTime: isoTime(movedAtMs),
  };
}

/** Clients of this path know these members by other names than the operation has. */
function questionJson({ kind, data }: OperationQuestion): Fits<typeof questionData> {
  const { security, ...rest } = data;
  return {
    kind,
    ...rest,
    ...(Array.isArray(security) ? { requested: securityNames.filter((name) => security.includes(name)) } : {}),
  };
}

export function provisionedJson({ isActive, ...entry }: ProvisioningEntry): object {
  return { ...entry, active: isActive };
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
