/** Guest links, in portal mode, for owners. @see docs/interface/guests.md */

import type { Guests } from "../model/guests.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";

export function createGuests(session: Session): Guests {
  const request = portalRequest(session, "Work on guest links");
  return {
    list: () => request("GET /api/guests", {}),
    async create(wanted) {
      const guest = await request("POST /api/guests", {}, { body: wanted });
      return { ...guest, link: `${session.origin}/#${guest.token}` };
    },
    revoke: async (id) => void (await request("DELETE /api/guests/:id", { id })),
  };
}
