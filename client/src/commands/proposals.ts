/** Proposals of assistants, in portal mode. @see docs/interface/proposals.md */

import type { Proposals } from "../model/proposals.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";

export function createProposals(session: Session): Proposals {
  const request = portalRequest(session, "A proposal");
  return {
    list: () => request("GET /api/proposals", {}),
    add: (body) => request("POST /api/proposals", {}, { body }),
    approve: (id) => request("POST /api/proposals/:id/approve", { id }),
    reject: (id) => request("POST /api/proposals/:id/reject", { id }),
    stop: (account) => request("POST /api/proposals/stop", {}, { body: { account } }),
  };
}
