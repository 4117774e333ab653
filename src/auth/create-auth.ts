/** Puts the parts of authentication together. What an account may do is asked of policy.ts, not here. */

import { ControllerError } from "../errors.ts";
import type { Log } from "../util/log.ts";
import { AccountBook } from "./account-book.ts";
import type { Auth } from "./auth.ts";
import { Credentials } from "./credentials.ts";
import { localPrincipal } from "./local-login.ts";
import { createPasswords } from "./passwords.ts";
import { PortalLogin } from "./portal-login.ts";
import { Sessions } from "./sessions.ts";
import { createTokens, type TokenParts } from "./tokens.ts";

export type AuthParts = TokenParts & { readonly log: Log };

export function createAuth(parts: AuthParts): Auth {
  const { accounts, config, log, randomness } = parts;
  const passwords = createPasswords(config, randomness);
  const sessions = new Sessions(parts);
  const credentials = new Credentials({ ...parts, passwords });
  const tokens = createTokens(parts, (sessionId) => sessions.find(sessionId) !== null);
  const portal = new PortalLogin({ accounts, credentials, sessions, tokens });
  sessions.purge().catch((error: unknown) => log.warn("Sessions that are over could not be removed.", { error }));
  return {
    authenticate: async (authorization, listener, remoteAddress) => {
      if (authorization === undefined) return null;
      const { scheme, value } = splitHeader(authorization);
      switch (listener) {
        case "portal":
          if (scheme === "bearer") return portal.principalOf(value);
          if (scheme !== "basic" || !config.portalBasic) throw new ControllerError("TOKEN_REFUSED");
          return localPrincipal(credentials, value, remoteAddress);
        case "local":
          if (scheme !== "basic") throw new ControllerError("LOGIN_FAILED");
          return localPrincipal(credentials, value, remoteAddress);
      }
    },
    verifyAccessToken: (token) => portal.principalOf(token),
    login: (username, password, remoteAddress) => portal.login(username, password, remoteAddress),
    refresh: (refreshToken, remoteAddress) => portal.refresh(refreshToken, remoteAddress ?? null),
    logout: async ({ sessionId }) => {
      if (sessionId !== null) await sessions.end([sessionId]);
    },
    onSessionsEnded: (listener) => sessions.onEnded(listener),
    accounts: new AccountBook({ ...parts, passwords, sessions }),
  };
}

function splitHeader(authorization: string): { readonly scheme: string; readonly value: string } {
  const header = authorization.trim();
  const space = header.indexOf(" ");
  if (space < 0) return { scheme: header.toLowerCase(), value: "" };
  return { scheme: header.slice(0, space).toLowerCase(), value: header.slice(space + 1).trim() };
}
