/** A cause as an account may read it. */

import type { Principal } from "../../auth/principal.ts";
import type { Cause } from "../../home/cause.ts";
import { object, textOrNull } from "../schema.ts";

export const causeData = object({
  kind: { type: "string", description: "device, request, program, schedule, system …" },
  id: { type: "string" },
  by: textOrNull("The account or the program; null when it is not known or not shown."),
});

/** Guests do not learn how others log in, and accounts with limits nothing of who else acts in the home. */
export function causeJson({ kind, id, by }: Cause, principal: Principal | null): Cause {
  const isHidden = principal?.view || (kind === "request" && hidesLogins(principal));
  return { kind, id, by: isHidden ? null : by };
}

export function hidesLogins(principal: Principal | null): boolean {
  return principal?.role === "guest";
}
