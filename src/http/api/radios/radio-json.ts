/** Radio networks and the health of their devices in JSON, with the schemas. */

import type { RadioState } from "../../../commands/radio/radio-network.ts";
import type { MeshAbout, MeshDeviceHealth } from "../../../drivers/mesh-facts.ts";
import type { DeviceHealth, NetworkAbout } from "../../../drivers/network-facts.ts";
import { isoTimeOrNull } from "../../../wire/times.ts";
import { type Fits, list, object, orNull, textOrNull } from "../../schema.ts";
import { operationData, operationJson } from "../operations.ts";

const aboutData = object(
  {
    homeId: textOrNull("Eight hexadecimal digits; null, as all that only a mesh with keys has, in another network."),
    nodeId: { type: ["integer", "null"] },
    firmware: { type: ["string", "null"] },
    library: { type: ["string", "null"] },
    region: { type: ["string", "null"] },
    nodes: { type: "integer" },
    isJammed: { type: "boolean", description: "The adapter finds no free moment to send." },
    acceptsProvisioned: { type: ["boolean", "null"] },
    sent: { type: "integer" },
    received: { type: "integer" },
    lost: { type: "integer" },
    refused: { type: ["integer", "null"], description: "Frames that the adapter refused or did not answer." },
    collisions: { type: ["integer", "null"] },
    timeouts: { type: "integer" },
    noiseDbm: orNull(list({ type: "number" }, { description: "Background noise of each channel in dBm." })),
  },
  { title: "RadioAbout" },
);

export const radioData = object({
  name: { type: "string", description: "Name of its driver." },
  family: { type: "integer", description: "Family of its nodes." },
  protocol: { type: "string", description: "In lower case, it names the network as well." },
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
    firmware: { type: ["string", "null"] },
    security: textOrNull("null: it is not encrypted."),
    interviewStage: {
      enum: ["none", "protocol", "node-info", "command-classes", "configuration", "complete", null],
      description: "null in a network without keys.",
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

const NO_MESH: { readonly [K in keyof MeshAbout]: null } = {
  homeId: null,
  nodeId: null,
  library: null,
  region: null,
  acceptsProvisioned: null,
  refused: null,
  collisions: null,
  noiseDbm: null,
};
const NO_MESH_DEVICE: { readonly [K in keyof MeshDeviceHealth]: null } = {
  interviewStage: null,
  routeSpeed: null,
  security: null,
};

export function radioJson({ operation, about, ...radio }: RadioState): Fits<typeof radioData> {
  return { ...radio, about: about && aboutJson(about), operation: operationJson(operation) };
}

function aboutJson({ mesh, ...about }: NetworkAbout): Fits<typeof aboutData> {
  return { ...about, ...(mesh ?? NO_MESH) };
}

export function healthJson({
  isResponding,
  isInterviewed,
  lastSeenAtMs,
  mesh,
  ...rest
}: DeviceHealth): Fits<typeof healthData> {
  const lastSeenTime = isoTimeOrNull(lastSeenAtMs);
  return { ...rest, ...(mesh ?? NO_MESH_DEVICE), responding: isResponding, interviewed: isInterviewed, lastSeenTime };
}
