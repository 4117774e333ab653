/** The sender of a request, and the part of the home that it can reach. */

import type { LimitedHome } from "../home/limited-home.ts";

export type Role = "owner" | "user" | "guest";

export type Principal = {
  readonly accountId: string;
  /** E-mail address of a portal account, user name of a local one. */
  readonly login: string;
  readonly role: Role;
  /** The portal session whose token was shown; null with basic authentication. */
  readonly sessionId: string | null;
  /** All that exists for this principal; null: the whole home. */
  readonly view: LimitedHome | null;
  /** An assistant acts for the account: it may look, command what is not secured, and propose changes. */
  readonly isAssistant?: true;
};
