/**
 * Memory for request bodies that are on their way: so much for all strangers together, for each account, and for all
 * accounts together. A stranger's body that takes its time is given up when another one needs its place, the oldest first,
 * so a login that is sent at once always finds one. Accounts that need more than their share are refused.
 */

import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import type { Source } from "./fair-queue.ts";

type BodyLimits = Pick<Config, "strangerBodiesBytesMax" | "accountBodiesBytesMax" | "bodiesBytesMax">;

/** Called once when the body is read or given up. */
type Release = () => void;
type Pending = { readonly bytes: number; readonly address: string; giveUp(): void };

/** One address's share of the strangers' budget. */
const ADDRESS_SHARE = 1 / 8;

export class BodyBudget {
  readonly #limits: BodyLimits;
  readonly #ofAccounts = new Map<string, number>();
  #accountsTogether = 0;
  /** In the order in which they began. */
  readonly #ofStrangers = new Set<Pending>();
  readonly #ofAddresses = new Map<string, number>();
  #strangersTogether = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /**
   * @param giveUp called when a stranger's body has to make room for another.
   * @throws ControllerError TOO_MANY_REQUESTS when the account, or all of them, have no room.
   */
  reserve(source: Source, bytes: number, giveUp: () => void): Release {
    return source.kind === "account"
      ? this.#reserveForAccount(source.id, bytes)
      : this.#reserveForStranger({ bytes, address: source.id, giveUp });
  }

  #reserveForAccount(id: string, bytes: number): Release {
    const { accountBodiesBytesMax, bodiesBytesMax } = this.#limits;
    const held = this.#ofAccounts.get(id) ?? 0;
    // A single file may be larger than what is meant for many bodies.
    const fits = held === 0 || held + bytes <= accountBodiesBytesMax;
    const fitsTogether = this.#accountsTogether === 0 || this.#accountsTogether + bytes <= bodiesBytesMax;
    if (!fits || !fitsTogether) throw new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: 1 });
    this.#accountsTogether += bytes;
    add(this.#ofAccounts, id, bytes);
    return () => {
      this.#accountsTogether -= bytes;
      add(this.#ofAccounts, id, -bytes);
    };
  }

  #reserveForStranger(pending: Pending): Release {
    const { strangerBodiesBytesMax } = this.#limits;
    const { address, bytes } = pending;
    const held = () => this.#ofAddresses.get(address) ?? 0;
    this.#makeRoom((other) => other.address === address && held() + bytes > strangerBodiesBytesMax * ADDRESS_SHARE);
    this.#makeRoom(() => this.#strangersTogether + bytes > strangerBodiesBytesMax);
    this.#ofStrangers.add(pending);
    this.#strangersTogether += bytes;
    add(this.#ofAddresses, address, bytes);
    return () => this.#release(pending);
  }

  #makeRoom(hasToGo: (pending: Pending) => boolean): void {
    for (const pending of this.#ofStrangers) {
      if (!hasToGo(pending)) continue;
      this.#release(pending);
      pending.giveUp();
    }
  }

  #release(pending: Pending): void {
    if (!this.#ofStrangers.delete(pending)) return;
    this.#strangersTogether -= pending.bytes;
    add(this.#ofAddresses, pending.address, -pending.bytes);
  }
}

function add(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes;
  if (sum > 0) sums.set(key, sum);
  else sums.delete(key);
}
