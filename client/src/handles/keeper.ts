/** What handles are made of: the state as it is now, and the way to the controller. */

import type { HomeState } from "../model/state.ts";
import type { Session } from "../transport/session.ts";

export type Keeper = { readonly state: () => HomeState; readonly session: Session };
