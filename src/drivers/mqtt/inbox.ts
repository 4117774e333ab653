/**
 * Messages that wait to be read: some in each turn of the event loop, in the order in which they came. Reading one may itself take
 * several turns. Of a topic that floods, the latest message replaces the one before it; beyond the limit of all waiting messages,
 * new ones are dropped.
 */

import { doneInTurn, type Slices } from "../../util/slices.ts";
import type { ServiceHost } from "../service.ts";

export type Received = { readonly topic: string; readonly payload: Buffer; readonly isRetained: boolean };

type Reading = { readonly message: Received; readonly slices: Slices<void> };
type Waiting = { -readonly [Key in keyof Received]: Received[Key] };

const PER_TURN = 20;
/** Milliseconds after which the rest waits for the next turn. */
const TURN_MS = 4;
const PER_TOPIC_MAX = 200;
const WAITING_MAX = 20_000;

export class Inbox {
  readonly #host: Pick<ServiceHost, "log" | "guard">;
  readonly #read: (message: Received) => Slices<void> | null;
  readonly #bytesMax: number;
  /** How many of each topic wait, and the latest of them. */
  readonly #topics = new Map<string, { count: number; latest: Waiting }>();
  #waiting: Waiting[] = [];
  #next = 0;
  #bytes = 0;
  /** The message that is being read, and the rest of it. */
  #reading: Reading | null = null;
  #isAwake = false;
  #isClosed = false;
  /** Logged once, until everything is read. */
  #isFlooded = false;

  /** @param bytesMax of all waiting messages. @param read null: it is read; else the rest of it, in slices */
  constructor(
    host: Pick<ServiceHost, "log" | "guard">,
    bytesMax: number,
    read: (message: Received) => Slices<void> | null,
  ) {
    this.#host = host;
    this.#bytesMax = bytesMax;
    this.#read = read;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  push(message: Received): void {
    if (this.#isClosed) return;
    const { topic, payload } = message;
    const known = this.#topics.get(topic);
    const isTooMany = (known?.count ?? 0) >= PER_TOPIC_MAX;
    if (isTooMany || this.waiting >= WAITING_MAX || this.#bytes + payload.length > this.#bytesMax) {
      this.#complain(topic);
      if (known && this.#bytes + payload.length - known.latest.payload.length <= this.#bytesMax) {
        this.#bytes += payload.length - known.latest.payload.length;
        Object.assign(known.latest, message);
      }
      return;
    }
    const waiting: Waiting = { ...message };
    this.#topics.set(topic, { count: (known?.count ?? 0) + 1, latest: waiting });
    this.#waiting.push(waiting);
    this.#bytes += payload.length;
    this.#wake();
  }

  /** What still waits is not read any more. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#next = 0;
    this.#topics.clear();
    this.#reading = null;
  }

  #wake(): void {
    if (this.#isAwake || this.#isClosed) return;
    this.#isAwake = true;
    setImmediate(() => {
      this.#isAwake = false;
      this.#turn();
    });
  }

  #turn(): void {
    const endMs = performance.now() + TURN_MS;
    let read = 0;
    do {
      if (this.#reading) this.#readOn(this.#reading);
      else if (this.waiting > 0 && read < PER_TURN) {
        read += 1;
        this.#begin(this.#take());
      } else break;
    } while (performance.now() < endMs);
    if (this.#reading || this.waiting > 0) this.#wake();
    else this.#isFlooded = false;
  }

  #begin(message: Received): void {
    void this.#host.guard({ from: message.topic, content: message.payload }, () => {
      const slices = this.#read(message);
      if (slices && !this.#isClosed) this.#reading = { message, slices };
    });
  }

  #readOn(reading: Reading): void {
    this.#reading = null;
    const { message, slices } = reading;
    void this.#host.guard({ from: message.topic, content: message.payload }, () => {
      if (!doneInTurn(slices) && !this.#isClosed) this.#reading = reading;
    });
  }

  #take(): Received {
    const message = this.#waiting[this.#next] as Waiting;
    this.#next += 1;
    if (this.#next >= PER_TURN * 10 || this.#next === this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    const known = this.#topics.get(message.topic);
    if (known && known.count > 1) known.count -= 1;
    else this.#topics.delete(message.topic);
    this.#bytes -= message.payload.length;
    return message;
  }

  #complain(topic: string): void {
    if (this.#isFlooded) return;
    this.#isFlooded = true;
    const detail = { topic: topic.slice(0, 300), waiting: this.waiting };
    this.#host.log.warn("More messages come than can be read. Of some topics only the latest message is read.", detail);
  }
}
