/** The principal that an account is, once its credentials are checked. */

import type { LimitedHome } from "../home/limited-home.ts";
import type { Limits } from "../home/limits.ts";
import type { Principal } from "./principal.ts";
import type { Account } from "./records.ts";

export type PrincipalPorts = { readonly views: { of(limits: Limits): LimitedHome } };

export function principalOf({ views }: PrincipalPorts, account: Account, sessionId: string | null): Principal {
  const { id, login, role, limits } = account;
  return { accountId: id, login, role, sessionId, view: limits ? views.of(limits) : null };
}
