/**
 * The current values that a new client gets before the live events: the home at one instant, as events with the
 * timestamps of their last change. Taking a replay copies references only, so it is cheap and exact for any size of
 * home. The text of a value is written when the first client reaches it, and shared by all replays with the same
 * value. Momentary commands and properties without a value are left out.
 *
 * @see docs/interface/events.md
 */

import type { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import type { Property } from "../home/property.ts";
import type { Profile } from "../profile/profile.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Zone } from "../util/zone.ts";
import { eventTimestamp } from "../wire/times.ts";
import { EventBody } from "./event-body.ts";
import { busyBody, lifecycleBody, modeBody } from "./events/event.ts";
import { lastActivityMs, programBody } from "./events/program.ts";
import { propertyBody } from "./events/property.ts";
import { variableInitBody, variableValueBody } from "./events/variable.ts";

/** Pieces in order; each makes its events on first use and returns the same ones from then on. */
export type ReplayPieces = readonly ReplayPiece[];
type ReplayPiece = { bodies(): readonly EventBody[] };

export type ReplaySources = {
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  readonly zone: () => Zone;
  readonly clock: Clock;
};

/** How long texts are kept for the next client. Clients come in crowds: after a restart, when the network is back. */
const KEPT_MS = 10_000;

export class Replays {
  readonly #sources: ReplaySources;
  readonly #nodes = new Map<string, NodePiece>();
  /** The inputs of the cached texts. */
  #writtenBy = "";
  #latest: { readonly key: string; readonly replay: ReplayPieces } | null = null;
  #release: Timer | null = null;

  constructor(sources: ReplaySources) {
    this.#sources = sources;
  }

  /** The home at this instant; the same object as long as nothing has changed. */
  take(): ReplayPieces {
    const { feed, profile, zone, clock } = this.#sources;
    const writtenBy = `${profile.version} ${zone().id}`;
    if (writtenBy !== this.#writtenBy) this.forget();
    this.#writtenBy = writtenBy;
    this.#release?.cancel();
    this.#release = clock.setTimer(() => this.forget(), KEPT_MS);
    const key = `${feed.lastSeq} ${writtenBy}`;
    if (this.#latest?.key !== key) this.#latest = { key, replay: this.#capture() };
    return this.#latest.replay;
  }

  /** Lets go of everything kept; replays under way are not touched. */
  forget(): void {
    this.#release?.cancel();
    this.#release = null;
    this.#nodes.clear();
    this.#latest = null;
  }

  #capture(): ReplayPieces {
    const { home, clock, zone } = this.#sources;
    const now = eventTimestamp(clock.now(), zone());
    const nodes = [...home.nodes.values()];
    const lost = nodes.filter((node) => node.link === "unreachable");
    return [
      piece([new EventBody(busyBody(now, home.busy))]),
      ...nodes.map((node) => this.#nodePiece(node)),
      piece(lost.map((node) => new EventBody(lifecycleBody(now, "NE", node.address)))),
      piece(programBodies(home, now, zone())),
      piece(variableBodies(home, now, zone())),
      piece([
        new EventBody(modeBody(now, 5, home.controller.batchMode)),
        new EventBody(modeBody(now, 6, home.controller.batteryWrites)),
      ]),
    ];
  }

  #nodePiece(node: Node): NodePiece {
    const before = this.#nodes.get(node.address) ?? null;
    if (before?.node === node && before.version === node.version) return before;
    const { profile, zone } = this.#sources;
    const made = new NodePiece(node, before?.node === node ? before.written : null, profile, zone());
    this.#nodes.set(node.address, made);
    return made;
  }
}

/** A node's values at one instant. */
class NodePiece implements ReplayPiece {
  readonly node: Node;
  readonly version: number;
  readonly #properties: readonly Property[];
  readonly #profile: Profile;
  readonly #zone: Zone;
  /** Events of values that were sent before and may be unchanged. */
  #known: ReadonlyMap<Property, EventBody> | null;
  #written: ReadonlyMap<Property, EventBody> | null = null;
  #bodies: readonly EventBody[] | null = null;

  constructor(node: Node, known: ReadonlyMap<Property, EventBody> | null, profile: Profile, zone: Zone) {
    this.node = node;
    this.version = node.version;
    this.#properties = [...node.properties.values()];
    this.#known = known;
    this.#profile = profile;
    this.#zone = zone;
  }

  /** The events by value; null when no client got here yet. */
  get written(): ReadonlyMap<Property, EventBody> | null {
    return this.#written;
  }

  bodies(): readonly EventBody[] {
    this.#bodies ??= this.#write();
    return this.#bodies;
  }

  #write(): readonly EventBody[] {
    const sent = this.#properties.filter((property) => property.value !== null).sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#written = new Map(sent.map((property) => [property, this.#known?.get(property) ?? this.#body(property)]));
    this.#known = null;
    return [...this.#written.values()];
  }

  #body(property: Property): EventBody {
    const changedAt = eventTimestamp(property.changedAtMs, this.#zone);
    return new EventBody(propertyBody(changedAt, this.#profile, this.node, property));
  }
}

function piece(bodies: readonly EventBody[]): ReplayPiece {
  return { bodies: () => bodies };
}

function programBodies(home: Home, now: string, zone: Zone): readonly EventBody[] {
  const programs = [...home.programs.values()].filter((entry) => entry.kind === "program");
  return programs.map((program) => {
    const atMs = lastActivityMs(program);
    return new EventBody(() => programBody(atMs === null ? now : eventTimestamp(atMs, zone), program, zone));
  });
}

function variableBodies(home: Home, now: string, zone: Zone): readonly EventBody[] {
  return [...home.variables[1].values(), ...home.variables[2].values()].flatMap((variable) => [
    new EventBody(() => variableValueBody(eventTimestamp(variable.writtenAtMs, zone), variable, zone)),
    new EventBody(() => variableInitBody(now, variable)),
  ]);
}
