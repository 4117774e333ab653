/** `/api/report`: the support report. @see docs/interface/monitoring.md */

import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { list, object, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

/** For people: members of the facts come and go with what the controller has. */
const facts = { type: "object", additionalProperties: { description: "A fact, for people." } } as const;

const reportData = object({
  time: time,
  machine: { ...facts, description: "The process and the machine." },
  health: { ...facts, description: "Health as `/healthz` shows it." },
  settings: { ...facts, description: "Settings that hold no secret and no name." },
  integrations: list(facts),
  counts: { ...facts, description: "Number of things of each kind in the home." },
  disk: { ...facts, description: "Disk space of the data directory." },
  backups: list(facts),
  metrics: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "Lines of /metrics; null when it is off.",
  },
  log: list({ description: "A line of the log." }, { description: "The latest lines, without names." }),
});

const route = apiRoute("monitoring", "administer");

export const reportRoutes: readonly Route[] = [
  route("GET /api/report", "The support report.", getReport, { data: reportData }),
];

async function getReport(_request: HttpRequest, { report }: Services): Promise<Reply> {
  return envelope(await report());
}
