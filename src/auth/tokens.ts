/**
 * The two tokens of a portal session: ES256-signed JWTs with this instance's own key. A token proves only that this
 * instance issued it and that it has not expired. The session and the account decide about its rights at every use.
 */

import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { createFingerprint } from "../util/fingerprint.ts";
import { makePrivateKey } from "../util/private-key.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { RecentlyUsed } from "../util/recently-used.ts";
import type { Account, AccountStore, Session } from "./records.ts";
import { TurnQueue } from "./turn-queue.ts";

export type TokenParts = {
  readonly config: Config;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Id of the controller; a claim of every token. */
  readonly uuid: string;
};

type TokenPair = { readonly accessToken: string; readonly refreshToken: string };

export type TokenClaims = {
  readonly sessionId: string;
  readonly tokenId: string;
  readonly issuedAtS: number;
  readonly expiresAtS: number;
};

export type Tokens = {
  /** The refresh token carries the session's newest refresh token id. */
  issue(session: Session, account: Account): Promise<TokenPair>;
  /** Settles at once for a token that was verified before. @throws ControllerError TOKEN_REFUSED. */
  verifyAccess(token: string): TokenClaims | Promise<TokenClaims>;
  /** @throws ControllerError TOKEN_REFUSED. */
  verifyRefresh(token: string): Promise<TokenClaims>;
};

// Existing clients compare issuer and audience with these words, so the controller's name is not used.
const ISSUER = "eisy";
const AUDIENCE = "eisy";
const ALGORITHM = "ES256";
const ACCESS_TYPE = "at+jwt";
const REFRESH_TYPE = "rt+jwt";
/** A longer text is not looked at, so it cannot keep the processor busy. */
const TOKEN_CHARACTERS_MAX = 8192;
/** How far the clock may have been set back between issuing and showing a token. */
const CLOCK_STEP_MAX_S = 60;
/** Access tokens remembered as good, by themselves: even a hash of one would be a tenth of what a request costs. */
const GOOD_MAX = 4096;
/** Tokens of live sessions remembered as bad, apart from the good ones, which they must not displace. */
const BAD_MAX = 1024;
const CHECKS = { atOnce: 4, waitingMax: 256 } as const;

export function createTokens(parts: TokenParts, isLive: (sessionId: string) => boolean): Tokens {
  const { accounts, clock, config, randomness, uuid } = parts;
  const privateKey = createPrivateKey(accounts.secret("token-key", makePrivateKey));
  const publicKey = createPublicKey(privateKey);
  const good = new RecentlyUsed<TokenClaims>(GOOD_MAX);
  const bad = new RecentlyUsed<true>(BAD_MAX);
  const underWay = new Map<string, Promise<TokenClaims>>();
  const checks = new TurnQueue(CHECKS);
  const fingerprint = createFingerprint(randomness);

  /** A forged token has no id of a live session, so only tokens with one need the check of their signature. */
  const check = async (key: string, token: string, type: string): Promise<TokenClaims> => {
    const { sessionId } = await readClaims(token, uuid, clock.now());
    if (!isLive(sessionId)) throw new ControllerError("TOKEN_REFUSED");
    return checks.run("known", async () => {
      try {
        const payload = await openToken(publicKey, token, type, clock.now());
        return claimsOf(payload, uuid, clock.now());
      } catch (error) {
        bad.set(key, true);
        throw error;
      }
    });
  };
  /** Equal tokens at the same moment share one check. */
  const verify = async (token: string, type: string): Promise<TokenClaims> => {
    if (token.length > TOKEN_CHARACTERS_MAX) throw new ControllerError("TOKEN_REFUSED");
    const key = fingerprint(type, token);
    if (bad.get(key)) throw new ControllerError("TOKEN_REFUSED");
    const same = underWay.get(key);
    if (same) return same;
    const checked = check(key, token, type).finally(() => underWay.delete(key));
    underWay.set(key, checked);
    return checked;
  };
  return {
    issue: async (session, account) => {
      const iat = Math.floor(clock.now() / 1000);
      // The order of the claims is the one that clients in the field see from other controllers; ours follow.
      const shared = { uuid, sub: account.login, iat };
      const named = { aud: [AUDIENCE], iss: ISSUER };
      const access = { role: account.role, sid: session.id, jti: randomId(randomness, 16), ...limitsOf(account) };
      const refresh = { sid: session.id, jti: session.refreshTokenId };
      const accessExp = iat + config.accessTokenLifetimeS;
      const refreshExp = iat + config.refreshTokenLifetimeS;
      const [accessToken, refreshToken] = await Promise.all([
        signToken(privateKey, ACCESS_TYPE, { ...shared, exp: accessExp, ...named, ...access }),
        signToken(privateKey, REFRESH_TYPE, { ...shared, exp: refreshExp, ...named, ...refresh }),
      ]);
      good.set(accessToken, {
        sessionId: session.id,
        tokenId: access.jti,
        issuedAtS: iat,
        expiresAtS: accessExp,
      });
      return { accessToken, refreshToken };
    },
    verifyAccess: (token) => {
      const known = good.get(token);
      if (known) return inTime(known, clock.now());
      return verify(token, ACCESS_TYPE).then((claims) => {
        good.set(token, claims);
        return claims;
      });
    },
    verifyRefresh: (token) => verify(token, REFRESH_TYPE),
  };
}

