/** The portal's way in: credentials for a pair of tokens, a refresh token for the next pair, a bearer token per request. */

import { ControllerError } from "../errors.ts";
import { sourceNetwork } from "../util/source-network.ts";
import type { LoginResult } from "./auth.ts";
import type { Credentials } from "./credentials.ts";
import type { Site } from "./passkey-challenges.ts";
import type { Assertion } from "./passkey-check.ts";
import type { Passkeys } from "./passkeys.ts";
import { type Right, roleAllows } from "./policy.ts";
import type { Principal } from "./principal.ts";
import { type PrincipalPorts, principalOf } from "./principal-of.ts";
import { type Account, type AccountStore, findAccountById, type Session } from "./records.ts";
import type { SecondFactors } from "./second-factor.ts";
import type { Sessions } from "./sessions.ts";
import type { TokenClaims, Tokens } from "./tokens.ts";

export type PortalParts = PrincipalPorts & {
  readonly accounts: AccountStore;
  readonly credentials: Credentials;
  readonly passkeys: Passkeys;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  /** Key and certificate for a session's login at the plugin broker; empty without a broker. */
  readonly brokerKeys: (sessionId: string) => Promise<LoginResult["ssl"]>;
};

export class PortalLogin {
  readonly #parts: PortalParts;
  /** Refresh tokens whose rotation has not been answered yet. */
  readonly #refreshing = new Set<string>();

  constructor(parts: PortalParts) {
    this.#parts = parts;
  }

  async login(
    login: string,
    password: string,
    remoteAddress: string,
    client: string | null,
    code: string | null,
  ): Promise<LoginResult> {
    const { credentials, secondFactors, sessions } = this.#parts;
    const account = await credentials.check({ kind: "portal", login, password, remoteAddress });
    this.#parts.hours.check(account);
    await secondFactors.check(account, code, remoteAddress);
    return this.#answer(await sessions.begin(account.id, client), account);
  }

  async loginWithPasskey(site: Site, given: Assertion, remoteAddress: string, client: string | null) {
    const { hours, passkeys, sessions } = this.#parts;
    const account = await passkeys.check(site, given, remoteAddress);
    hours.check(account);
    return this.#answer(await sessions.begin(account.id, client), account);
  }

  /**
   * Each token can be used once. Of several simultaneous requests with one token the first wins. The others are
   * refused without ending the session, because the token was not used before they came.
   */
  async refresh(refreshToken: string, remoteAddress: string | null): Promise<LoginResult> {
    if (this.#refreshing.has(refreshToken)) throw new ControllerError("TOKEN_REFUSED");
    this.#refreshing.add(refreshToken);
    try {
      const { sessions, tokens } = this.#parts;
      const { sessionId, tokenId } = await tokens.verifyRefresh(refreshToken);
      const session = await sessions.rotate(sessionId, tokenId, remoteAddress && sourceNetwork(remoteAddress));
      return await this.#answer(session, this.#accountOf(session));
    } finally {
      this.#refreshing.delete(refreshToken);
    }
  }

  /** Settles at once for a token that was verified before. @throws ControllerError TOKEN_REFUSED. */
  principalOf(accessToken: string): Principal | Promise<Principal> {
    const claims = this.#parts.tokens.verifyAccess(accessToken);
    return claims instanceof Promise ? claims.then((checked) => this.#bearer(checked)) : this.#bearer(claims);
  }

  #bearer({ sessionId }: TokenClaims): Principal {
    const session = this.#parts.sessions.find(sessionId);
    if (!session) throw new ControllerError("TOKEN_REFUSED");
    return principalOf(this.#parts, this.#accountOf(session), sessionId);
  }

  #accountOf(session: Session): Account {
    const account = findAccountById(this.#parts.accounts, session.accountId);
    if (!account) throw new ControllerError("TOKEN_REFUSED");
    return account;
  }

  /** Whether the session lasts and its account may do this. */
  allows(sessionId: string, action: Right): boolean {
    const session = this.#parts.sessions.find(sessionId);
    const account = session && findAccountById(this.#parts.accounts, session.accountId);
    return account !== null && roleAllows(account.role, action) && this.#parts.hours.isOpenNow(account);
  }

  async #answer(session: Session, account: Account): Promise<LoginResult> {
    const pair = await this.#parts.tokens.issue(session, account);
    const mayUseBroker = roleAllows(account.role, "administer");
    return { ...pair, ssl: mayUseBroker ? await this.#parts.brokerKeys(session.id) : {} };
  }
}
