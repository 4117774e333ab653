/**
 * A scripted day, so that a watching client sees some activity: every beat a sensor or a meter reports, and every
 * third one something else happens, suited to the hour of the home. The event depends only on the time, so the same
 * times give the same day. Only one timer is active.
 */

import type { Clock, Timer } from "../../util/clock.ts";
import { createZone, type Zone } from "../../util/zone.ts";
import type { DayMoment, Life } from "./device-model.ts";
import type { VirtualNode } from "./virtual-node.ts";

const BEAT_MS = 12_000;
const BEATS_PER_EVENT = 3;

export class Script {
  readonly #clock: Clock;
  readonly #timeZone: string;
  /** Made at the first beat: it takes longer than the rest of a start. */
  #zone: Zone | null = null;
  readonly #ticking: readonly VirtualNode[];
  readonly #occasional: readonly VirtualNode[];
  #timer: Timer | null = null;

  /** @param timeZone IANA zone of the home. */
  constructor(nodes: Iterable<VirtualNode>, clock: Clock, timeZone: string) {
    const living = [...nodes].filter((node) => node.model.life);
    const paced = (pace: Life["pace"]) => living.filter((node) => node.model.life?.pace === pace);
    this.#ticking = paced("ticking");
    this.#occasional = paced("occasional");
    this.#clock = clock;
    this.#timeZone = timeZone;
  }

  start(): void {
    if (this.#ticking.length + this.#occasional.length > 0) this.#schedule();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Beats fall on multiples of their spacing, so a restart does not shift the day. */
  #schedule(): void {
    const now = this.#clock.now();
    this.#timer = this.#clock.setTimer(() => this.#beat(), BEAT_MS - (now % BEAT_MS));
  }

  #beat(): void {
    this.#schedule();
    const nowMs = this.#clock.now();
    const beat = Math.floor(nowMs / BEAT_MS);
    const moment = { nowMs, minuteOfDay: this.#minuteOfDay(nowMs), roll: mixed(beat) };
    live(this.#ticking[beat % this.#ticking.length], moment);
    if (beat % BEATS_PER_EVENT !== 0 || this.#occasional.length === 0) return;
    const at = Math.floor(mixed(beat * 31 + 7) * this.#occasional.length);
    live(this.#occasional[at], moment);
  }

  #minuteOfDay(nowMs: number): number {
    this.#zone ??= createZone(this.#timeZone);
    const { hour, minute } = this.#zone.parts(nowMs);
    return hour * 60 + minute;
  }
}

function live(node: VirtualNode | undefined, moment: DayMoment): void {
  if (node?.plugged) node.model.life?.live(node, moment);
}

/** A number in [0, 1) that looks random and is the same for the same beat. */
function mixed(seed: number): number {
  let bits = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 0x1_0000_0000;
}
