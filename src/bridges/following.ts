/**
 * How a bridge follows the home: what changed is gathered for a moment, and worked off in turns of the event loop. Several changes
 * of the same thing are one.
 */

import type { Change } from "../home/change.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Clock, Timer } from "../util/clock.ts";

type Reported = Extract<Change, { readonly type: "property-changed" | "node-link-changed" | "control-sent" }>;

type Follower = {
  /** The node came, went, or has another name, definition or enabled flag. */
  shape(address: string): void;
  /** What the node reports; false: it is not shown. */
  reported(change: Reported): boolean;
  /** Works off some of it. Returns whether something is left. */
  turn(): boolean;
};

export class Following {
  readonly #clock: Clock;
  readonly #gatherMs: number;
  readonly #follower: Follower;
  readonly #unlisten: () => void;
  #timer: Timer | null = null;

  constructor(feed: Pick<ChangeFeed, "listen">, clock: Clock, gatherMs: number, follower: Follower) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
    this.#follower = follower;
    this.#unlisten = feed.listen(({ change }) => this.#hear(change));
  }

  /** There is something to work off. */
  wake(): void {
    this.#timer ??= this.#clock.setTimer(() => this.#turn(), this.#gatherMs);
  }

  stop(): void {
    this.#unlisten();
    this.#timer?.cancel();
  }

  #hear(change: Change): void {
    const { type } = change;
    if (type === "property-changed" || type === "node-link-changed" || type === "control-sent") {
      if (this.#follower.reported(change)) this.wake();
      return;
    }
    if (type === "node-added" || type === "node-revised") this.#follower.shape(change.node.address);
    else if (type === "node-renamed" || type === "node-enabled" || type === "node-removed") {
      this.#follower.shape(change.address);
    } else return;
    this.wake();
  }

  #turn(): void {
    this.#timer = null;
    if (this.#follower.turn()) this.#timer = this.#clock.setTimer(() => this.#turn(), 0);
  }
}
