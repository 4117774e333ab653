/** A pair of tokens, stored so that no printout shows it. */

import { isObject, parseJson } from "../documents/json.ts";
import type { StoredTokens } from "../model/token-store.ts";

export class Tokens {
  readonly #access: string;
  readonly #refresh: string;
  /** When the access token ends; null when its `exp` cannot be read. */
  readonly expiresAtMs: number | null;

  constructor(access: string, refresh: string) {
    this.#access = access;
    this.#refresh = refresh;
    this.expiresAtMs = readExpiry(access);
  }

  get access(): string {
    return this.#access;
  }

  get refresh(): string {
    return this.#refresh;
  }
}

export function restoreTokens(stored: StoredTokens | null): Tokens | null {
  return stored === null || stored.access === "" || stored.refresh === ""
    ? null
    : new Tokens(stored.access, stored.refresh);
}

/** The pair in the answer to a login or refresh; null when it is not whole. */
export function readTokens(text: string): Tokens | null {
  const document = parseJson(text);
  if (!isObject(document) || document.successful !== true || !isObject(document.data)) return null;
  const { accessToken, refreshToken } = document.data;
  if (typeof accessToken !== "string" || typeof refreshToken !== "string") return null;
  return accessToken === "" || refreshToken === "" ? null : new Tokens(accessToken, refreshToken);
}

/** Numeric `exp` of the middle part, in milliseconds. */
function readExpiry(token: string): number | null {
  try {
    const base64 = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims = parseJson(new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))));
    return isObject(claims) && typeof claims.exp === "number" ? claims.exp * 1000 : null;
  } catch {
    return null;
  }
}
