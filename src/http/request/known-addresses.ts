/**
 * Remembers which account used an address last. New connections from a known address take turns with accounts.
 * Otherwise a flood of connections from many addresses would delay everybody's new connections.
 */

import { RecentlyUsed } from "../../util/recently-used.ts";
import { sourceNetwork } from "../../util/source-network.ts";
import { type ClientAddresses, canonicalAddress } from "./client-addresses.ts";
import type { Source } from "./fair-queue.ts";

const ADDRESSES_MAX = 4096;

export class KnownAddresses {
  readonly #clients: ClientAddresses;
  readonly #accounts = new RecentlyUsed<string>(ADDRESSES_MAX);

  constructor(clients: ClientAddresses) {
    this.#clients = clients;
  }

  /** @param remoteAddress of a socket on which a request of this source was answered. */
  note(remoteAddress: string, source: Source): void {
    // All clients of a proxy share its address.
    if (source.kind === "account" && !this.#clients.isProxy(canonicalAddress(remoteAddress)))
      this.#accounts.set(sourceNetwork(remoteAddress), source.id);
  }

  /**
   * The source of a connection without credentials so far. It is never the account itself, whose requests have
   * priority.
   */
  sourceOf(remoteAddress: string): Source {
    const address = sourceNetwork(remoteAddress);
    const account = this.#accounts.get(address);
    return account === undefined
      ? { kind: "address", id: address }
      : { kind: "account", id: `new connections of ${account}` };
  }
}
