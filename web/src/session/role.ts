/** What the signed-in account may do, as its access token says. The controller checks every request by itself; this only hides what it would refuse. */

import { tokenStore } from "./token-store.ts";

export function isOwner(): boolean {
  try {
    const [, claims = ""] = (tokenStore.read()?.access ?? "").split(".");
    const { role } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))) as { readonly role?: string };
    return role === "owner";
  } catch {
    return false;
  }
}
