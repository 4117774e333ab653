/** The login of this browser: stored for reloads, shared by its tabs. */

import type { StoredTokens, TokenStore } from "@domovoi/client";

const KEY = "domovoi.login";
const listeners = new Set<() => void>();

export const tokenStore: TokenStore = {
  read() {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
      return isTokens(stored) ? stored : null;
    } catch {
      return null;
    }
  },
  write(tokens) {
    if (tokens) localStorage.setItem(KEY, JSON.stringify(tokens));
    else localStorage.removeItem(KEY);
    for (const changed of listeners) changed();
  },
  // A refresh token works once: only one tab may use it.
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    return navigator.locks.request(KEY, work);
  },
};

/**
 * Signs in with a guest link. Its token follows the `#` of the address and is removed from it. Such a token is never
 * refreshed: at its end the session ends.
 */
export function takeGuestLink(): void {
  const token = location.hash.slice(1);
  if (!token.startsWith("guest.")) return;
  tokenStore.write({ access: token, refresh: token });
  history.replaceState(null, "", location.pathname + location.search);
}

/**
 * Calls back when the login was stored, renewed or ended, by this tab or another, or because the controller refuses it.
 * @returns what ends that
 */
export function onLoginChange(changed: () => void): () => void {
  const follow = ({ key }: StorageEvent) => (key === KEY || key === null) && changed();
  listeners.add(changed);
  window.addEventListener("storage", follow);
  return () => {
    listeners.delete(changed);
    window.removeEventListener("storage", follow);
  };
}

function isTokens(value: unknown): value is StoredTokens {
  return typeof value === "object" && value !== null && "access" in value && "refresh" in value;
}
