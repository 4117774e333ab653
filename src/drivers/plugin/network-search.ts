/**
 * Searches for services in the local network (mDNS, RFC 6762) that plugins ask for. The library is loaded with the first search,
 * and listens during searches only.
 */

import type { Clock } from "../../util/clock.ts";

type SearchOptions = {
  readonly clock: Clock;
  readonly config: { readonly host: string; readonly pluginSearchesMax: number };
};

/** Filters of the plugin's search; null matches anything. */
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

/** A filter as a plugin sends it. */
export function searchedOf({ type, subtypes, protocol }: Readonly<Record<string, unknown>>): Searched {
  return {
    type: typeof type === "string" ? type : null,
    subtypes: Array.isArray(subtypes) ? subtypes.map(String) : null,
    protocol: protocol === "tcp" || protocol === "udp" ? protocol : null,
  };
}

const SEARCH_MS = 3000;
const FOUND_MAX = 200;
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

export class NetworkSearch {
  readonly #options: SearchOptions;
  #underWay = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  /** @throws Error with a sentence when too many searches are under way or the network allows none. */
  async find({ type, subtypes, protocol }: Searched): Promise<readonly FoundService[]> {
    const { clock, config } = this.#options;
    if (this.#underWay >= config.pluginSearchesMax) {
      throw new Error(`More than ${config.pluginSearchesMax} searches are under way (pluginSearchesMax).`);
    }
    this.#underWay += 1;
    try {
      const { Bonjour } = await import("bonjour-service");
      // A socket that is bound to the address of its interface receives no multicast.
      const socket: object = ANY_ADDRESS.has(config.host) ? {} : { interface: config.host, bind: "0.0.0.0" };
      const { promise: failed, reject } = Promise.withResolvers<never>();
      const network = new Bonjour(socket, reject);
      const browser = network.find(
        type === null
          ? null
          : { type, protocol: protocol ?? "tcp", ...(subtypes !== null && { subtypes: [...subtypes] }) },
      );
      const ended = new Promise<void>((resolve) => void clock.setTimer(resolve, SEARCH_MS));
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
    } finally {
      this.#underWay -= 1;
    }
  }
}
