/** `/api/radios/{radio}/diagnostics`: one document to attach to a bug report. @see docs/interface/radio-network.md */

import { type RadioReport, reportRadio } from "../../../commands/radio/radio-diagnostics.ts";
import type { NetworkDiagnostics } from "../../../drivers/network-facts.ts";
import { badValue } from "../../../errors.ts";
import { isoTime } from "../../../wire/times.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest } from "../../route.ts";
import { type Fits, list, object, time } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { operationJson } from "../operations.ts";
import { healthJson } from "./radio-json.ts";

/** Version of the document; raised when a member is removed or changes its meaning. */
const FORMAT = 1;

const fact = {
  type: "object",
  additionalProperties: { description: "A fact for developers; names and values may change between versions." },
} as const;

export const diagnosticsData = object({
  format: { const: FORMAT },
  time: time,
  versions: { type: "object", additionalProperties: { type: "string" } },
  radio: { ...fact, description: "The driver and the latest operation." },
  network: {
    type: ["object", "null"],
    additionalProperties: { description: "A fact for developers; names and values may change between versions." },
    description: "Adapter, queues, devices; null while the adapter is not running.",
  },
  nodes: list(fact, { description: "The nodes of the devices." }),
  nodedefs: list(fact),
  failures: list(fact, { description: "The latest commands that failed, newest first." }),
  troubles: list(fact, { description: "Errors of the adapter and its devices, oldest first." }),
});

export const diagnosticsQuery = {
  names: { enum: ["yes", "no"], description: "Whether the names of nodes are shown; default yes." },
};

export function getDiagnostics({ params, query }: HttpRequest, services: Services): Reply {
  const names = query.get("names") ?? "yes";
  if (names !== "yes" && names !== "no") throw badValue("names is yes or no.");
  const report = reportRadio(services, params.radio ?? "", names === "yes");
  return envelope(reportJson(report, services.productVersion));
}

function reportJson(
  { atMs, radio, network, failures, troubles, ...rest }: RadioReport,
  product: string,
): Fits<typeof diagnosticsData> {
  return {
    format: FORMAT,
    time: isoTime(atMs),
    versions: {
      domovoi: product,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      ...network?.packages,
    },
    radio: { ...radio, operation: operationJson(radio.operation) },
    network: network && networkJson(network),
    ...rest,
    failures: failures.map(timed),
    troubles: troubles.map(timed),
  };
}

function networkJson({ adapter: { mesh, ...adapter }, queues, devices }: NetworkDiagnostics) {
  const { provisioned = null, ...own } = mesh ?? {};
  return {
    adapter: { ...adapter, ...own },
    queues,
    provisioned,
    devices: devices.map(({ details, ...health }) => ({ ...healthJson(health), ...details })),
  };
}

function timed<T extends { readonly atMs: number }>({ atMs, ...rest }: T): Fits<typeof fact> {
  return { time: isoTime(atMs), ...rest };
}
