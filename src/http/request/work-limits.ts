/**
 * How many requests are worked on at once: of an account, and, where no account is known, of an address and of all
 * addresses together. Requests beyond that wait until others are answered; none is refused.
 */

import type { Config } from "../../config.ts";
import type { Source } from "./fair-queue.ts";

type WorkSettings = Pick<Config, "accountRequestsMax" | "addressRequestsMax" | "strangerRequestsMax">;

export class WorkLimits {
  readonly #settings: WorkSettings;
  readonly #accounts = new Map<string, Places>();
  readonly #addresses = new Map<string, Places>();
  readonly #strangers: Places;

  constructor(settings: WorkSettings) {
    this.#settings = settings;
    this.#strangers = new Places(settings.strangerRequestsMax);
  }

  /** @returns null when the work may begin at once. A request that began calls `end`, once. */
  begin({ kind, id }: Source): Promise<void> | null {
    const { accountRequestsMax, addressRequestsMax } = this.#settings;
    if (kind === "account") return placesOf(this.#accounts, id, accountRequestsMax).take();
    const own = placesOf(this.#addresses, id, addressRequestsMax).take();
    return own ? own.then(() => this.#strangers.take() ?? undefined) : this.#strangers.take();
  }

  end({ kind, id }: Source): void {
    if (kind === "account") giveBack(this.#accounts, id);
    else {
      this.#strangers.giveBack();
      giveBack(this.#addresses, id);
    }
  }
}

class Places {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get areFree(): boolean {
    return this.#taken === 0;
  }

  take(): Promise<void> | null {
    if (this.#taken < this.#max) {
      this.#taken += 1;
      return null;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The request that has waited longest is next. */
  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }
}

function placesOf(all: Map<string, Places>, id: string, max: number): Places {
  const known = all.get(id);
  if (known) return known;
  const places = new Places(max);
  all.set(id, places);
  return places;
}

function giveBack(all: Map<string, Places>, id: string): void {
  const places = all.get(id);
  places?.giveBack();
  if (places?.areFree) all.delete(id);
}
