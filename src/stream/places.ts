/**
 * Whether one more client may follow the streams. No account and no address takes the places of all, and some are kept for
 * owners, so that a guest, or many of them, cannot keep the owner's own page out.
 */

import type { Principal } from "../auth/principal.ts";
import type { Config } from "../config.ts";
import { sourceNetwork } from "../util/source-network.ts";

export type PlaceLimits = Pick<
  Config,
  "streamClientsMax" | "streamClientsPerAccountMax" | "streamClientsPerAddressMax" | "streamPlacesForOwners"
>;

type Present = { readonly principal: Principal; readonly remoteAddress: string };

export function hasPlace(
  limits: PlaceLimits,
  present: readonly Present[],
  { principal, remoteAddress }: Present,
): boolean {
  const { streamClientsMax, streamClientsPerAccountMax, streamClientsPerAddressMax, streamPlacesForOwners } = limits;
  // When places are few in total, accounts other than owners still get half of them.
  const reserved = principal.role === "owner" ? 0 : Math.min(streamPlacesForOwners, streamClientsMax >> 1);
  if (present.length >= streamClientsMax - reserved) return false;
  const source = sourceNetwork(remoteAddress);
  const ofAccount = present.filter((other) => other.principal.accountId === principal.accountId);
  const ofAddress = present.filter((other) => sourceNetwork(other.remoteAddress) === source);
  return ofAccount.length < streamClientsPerAccountMax && ofAddress.length < streamClientsPerAddressMax;
}
