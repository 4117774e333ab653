/** The basis of handles: the present state, and the access to the controller. */

import { ClientError } from "../errors.ts";
import type { HomeState } from "../model/state.ts";
import type { Session } from "../transport/session.ts";

export type Keeper = { readonly state: () => HomeState; readonly session: Session };

/** @throws ClientError NOT_FOUND for a handle on a thing that was removed. */
export function present<R>(record: R | null | undefined, what: string, key: string): R {
  if (record) return record;
  throw new ClientError("NOT_FOUND", `The ${what} ${key} is not there any more.`);
}
