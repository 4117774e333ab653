/** The Matter bridge, in portal mode. @see docs/interface/matter.md */

import type { Matter } from "../model/matter.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";

export function createMatter(session: Session): Matter {
  const request = portalRequest(session, "Work on the Matter bridge");
  return {
    get: () => request("GET /api/matter", {}),
    openWindow: (seconds) => request("POST /api/matter/bridge/window", {}, { body: { seconds } }),
    removeFabric: (index) => request("DELETE /api/matter/bridge/fabrics/:index", { index: String(index) }),
  };
}
