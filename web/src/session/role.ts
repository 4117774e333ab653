/**
 * The role of the signed-in account, from the access token. The controller checks every request by itself; this only
 * hides what it would refuse.
 */

import { pastMs } from "../past/moment.ts";
import { tokenStore } from "./token-store.ts";

type Claims = {
  readonly sub?: string;
  readonly role?: string;
  readonly limited?: boolean;
  readonly commands?: readonly string[];
};

/** The only commands that the account may send; undefined: all that its role allows. */
export function allowedCommands(): readonly string[] | undefined {
  return readClaims().commands;
}

/** An owner, and nothing of the past is shown: that cannot be changed. */
export function isOwner(): boolean {
  return pastMs() === null && hasOwnerRights();
}

/** May also read what only owners may. */
export function hasOwnerRights(): boolean {
  return readClaims().role === "owner";
}

export function accountRole(): "owner" | "user" | "guest" {
  if (hasOwnerRights()) return "owner";
  return hasUserRights() ? "user" : "guest";
}

/** An owner or a user, not a guest. */
export function hasUserRights(): boolean {
  const { role } = readClaims();
  return role === "owner" || role === "user";
}

/** Reaches a part of the home only. */
export function isLimited(): boolean {
  return readClaims().limited === true;
}

/** Accounts with limits and guest links read nothing of the past. */
export function seesPast(): boolean {
  return hasUserRights() && !isLimited();
}

/** The login of the account, or the token of a guest link; null when signed out. */
export function person(): string | null {
  const tokens = tokenStore.read();
  return tokens && (readClaims().sub ?? tokens.access);
}

export function isGuest(name: string): boolean {
  return name.startsWith("guest.");
}

/** Rows of long lists read it at each rendering. */
let latest: { readonly access: string; readonly claims: Claims } = { access: "", claims: {} };

function readClaims(): Claims {
  const access = tokenStore.read()?.access ?? "";
  if (access !== latest.access) latest = { access, claims: claimsOf(access) };
  return latest.claims;
}

function claimsOf(access: string): Claims {
  try {
    const [, claims = ""] = access.split(".");
    const bytes = Uint8Array.from(atob(claims.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return {};
  }
}
