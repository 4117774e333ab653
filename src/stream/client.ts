/**
 * One client of a stream: first the present state of the home, then live events, numbered from 0 without gaps. It
 * writes when it is called, one piece at a time, and never more than its socket takes; the rest waits in the ring.
 */

import type { Principal } from "../auth/principal.ts";
import type { Connection } from "./connection.ts";
import { type EventBody, insideJson, type Surface } from "./event-body.ts";
import { type EventHead, eventFrames, eventHead, type Framing, textFrame } from "./event-bytes.ts";
import type { ReplayPieces } from "./replay.ts";
import type { Ring } from "./ring.ts";
import { soapMessage } from "./soap-message.ts";

export type Follower = {
  readonly sid: number;
  readonly surface: Surface;
  readonly framing: Framing;
  readonly principal: Principal;
  readonly isPortal: boolean;
  readonly remoteAddress: string;
  readonly connection: Connection;
};

/** Bytes of one write; so that a slow client's progress can be seen and turns stay short. */
const WRITE_BYTES = 65_536;
/** The text of a replayed event may have to be written first, so it counts as several live ones. */
const REPLAYED_EFFORT = 4;

export class Client {
  readonly about: Follower;
  readonly #ring: Ring;
  readonly #head: EventHead;
  /** The first heartbeat. */
  readonly #greeting: EventBody;
  #replay: ReplayPieces | null;
  #piece = 0;
  #offset = 0;
  /** Position in the ring of the next live event. */
  #position: number;
  #seqnum = 0;
  #pluginStatus = "inactive";

  /** Live events begin with the ring's next one: the replay must show the home of this very moment. */
  constructor(about: Follower, ring: Ring, replay: ReplayPieces, heartbeat: EventBody) {
    this.about = about;
    this.#ring = ring;
    this.#head = eventHead(about.surface, about.sid, about.framing);
    this.#greeting = heartbeat;
    this.#replay = replay;
    this.#position = ring.next;
  }

  /** Announces the subscription on the stream whose clients wait for it. */
  greet(): void {
    if (this.about.surface !== "rest") return;
    const greeting = `<SubscriptionResponse><SID>uuid:${this.about.sid}</SID><duration>0</duration></SubscriptionResponse>`;
    this.about.connection.write(this.about.framing === "http" ? soapMessage(200, greeting) : textFrame(greeting));
  }

  /** True when events that it never got have left the ring. */
  get hasLost(): boolean {
    return this.#position < this.#ring.oldest;
  }

  /** True when there is something to write and room for it. */
  get isReady(): boolean {
    return (this.#replay !== null || this.#position < this.#ring.next) && !this.about.connection.isFull;
  }

  /** Writes some of what waits. @param effortMax about as many live events at most. @returns the effort it took. */
  pump(effortMax: number): number {
    if (!this.isReady) return 0;
    if (!this.#replay) return this.#pumpLive(effortMax);
    return this.#pumpReplay(this.#replay, Math.ceil(effortMax / REPLAYED_EFFORT)) * REPLAYED_EFFORT;
  }

  #pumpReplay(replay: ReplayPieces, framesMax: number): number {
    const bodies: Buffer[] = [];
    let bytes = 0;
    while (bodies.length < framesMax && bytes < WRITE_BYTES) {
      const piece = replay[this.#piece];
      if (!piece) break;
      const body = piece.bodies()[this.#offset];
      if (body) {
        const encoded = body.bytes(this.about.surface);
        bodies.push(encoded);
        bytes += encoded.length;
        this.#offset += 1;
      } else {
        this.#piece += 1;
        this.#offset = 0;
      }
    }
    this.#write(bodies);
    if (this.#piece >= replay.length) this.#endReplay();
    return bodies.length;
  }

  /** Reports whether the plugin service runs: at the end of the replay, and when that changes. */
  reportPlugins(status: string): void {
    this.#pluginStatus = status;
    if (!this.#replay) this.#writePluginStatus();
  }

  #writePluginStatus(): void {
    if (this.about.surface !== "api") return;
    const data = insideJson(JSON.stringify({ status: this.#pluginStatus }));
    this.about.connection.write(textFrame(`{"type":"spolisy","data":"${data}"}`));
  }

  #endReplay(): void {
    this.#replay = null;
    this.#writePluginStatus();
    if (this.about.surface === "api") {
      const seqnum = insideJson(JSON.stringify({ seqnum: this.#seqnum - 1 }));
      this.about.connection.write(textFrame(`{"type":"replayed","data":"${seqnum}"}`));
    }
    this.#write([this.#greeting.bytes(this.about.surface)]);
  }

  #pumpLive(framesMax: number): number {
    const bodies: Buffer[] = [];
    let bytes = 0;
    while (this.#position < this.#ring.next && bodies.length < framesMax && bytes < WRITE_BYTES) {
      const encoded = this.#ring.at(this.#position).bytes(this.about.surface);
      bodies.push(encoded);
      bytes += encoded.length;
      this.#position += 1;
    }
    this.#write(bodies);
    return bodies.length;
  }

  #write(bodies: readonly Buffer[]): void {
    if (bodies.length === 0) return;
    this.about.connection.write(eventFrames(this.#head, this.#seqnum, bodies));
    this.#seqnum += bodies.length;
  }
}
