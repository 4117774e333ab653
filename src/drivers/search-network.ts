/** Searches for services in the local network (mDNS, RFC 6762). The library is loaded with the first search, and listens during searches only. */

import type { Clock } from "../util/clock.ts";

/** Filters of a search; null matches anything. */
export type Searched = {
  readonly type: string | null;
  readonly subtypes: readonly string[] | null;
  readonly protocol: "tcp" | "udp" | null;
};

export type FoundService = {
  readonly name: string;
  readonly type: string;
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly txt: unknown;
};

const SEARCH_MS = 3000;
const FOUND_MAX = 200;
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** @param host the setting: the interface to search on. @throws Error when the network allows no search. */
export async function searchNetwork(
  { clock, host }: { readonly clock: Clock; readonly host: string },
  { type, subtypes, protocol }: Searched,
  searchMs = SEARCH_MS,
): Promise<readonly FoundService[]> {
  const { Bonjour } = await import("bonjour-service");
  // A socket that is bound to the address of its interface receives no multicast.
  const socket: object = ANY_ADDRESS.has(host) ? {} : { interface: host, bind: "0.0.0.0" };
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const network = new Bonjour(socket, reject);
  const browser = network.find(
    type === null ? null : { type, protocol: protocol ?? "tcp", ...(subtypes !== null && { subtypes: [...subtypes] }) },
  );
  const ended = new Promise<void>((resolve) => void clock.setTimer(resolve, searchMs));
  await Promise.race([ended, failed]).finally(() => {
    browser.stop();
    network.destroy();
  });
  return browser.services.slice(0, FOUND_MAX).map((service) => ({
    name: service.name,
    type: service.type,
    protocol: service.protocol,
    host: service.host,
    port: service.port,
    addresses: service.addresses ?? [],
    txt: service.txt,
  }));
}
