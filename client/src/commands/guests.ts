/** Guest links, in portal mode, for owners. @see docs/interface/guests.md */

import type { Guests } from "../model/guests.ts";
import { readGuest, readGuests } from "../documents/guests.ts";
import { isObject, readEnvelope, textOf } from "../documents/json.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

const PATH = "/api/guests";
const WORK = "Work on guest links";

export function createGuests(session: Session): Guests {
  return {
    async list() {
      requirePortal(session, WORK);
      return readGuests(readEnvelope(await session.get(PATH), PATH));
    },
    async create(wanted) {
      requirePortal(session, WORK);
      const data = await write(session, "POST", PATH, wanted);
      const token = textOf(isObject(data) ? data.token : null);
      return { ...readGuest(data), token, link: `${session.origin}/#${token}` };
    },
    async revoke(id) {
      requirePortal(session, WORK);
      await write(session, "DELETE", `${PATH}/${segment(id)}`);
    },
  };
}