/** Only for what a page offers: every request is checked by the account as it is then. */
function limitsOf({ limits }: Account) {
  return limits ? { limited: true, ...(limits.commands && { commands: limits.commands }) } : {};
}

// jose is loaded at the first login: a home of local clients never needs it.
async function signToken(key: KeyObject, type: string, claims: JWTPayload): Promise<string> {
  const { SignJWT } = await import("jose/jwt/sign");
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: type }).sign(key);
}

/** The claims of a token that this key signed, of this type, for us, in its time. */
async function openToken(key: KeyObject, token: string, type: string, atMs: number): Promise<JWTPayload> {
  const { jwtVerify } = await import("jose/jwt/verify");
  const expected = { algorithms: [ALGORITHM], typ: type, issuer: ISSUER, audience: AUDIENCE };
  const verified = jwtVerify(token, key, { ...expected, currentDate: new Date(atMs) });
  const { payload } = await verified.catch((cause: unknown) => {
    throw new ControllerError("TOKEN_REFUSED", { cause });
  });
  return payload;
}

/**
 * Checks that jose leaves to its callers: a token from the future, one without our own claims, or one of a copied key
 * on another controller.
 */
function claimsOf({ uuid, sid, jti, exp, iat }: JWTPayload, ourUuid: string, nowMs: number): TokenClaims {
  const isOurs = uuid === ourUuid && typeof sid === "string" && typeof jti === "string";
  if (!isOurs || typeof exp !== "number" || typeof iat !== "number") throw new ControllerError("TOKEN_REFUSED");
  return inTime({ sessionId: sid, tokenId: jti, issuedAtS: iat, expiresAtS: exp }, nowMs);
}

function inTime(claims: TokenClaims, nowMs: number): TokenClaims {
  const nowS = nowMs / 1000;
  if (claims.expiresAtS <= nowS || claims.issuedAtS > nowS + CLOCK_STEP_MAX_S)
    throw new ControllerError("TOKEN_REFUSED");
  return claims;
}

/** The claims of a token before its signature is verified. */
async function readClaims(token: string, ourUuid: string, nowMs: number): Promise<TokenClaims> {
  const { decodeJwt } = await import("jose/jwt/decode");
  let payload: JWTPayload;
  try {
    payload = decodeJwt(token);
  } catch (cause) {
    throw new ControllerError("TOKEN_REFUSED", { cause });
  }
  return claimsOf(payload, ourUuid, nowMs);
}
