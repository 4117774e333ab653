/** The principal that an account is, once its credentials are checked. */

import type { LimitedHome } from "../home/limited-home.ts";
import { type Limits, NO_ACCESS } from "../home/limits.ts";
import type { AccountHours } from "./hours.ts";
import type { Principal } from "./principal.ts";
import type { Account } from "./records.ts";

export type PrincipalPorts = {
  readonly views: { of(limits: Limits): LimitedHome };
  readonly hours: Pick<AccountHours, "check" | "isOpenNow">;
};

/** @throws ControllerError OUT_OF_HOURS */
export function principalOf({ views, hours }: PrincipalPorts, account: Account, sessionId: string | null): Principal {
  hours.check(account);
  const { id, login, role } = account;
  // A guest link always has limits; one that lost them in its row must not see the whole home.
  const limits = account.limits ?? (account.kind === "guest" ? NO_ACCESS : null);
  const view = limits ? views.of(limits) : null;
  return { accountId: id, login, role, sessionId, view, ...(account.assistant && { isAssistant: true }) };
}
