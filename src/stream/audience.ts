/** The clients that get the same events: those that see the whole home, or those that see the same part of it. */

import type { Config } from "../config.ts";
import type { Entry } from "../home/change.ts";
import type { LimitedHome } from "../home/limited-home.ts";
import type { EventBody } from "./event-body.ts";
import { type BodiesOf, LimitedEvents } from "./limited-events.ts";
import { type ReplayPieces, type ReplaySources, Replays } from "./replay.ts";
import { Ring } from "./ring.ts";

/** An event on its way to the clients of one audience. */
export type RingEvent = { readonly ring: Ring; readonly body: EventBody };

type RingLimits = Pick<Config, "streamRingFrames" | "streamRingCharsMax">;

export class Audience {
  readonly ring: Ring;
  /** Clients that follow now. */
  clients = 0;
  readonly #view: LimitedHome | null;
  readonly #replays: Replays;
  readonly #limited: LimitedEvents | null;

  /** @param view null: the whole home. */
  constructor(view: LimitedHome | null, sources: ReplaySources, limits: RingLimits) {
    this.ring = new Ring(limits.streamRingFrames, limits.streamRingCharsMax);
    this.#view = view;
    this.#replays = new Replays(view ? { ...sources, home: view } : sources);
    this.#limited = view && new LimitedEvents(view);
  }

  /** The home at this instant, as these clients see it. */
  replay(): ReplayPieces {
    this.#view?.refresh();
    return this.#replays.take();
  }

  /** @param shared the events of the whole home. */
  eventsOf(entry: Entry, shared: readonly EventBody[], bodiesOf: BodiesOf<EventBody>): readonly RingEvent[] {
    const bodies = this.#limited ? this.#limited.of(entry, shared, bodiesOf) : shared;
    return bodies.map((body) => ({ ring: this.ring, body }));
  }

  /** Frees data that is only needed while there are clients. */
  release(): void {
    this.ring.clear();
  }

  /** Nobody follows any more, or the controller stops. */
  forget(): void {
    this.#replays.forget();
  }
}
