/** A pair of tokens, stored so that no printout shows it. */

import { isObject, parseJson } from "../documents/json.ts";
import type { StoredTokens } from "../model/token-store.ts";

/** Clocks that differ by more than this are wrong. */
const SKEW_MS_MAX = 60_000;

export class Tokens {
  readonly #access: string;
  readonly #refresh: string;
  /** When the access token has to be renewed at the latest, by the clock of this machine; null when its claims cannot be read. */
  readonly expiresAtMs: number | null;

  /**
   * The clocks of this machine and of the controller may differ by days.
   * @param issuedAtMs by the clock of this machine, when the tokens have just come
   */
  constructor(access: string, refresh: string, nowMs: number, issuedAtMs: number | null) {
    this.#access = access;
    this.#refresh = refresh;
    const claims = readClaims(access);
    if (!claims?.issuedAtMs) this.expiresAtMs = claims?.expiresAtMs ?? null;
    else if (issuedAtMs !== null) this.expiresAtMs = issuedAtMs + claims.expiresAtMs - claims.issuedAtMs;
    // Stored tokens from the future: this clock is behind, so their age is unknown. Renewing them once shows it.
    else this.expiresAtMs = claims.issuedAtMs > nowMs + SKEW_MS_MAX ? nowMs : claims.expiresAtMs;
  }

  get access(): string {
    return this.#access;
  }

  get refresh(): string {
    return this.#refresh;
  }
}

export function restoreTokens(stored: StoredTokens | null, nowMs: number): Tokens | null {
  return stored === null || stored.access === "" || stored.refresh === ""
    ? null
    : new Tokens(stored.access, stored.refresh, nowMs, null);
}

/** The pair in the answer to a login or refresh that has just come; null when it is not whole. */
export function readTokens(text: string, nowMs: number): Tokens | null {
  const document = parseJson(text);
  if (!isObject(document) || document.successful !== true || !isObject(document.data)) return null;
  const { accessToken, refreshToken } = document.data;
  if (typeof accessToken !== "string" || typeof refreshToken !== "string") return null;
  return accessToken === "" || refreshToken === "" ? null : new Tokens(accessToken, refreshToken, nowMs, nowMs);
}

/** `exp` and `iat` of the middle part, in milliseconds; null without a numeric `exp`. */
function readClaims(token: string): { readonly issuedAtMs: number | null; readonly expiresAtMs: number } | null {
  try {
    const base64 = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims = parseJson(new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))));
    if (!isObject(claims) || typeof claims.exp !== "number") return null;
    return { issuedAtMs: typeof claims.iat === "number" ? claims.iat * 1000 : null, expiresAtMs: claims.exp * 1000 };
  } catch {
    return null;
  }
}
