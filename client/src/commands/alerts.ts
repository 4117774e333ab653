/** The alerts of the home, in portal mode. @see docs/interface/alerts.md */

import type { Alerts } from "../model/alerts.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";

export function createAlerts(session: Session): Alerts {
  const request = portalRequest(session, "Work on alerts");
  return {
    list: () => request("GET /api/alerts", {}),
    answer: (node, button) =>
      request("POST /api/alerts/:node/answer", { node }, { body: button === undefined ? {} : { button } }),
  };
}
