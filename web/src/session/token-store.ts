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

/** As the controller makes them. */
const GUEST_TOKEN = /^guest\.[0-9a-f]{16}\.[0-9a-f]{64}$/;

/**
 * Signs in with a guest link. Its token follows the `#` of the address and is removed from it. Such a token is never
 * refreshed: at its end the session ends. Any page can open such an address, so a login of this browser is replaced only when the
 * person agrees, and then ended at the controller.
 *
 * @param isAgreed asked only when someone is signed in
 */
export function takeGuestLink(isAgreed: () => boolean): void {
  const token = location.hash.slice(1);
  if (!token.startsWith("guest.")) return;
  history.replaceState(null, "", location.pathname + location.search);
  const before = tokenStore.read();
  if (!GUEST_TOKEN.test(token) || before?.access === token) return;
  if (before && !isAgreed()) return;
  tokenStore.write({ access: token, refresh: token });
  if (before && !GUEST_TOKEN.test(before.access)) void endLogin(before);
}

async function endLogin({ access }: StoredTokens): Promise<void> {
  const headers = { Authorization: `Bearer ${access}` };
  await fetch("/api/jwt/logout", { method: "POST", headers, keepalive: true }).catch(() => {});
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
