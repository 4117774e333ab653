/** Guest links, and what an account or a guest link reaches of the home. */

import type { GuestLink, Routes } from "./routes.ts";

export type { GuestLink, Limits } from "./routes.ts";
export type NewGuestLink = Routes["POST /api/guests"]["body"];

/** Guest links: one person reaches certain things for a time. @see docs/interface/guests.md */
export type Guests = {
  /** Guest links that have not ended, without their tokens. */
  list(): Promise<readonly GuestLink[]>;
  /** @returns with the token and the link, which are not shown again */
  create(wanted: NewGuestLink): Promise<GuestLink & { readonly token: string; readonly link: string }>;
  /** Its token is refused from now on, and its streams end. */
  revoke(id: string): Promise<void>;
};
