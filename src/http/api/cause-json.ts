/** A cause as an account may read it. */

import type { Principal } from "../../auth/principal.ts";
import type { Cause } from "../../home/cause.ts";

/** Guests do not learn how others log in. */
export function causeJson({ kind, id, by }: Cause, principal: Principal | null): Cause {
  return { kind, id, by: kind === "request" && hidesLogins(principal) ? null : by };
}

export function hidesLogins(principal: Principal | null): boolean {
  return principal?.role === "guest";
}
