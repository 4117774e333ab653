/** WHO MAY: what the surfaces see of authentication. */

import type { Accounts } from "./account-book.ts";
import type { Guests } from "./guest-links.ts";
import type { AccountHours } from "./hours.ts";
import type { PageLayers } from "./page-layers.ts";
import type { Site } from "./passkey-challenges.ts";
import type { Assertion } from "./passkey-check.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Right } from "./policy.ts";
import type { Principal } from "./principal.ts";
import type { Proposals } from "./proposals.ts";
import type { PushDevices } from "./push-devices.ts";
import type { SecondFactors } from "./second-factor.ts";
import type { ServiceAccounts } from "./service-accounts.ts";

export type ListenerName = "portal" | "local";

/** `ssl` is the key pair of the plugin broker; empty for accounts that may not run plugins. Never logged. */
export type LoginResult = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly ssl: Readonly<Record<string, string>>;
};

export type Auth = {
  /**
   * Resolves the Authorization header to a principal: a bearer token of a session or of a guest link, or, with the
   * setting portalBasic, basic credentials of a local account on the portal listener; basic credentials on the local
   * listener.
   * @returns null without a header.
   * @throws ControllerError TOKEN_REFUSED, LOGIN_FAILED, TOO_MANY_TRIES, HOME_NETWORK_ONLY.
   */
  authenticate(
    authorization: string | undefined,
    listener: ListenerName,
    remoteAddress: string,
  ): Promise<Principal | null>;
  /** @throws ControllerError TOKEN_REFUSED. */
  verifyAccessToken(token: string): Promise<Principal>;
  /**
   * @param client the program that logs in, as it names itself; null: unknown.
   * @param code of the second factor: six digits or a recovery code; null: the client sent none.
   * @throws ControllerError LOGIN_FAILED, TOO_MANY_TRIES, OUT_OF_HOURS, SECOND_FACTOR_NEEDED, SECOND_FACTOR_REFUSED. The session is on
   * disk when this settles.
   */
  login(
    username: string,
    password: string,
    remoteAddress: string,
    client?: string | null,
    code?: string | null,
  ): Promise<LoginResult>;
  /** @throws ControllerError PASSKEY_REFUSED, TOO_MANY_TRIES, OUT_OF_HOURS. The session is on disk when this settles. */
  loginWithPasskey(site: Site, given: Assertion, remoteAddress: string, client?: string | null): Promise<LoginResult>;
  /**
   * Rotates. A refresh token that was used before ends its whole session, unless it comes from the same address within
   * seconds: a client that lost a race against itself is only refused.
   * @throws ControllerError TOKEN_REFUSED.
   */
  refresh(refreshToken: string, remoteAddress?: string): Promise<LoginResult>;
  /** Whether the session lasts and its account may do this; also for connections that show no token. */
  sessionAllows(sessionId: string, action: Right): boolean;
  /** Ends the principal's session. */
  logout(principal: Principal): Promise<void>;
  /** For those who look after accounts. */
  readonly accounts: Accounts;
  readonly guests: Guests;
  readonly hours: Pick<AccountHours, "stop">;
  readonly pageLayers: PageLayers;
  readonly passkeys: Pick<Passkeys, "of" | "beginAdding" | "add" | "remove" | "beginLogin">;
  readonly proposals: Proposals;
  readonly pushDevices: PushDevices;
  readonly secondFactors: Pick<SecondFactors, "of" | "begin" | "add" | "remove" | "renewCodes">;
  /** For what acts for an account without its credentials, such as the answer to an alert. */
  readonly byName: {
    /** A person's account with this login, of the portal before one of the local listener; null: none. */
    idOf(login: string): string | null;
    /** As of now. @throws ControllerError ACCOUNT_NOT_FOUND, OUT_OF_HOURS */
    principalOf(accountId: string): Principal;
  };
  /** For programs that the controller runs. */
  readonly services: ServiceAccounts;
  /** Called with the ids of sessions that ended early (logout, reuse, change of password). */
  onSessionsEnded(listener: (sessionIds: readonly string[]) => void): void;
};
