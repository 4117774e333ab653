/** `/healthz` and `/metrics`, for those who watch the controller. @see docs/interface/monitoring.md */

import { ControllerError } from "../../errors.ts";
import { certificateFacts } from "../../monitoring/health.ts";
import { JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { Services } from "../services.ts";

const SHARED = { method: "GET", listener: "both", changes: false, page: "monitoring" } as const;

export const monitoringRoutes: readonly Route[] = [
  {
    ...SHARED,
    path: "/healthz",
    access: "optional",
    summary: "The health of the controller",
    handle: getHealth,
  },
  // Its token is none of an account's, so the handler checks it.
  { ...SHARED, path: "/metrics", access: "public", summary: "Metrics for Prometheus", handle: getMetrics },
];

/** A degraded controller still does what it can: 200, so that no supervisor restarts it for a full disk. */
async function getHealth({ principal }: HttpRequest, { health }: Services): Promise<Reply> {
  const { status, reasons, certificate, store } = await health.report();
  const seen =
    principal && !principal.view ? { status, reasons, certificate: certificateFacts(certificate), store } : { status };
  return {
    status: status === "starting" ? 503 : 200,
    contentType: JSON_TYPE,
    body: JSON.stringify(seen),
  };
}

async function getMetrics({ headers }: HttpRequest, { metrics }: Services): Promise<Reply> {
  if (!metrics) {
    throw new ControllerError("PATH_UNKNOWN", "Metrics are off. The setting metricsTokenFile turns them on.");
  }
  const { authorization } = headers;
  metrics.checkToken(typeof authorization === "string" ? authorization : undefined);
  return { status: 200, contentType: metrics.contentType, body: await metrics.text() };
}
