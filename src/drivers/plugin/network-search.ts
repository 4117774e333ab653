/** Searches for services in the local network that plugins ask for: so many at once. */

import type { Clock } from "../../util/clock.ts";
import { type FoundService, type Searched, searchNetwork } from "../search-network.ts";

type SearchOptions = {
  readonly clock: Clock;
  readonly config: { readonly host: string; readonly pluginSearchesMax: number };
};

/** A filter as a plugin sends it. */
export function searchedOf({ type, subtypes, protocol }: Readonly<Record<string, unknown>>): Searched {
  return {
    type: typeof type === "string" ? type : null,
    subtypes: Array.isArray(subtypes) ? subtypes.map(String) : null,
    protocol: protocol === "tcp" || protocol === "udp" ? protocol : null,
  };
}

export class NetworkSearch {
  readonly #options: SearchOptions;
  #underWay = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  /** @throws Error with a sentence when too many searches are under way or the network allows none. */
  async find(searched: Searched): Promise<readonly FoundService[]> {
    const { clock, config } = this.#options;
    if (this.#underWay >= config.pluginSearchesMax) {
      throw new Error(`More than ${config.pluginSearchesMax} searches are under way (pluginSearchesMax).`);
    }
    this.#underWay += 1;
    try {
      return await searchNetwork({ clock, host: config.host }, searched);
    } finally {
      this.#underWay -= 1;
    }
  }
}
