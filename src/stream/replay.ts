/**
 * What a new client is told before the live events: the home as it is at one instant, as events with the timestamps of
 * their last change. Taking one copies references only, so it is cheap and exact however large the home; the text of a
 * value is written when the first client reaches it, and shared by all replays that show the same value.
 * Momentary commands and properties without a value are not told.
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
import { busyTail, lifecycleTail, modeTail } from "./events/event.ts";
import { lastActivityMs, programTail } from "./events/program.ts";
import { propertyTail } from "./events/property.ts";
import { variableInitTail, variableValueTail } from "./events/variable.ts";
import { Tail } from "./tail.ts";

/** Events in order, in pieces of any length. */
export type Replay = readonly (readonly Tail[])[];

export type ReplaySources = {
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  readonly zone: () => Zone;
  readonly clock: Clock;
};

/** How long texts are kept for the next client. Clients come in crowds: after a restart, when the network is back. */
const KEPT_MS = 10_000;

type Value = { readonly property: Property; readonly tail: Tail };
type NodeValues = {
  readonly node: Node;
  readonly version: number;
  readonly values: readonly Value[];
  readonly tails: readonly Tail[];
};

export class Replays {
  readonly #sources: ReplaySources;
  readonly #nodes = new Map<string, NodeValues>();
  /** What the kept texts were written by. */
  #writtenBy = "";
  #latest: { readonly key: string; readonly replay: Replay } | null = null;
  #release: Timer | null = null;

  constructor(sources: ReplaySources) {
    this.#sources = sources;
  }

  /** The home at this instant; the same object as long as nothing has changed. */
  take(): Replay {
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

  #capture(): Replay {
    const { home, clock, zone } = this.#sources;
    const now = eventTimestamp(clock.now(), zone());
    const nodes = [...home.nodes.values()];
    const lost = nodes.filter((node) => node.link === "unreachable");
    return [
      [new Tail(busyTail(now, home.busy))],
      ...nodes.map((node) => this.#nodeTails(node)),
      lost.map((node) => new Tail(lifecycleTail(now, "NE", node.address))),
      programTails(home, now, zone()),
      variableTails(home, now, zone()),
      [
        new Tail(modeTail(now, 5, home.controller.batchMode)),
        new Tail(modeTail(now, 6, home.controller.batteryWrites)),
      ],
    ];
  }

  #nodeTails(node: Node): readonly Tail[] {
    const before = this.#nodes.get(node.address);
    if (before?.node === node && before.version === node.version) return before.tails;
    const written = new Map(before?.node === node ? before.values.map((value) => [value.property, value.tail]) : []);
    const values = [...node.properties.values()]
      .filter((property) => property.value !== null)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((property) => ({ property, tail: written.get(property) ?? this.#propertyTail(node, property) }));
    const tails = values.map((value) => value.tail);
    this.#nodes.set(node.address, { node, version: node.version, values, tails });
    return tails;
  }

  #propertyTail(node: Node, property: Property): Tail {
    const { profile, zone } = this.#sources;
    const at = zone();
    return new Tail(() => propertyTail(eventTimestamp(property.changedAtMs, at), profile, node, property));
  }
}

function programTails(home: Home, now: string, zone: Zone): readonly Tail[] {
  return [...home.programs.values()].map((entry) => {
    const atMs = lastActivityMs(entry);
    return new Tail(() => programTail(atMs === null ? now : eventTimestamp(atMs, zone), entry, zone));
  });
}

function variableTails(home: Home, now: string, zone: Zone): readonly Tail[] {
  return [...home.variables[1].values(), ...home.variables[2].values()].flatMap((variable) => [
    new Tail(() => variableValueTail(eventTimestamp(variable.writtenAtMs, zone), variable, zone)),
    new Tail(() => variableInitTail(now, variable)),
  ]);
}
