/** Puts the parts of authentication together. policy.ts decides what an account may do. */

import { ControllerError } from "../errors.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Log } from "../util/log.ts";
import { isHomeNetwork } from "../util/network-target.ts";
import { AccountBook } from "./account-book.ts";
import type { Auth } from "./auth.ts";
import { Credentials } from "./credentials.ts";
import { GuestLinks } from "./guest-links.ts";
import { AccountHours } from "./hours.ts";
import { createPageLayers } from "./page-layers.ts";
import { Passkeys } from "./passkeys.ts";
import { createPasswords, type PasswordCost } from "./passwords.ts";
import { PortalLogin, type PortalParts } from "./portal-login.ts";
import type { Principal } from "./principal.ts";
import { type PrincipalPorts, principalOf } from "./principal-of.ts";
import { createProposals } from "./proposals.ts";
import { createPushDevices, type PushDevices } from "./push-devices.ts";
import { findAccount, findAccountById } from "./records.ts";
import { SecondFactors } from "./second-factor.ts";
import { ServiceAccountBook } from "./service-accounts.ts";
import { Sessions } from "./sessions.ts";
import { createTokens, type TokenParts } from "./tokens.ts";

type AuthParts = TokenParts &
  Pick<PrincipalPorts, "views"> & {
    readonly home: { readonly controller: { readonly timeZone: string } };
    readonly log: Log;
    /** Gets the visits of guests for the journal. */
    readonly feed: Pick<ChangeFeed, "commit">;
    /** For tests, which hash many passwords. Left out: what protects a stolen store. */
    readonly passwordCost?: PasswordCost | undefined;
  } & Pick<PortalParts, "brokerKeys">;

export function createAuth(given: AuthParts): Auth {
  const hours = new AccountHours({ ...given, end: (id) => book.revoke(id) });
  const parts = { ...given, hours };
  const { accounts, config, feed, log, randomness, views } = parts;
  const passwords = createPasswords(config, randomness, parts.passwordCost);
  const sessions = new Sessions(parts);
  const credentials = new Credentials({ ...parts, passwords });
  const tokens = createTokens(parts, (sessionId) => sessions.find(sessionId) !== null);
  const passkeys = new Passkeys({ ...parts, credentials, sessions });
  const secondFactors = new SecondFactors({ ...parts, credentials, sessions });
  const portal = new PortalLogin({ ...parts, credentials, passkeys, secondFactors, sessions, tokens });
  const book = new AccountBook({ ...parts, passwords, sessions });
  const guests = new GuestLinks({
    ...parts,
    end: (id) => book.revoke(id),
    visited: ({ id, login }) => void feed.commit({ type: "guest-visited" }, { kind: "request", id, by: login }),
  });
  guests.start();
  hours.follow();
  const services = new ServiceAccountBook(randomness, (id) => book.revoke(id));
  const local = { credentials, services, views, hours };
  const bearer = (token: string): Promise<Principal> | Principal =>
    GuestLinks.isToken(token) ? guests.principalOf(token) : portal.principalOf(token);
  const pushDevices = createPushDevices(parts);
  sessions.onEnded((ids) => void endDevices(pushDevices, ids, log));
  sessions.purge().catch((error: unknown) => log.warn("Sessions that are over could not be removed.", { error }));
  const isHomeNetworkOnly = () =>
    config.basicFrom === "home-network" || (config.basicFrom === "auto" && secondFactors.isUsed());
  return {
    authenticate: async (authorization, listener, remoteAddress) => {
      if (authorization === undefined) return null;
      const { scheme, value } = splitHeader(authorization);
      if (scheme === "basic" && isHomeNetworkOnly() && !isHomeNetwork(remoteAddress))
        throw new ControllerError("HOME_NETWORK_ONLY");
      switch (listener) {
        case "portal":
          if (scheme === "bearer") return bearer(value);
          if (scheme !== "basic" || !config.portalBasic) throw new ControllerError("TOKEN_REFUSED");
          return localPrincipal(local, value, remoteAddress);
        case "local":
          if (scheme !== "basic") throw new ControllerError("LOGIN_FAILED");
          return localPrincipal(local, value, remoteAddress);
      }
    },
    verifyAccessToken: async (token) => bearer(token),
    login: (username, password, remoteAddress, client = null, code = null) =>
      portal.login(username, password, remoteAddress, client, code),
    loginWithPasskey: (site, given, remoteAddress, client = null) =>
      portal.loginWithPasskey(site, given, remoteAddress, client),
    refresh: (refreshToken, remoteAddress) => portal.refresh(refreshToken, remoteAddress ?? null),
    sessionAllows: (sessionId, action) => portal.allows(sessionId, action),
    logout: async ({ sessionId }) => {
      if (sessionId !== null) await sessions.end([sessionId]);
    },
    onSessionsEnded: (listener) => sessions.onEnded(listener),
    accounts: book,
    guests,
    hours,
    pageLayers: createPageLayers(accounts, config),
    passkeys,
    proposals: createProposals(parts),
    pushDevices,
    byName: accountsByName(parts),
    secondFactors,
    services,
  };
}

async function endDevices(devices: PushDevices, sessionIds: readonly string[], log: Log): Promise<void> {
  await devices
    .endOfSessions(sessionIds)
    .catch((error: unknown) => log.warn("Notifications of ended sessions could not be removed.", { error }));
}

function accountsByName({ accounts, ...ports }: PrincipalPorts & Pick<TokenParts, "accounts">): Auth["byName"] {
  return {
    idOf: (login) => (findAccount(accounts, "portal", login) ?? findAccount(accounts, "local", login))?.id ?? null,
    principalOf(accountId) {
      const account = findAccountById(accounts, accountId);
      if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
      return principalOf(ports, account, null);
    },
  };
}

function splitHeader(authorization: string): { readonly scheme: string; readonly value: string } {
  const header = authorization.trim();
  const space = header.indexOf(" ");
  if (space < 0) return { scheme: header.toLowerCase(), value: "" };
  return { scheme: header.slice(0, space).toLowerCase(), value: header.slice(space + 1).trim() };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @param value of the Authorization header, after the scheme: base64 of `user:password` in UTF-8, or else in Latin-1.
 * @throws ControllerError LOGIN_FAILED, also when it is malformed; TOO_MANY_TRIES, LOGINS_BUSY.
 */
async function localPrincipal(
  ports: PrincipalPorts & { readonly credentials: Credentials; readonly services: ServiceAccountBook },
  value: string,
  remoteAddress: string,
): Promise<Principal> {
  const { login, password } = decode(value);
  const service = ports.services.find(login, password, remoteAddress);
  if (service) return service;
  const account = await ports.credentials.check({ kind: "local", login, password, remoteAddress });
  return principalOf(ports, account, null);
}

/** A password may hold colons, a user name may not. */
function decode(value: string): { readonly login: string; readonly password: string } {
  if (!BASE64.test(value)) throw new ControllerError("LOGIN_FAILED");
  const text = decodeText(Buffer.from(value, "base64"));
  const colon = text.indexOf(":");
  if (colon < 0) throw new ControllerError("LOGIN_FAILED");
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** RFC 7617 leaves the encoding open: browsers write UTF-8, aiohttp and requests, on which the clients of Python stand, Latin-1. */
function decodeText(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}
