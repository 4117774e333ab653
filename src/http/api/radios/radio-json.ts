/** How radio networks and their operations are spelled in JSON, with the schemas of the answers. */

import type { Radio } from "../../../commands/radio/radio-network.ts";
import type { NodeHealth } from "../../../drivers/radio-facts.ts";
import type { ProvisioningEntry } from "../../../drivers/radio-port.ts";
import type { Operation, OperationQuestion } from "../../../home/operation.ts";
import { isoTime } from "../../../wire/times.ts";
import type { JsonSchema } from "../../schema.ts";

export const securityNames = ["S2-access-control", "S2-authenticated", "S2-unauthenticated", "S0"] as const;

const orNull = (type: string, description: string): JsonSchema => ({ type: [type, "null"], description });

export const operationData: JsonSchema = {
  type: ["object", "null"],
  required: ["id", "kind", "stage", "question", "address", "percent", "security", "detail", "startedTime", "lastTime"],
  properties: {
    id: { type: "string" },
    kind: { type: "string" },
    stage: {
      type: "string",
      enum: [
        ...["starting", "waiting", "found", "asking", "securing", "interviewing", "working"],
        ...["done", "failed", "cancelled"],
      ],
    },
    question: {
      type: ["object", "null"],
      description: "What a person has to decide now.",
      properties: {
        kind: { type: "string", enum: ["grant", "pin"] },
        requested: { type: "array", items: { type: "string", enum: securityNames } },
        dskRest: { type: "string", description: "The device's key without its first five digits." },
      },
    },
    address: orNull("string", "First node of the device, once it is known."),
    percent: orNull("integer", "Where the length of the way is known."),
    security: { type: ["string", "null"], description: "Of a device that was let in; none: it is not encrypted." },
    detail: { type: "string", description: "A sentence for people." },
    startedTime: { type: "string", description: "ISO 8601 in UTC." },
    lastTime: { type: "string", description: "When it last moved." },
  },
};

export const radioData: JsonSchema = {
  type: "object",
  required: ["name", "state", "detail", "about", "operation"],
  properties: {
    name: { type: "string", description: "Name of its driver." },
    state: { type: "string", enum: ["starting", "ready", "degraded", "failed", "stopped"] },
    detail: { type: "string" },
    about: { type: ["object", "null"], description: "null while the adapter is not running." },
    operation: operationData,
  },
};

export const radiosData: JsonSchema = { type: "array", items: radioData };

export const healthData: JsonSchema = {
  type: "object",
  required: [
    ...["address", "state", "responding", "lastSeenTime", "batteryPercent", "roundTripMs", "signalDbm", "route"],
    ...["security", "interviewStage", "interviewed"],
  ],
  properties: {
    address: { type: "string" },
    state: { type: "string", enum: ["alive", "asleep", "dead", "unknown"] },
    responding: { type: "boolean" },
    batteryPercent: orNull("integer", "As it was told last; null for a device that tells none."),
    lastSeenTime: orNull("string", "ISO 8601 in UTC."),
    roundTripMs: orNull("number", "Average of commands to it and back."),
    signalDbm: orNull("number", "How strongly it is heard."),
    route: { type: ["array", "null"], description: "Who repeats for it, in order; null while unknown." },
    routeSpeed: orNull("number", "kbit/s."),
    sent: { type: "integer" },
    received: { type: "integer" },
    lost: { type: "integer" },
    timeouts: { type: "integer" },
    security: orNull("string", "null: it is not encrypted."),
    interviewStage: {
      type: "string",
      enum: ["none", "protocol", "node-info", "command-classes", "configuration", "complete"],
    },
    interviewed: { type: "boolean" },
  },
};

export const healthsData: JsonSchema = { type: "array", description: "By number.", items: healthData };

export function radioJson({ operation, ...radio }: Radio): object {
  return { ...radio, operation: operationJson(operation) };
}

export function operationJson(operation: Operation | null): object | null {
  if (!operation) return null;
  const { startedAtMs, movedAtMs, question, result, ...rest } = operation;
  const security = result.security ?? null;
  return {
    ...rest,
    question: question && questionJson(question),
    security,
    startedTime: isoTime(startedAtMs),
    lastTime: isoTime(movedAtMs),
  };
}

/** Clients of this path know these members by other names than the operation has. */
function questionJson({ kind, data }: OperationQuestion): object {
  const { security, ...rest } = data;
  return { kind, ...rest, ...(security === undefined ? {} : { requested: security }) };
}

export function provisionedJson({ isActive, ...entry }: ProvisioningEntry): object {
  return { ...entry, active: isActive };
}

export function healthJson({ isResponding, isInterviewed, lastSeenAtMs, ...rest }: NodeHealth): object {
  const lastSeenTime = lastSeenAtMs === null ? null : isoTime(lastSeenAtMs);
  return { ...rest, responding: isResponding, interviewed: isInterviewed, lastSeenTime };
}
