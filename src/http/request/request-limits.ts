/** Shared by all listeners to limit floods: turns, memory for bodies, work under way, and known addresses. */

import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import { type Clock, MINUTE_MS } from "../../util/clock.ts";
import { RecentlyUsed } from "../../util/recently-used.ts";
import { sourceNetwork } from "../../util/source-network.ts";
import { BodyBudget } from "./body-budget.ts";
import { ClientAddresses, canonicalAddress } from "./client-addresses.ts";
import { FairQueue, type Source } from "./fair-queue.ts";
import { Repeats } from "./repeats.ts";
import { WorkLimits } from "./work-limits.ts";

const RELAYED_MAX = 4;

export type RequestLimits = {
  readonly turns: FairQueue;
  readonly bodies: BodyBudget;
  readonly work: WorkLimits;
  /** Questions about the past, which one thread answers. */
  readonly pastWork: WorkLimits;
  /** Requests that make others: far fewer than `work` allows, so that the others always find a place. */
  readonly relayedWork: WorkLimits;
  readonly assistantCommands: AssistantCommands;
  readonly addresses: ClientAddresses;
  readonly known: KnownAddresses;
  readonly repeats: Repeats;
};

/** @param written see Repeats. @throws ControllerError BAD_VALUE for a setting that names no addresses. */
export function createRequestLimits(config: Config, clock: Clock, written: Iterable<string> = []): RequestLimits {
  const addresses = new ClientAddresses(config.trustedProxies, config.forwardedHeader);
  return {
    turns: new FairQueue(),
    bodies: new BodyBudget(config),
    work: new WorkLimits(config),
    pastWork: new WorkLimits({ ...config, accountRequestsMax: config.accountHistoryQueriesMax }),
    relayedWork: new WorkLimits({ ...config, accountRequestsMax: RELAYED_MAX }),
    assistantCommands: new AssistantCommands(config, clock),
    addresses,
    known: new KnownAddresses(addresses),
    repeats: new Repeats(written),
  };
}

/** How many commands, proposals and replays the assistants of an account may send: a budget of the last minute, whatever session or tool spends it. */
class AssistantCommands {
  readonly #max: number;
  readonly #clock: Clock;
  /** When those of the last minute were sent, by account. */
  readonly #sent = new Map<string, readonly number[]>();

  constructor({ assistantCommandsPerMinute }: Pick<Config, "assistantCommandsPerMinute">, clock: Clock) {
    this.#max = assistantCommandsPerMinute;
    this.#clock = clock;
  }

  /** @throws ControllerError TOO_MANY_REQUESTS */
  take(accountId: string): void {
    const now = this.#clock.elapsed();
    const recent = (this.#sent.get(accountId) ?? []).filter((at) => at > now - MINUTE_MS);
    if (recent.length >= this.#max) {
      const sentence = `The assistants of an account send at most ${this.#max} commands and proposals a minute.`;
      const retryAfterS = ((recent[0] ?? now) + MINUTE_MS - now) / 1000;
      throw new ControllerError("TOO_MANY_REQUESTS", { sentence, retryAfterS });
    }
    this.#sent.set(accountId, [...recent, now]);
  }
}

const ADDRESSES_MAX = 4096;

/**
 * Remembers which account used an address last. New connections from a known address take turns with accounts.
 * Otherwise a flood of connections from many addresses would delay everybody's new connections.
 */
class KnownAddresses {
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
