/** The basis of handles: the present state, and the access to the controller. */

import type { HomeState } from "../model/state.ts";
import type { Session } from "../transport/session.ts";

export type Keeper = { readonly state: () => HomeState; readonly session: Session };
