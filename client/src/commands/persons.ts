/** The persons of the home, in portal mode. @see docs/interface/persons.md */

import type { Persons } from "../model/persons.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";

export function createPersons(session: Session): Persons {
  const request = portalRequest(session, "Work on persons");
  return {
    list: () => request("GET /api/persons", {}),
    renewAddress: (id, base) =>
      request("POST /api/persons/:id/address", { id }, { body: base === undefined ? {} : { base } }),
  };
}
