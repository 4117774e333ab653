/**
 * One WebSocket after its handshake: limits on what comes in, liveness, and how full its socket is. `ws` reads, answers
 * and closes; data frames go straight to the socket. They never interleave, because `ws` writes each of its control
 * frames whole in one go.
 */

import type { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import type { Config } from "../config.ts";
import { type Clock, MINUTE_MS, type Timer } from "../util/clock.ts";

/** Close codes of RFC 6455 and its registry. */
export const CLOSE = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

type ConnectionLimits = Pick<Config, "streamSocketBytesMax" | "streamStallMs" | "streamMessagesPerMinute">;

type ConnectionListener = {
  /** A text message, or null for a binary one. */
  onMessage(text: string | null): void;
  /** There is room in the socket again. */
  onDrain(): void;
  onClosed(): void;
};

/** A WebSocket, or what stands for one. */
export type Carrier = Pick<EventEmitter, "on"> & {
  readonly OPEN: number;
  readonly readyState: number;
  ping(): void;
  pong(data: Buffer): void;
  close(code: number, reason: string): void;
  terminate(): void;
};

/** Time for the client to hear why it is closed, before its socket is destroyed. */
const CLOSE_GRACE_MS = 1000;

export class Connection {
  readonly #ws: Carrier;
  readonly #socket: Duplex;
  readonly #limits: ConnectionLimits;
  readonly #clock: Clock;
  #closing = false;
  #grace: Timer | null = null;
  #answered = true;
  #minuteStartMs = 0;
  #messagesThisMinute = 0;
  #written = 0;
  #takenMost = 0;
  #takenAtMs = 0;

  constructor(ws: Carrier, socket: Duplex, limits: ConnectionLimits, clock: Clock) {
    this.#ws = ws;
    this.#socket = socket;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Begins to listen. `ws` closes by itself, with the right code, on what breaks the protocol. */
  start(listener: ConnectionListener): void {
    this.#minuteStartMs = this.#takenAtMs = this.#clock.elapsed();
    this.#ws.on("error", () => this.#endSoon());
    this.#ws.on("message", (data: Buffer, isBinary: boolean) => {
      if (this.#admits()) listener.onMessage(isBinary ? null : String(data));
    });
    this.#ws.on("ping", (data: Buffer) => {
      if (this.#admits()) this.#ws.pong(data);
    });
    this.#ws.on("pong", () => {
      if (this.#admits()) this.#answered = true;
    });
    this.#socket.on("drain", () => listener.onDrain());
    this.#ws.on("close", () => {
      this.#closing = true;
      this.#grace?.cancel();
      listener.onClosed();
    });
  }

  /** True when so much waits in the socket that nothing more should be written until it drains. */
  get isFull(): boolean {
    return this.#socket.writableLength > this.#limits.streamSocketBytesMax;
  }

  /** @param frames whole WebSocket frames. */
  write(frames: Buffer): void {
    if (this.#closing || this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#socket.writableLength === 0) this.#takenAtMs = this.#clock.elapsed();
    this.#written += frames.length;
    this.#socket.write(frames);
  }

  /** True when bytes have waited for longer than allowed and the client took none of them. */
  hasStalled(): boolean {
    const waiting = this.#socket.writableLength;
    const taken = this.#written - waiting;
    if (waiting === 0 || taken > this.#takenMost) {
      this.#takenMost = Math.max(taken, this.#takenMost);
      this.#takenAtMs = this.#clock.elapsed();
    }
    return this.#clock.elapsed() - this.#takenAtMs >= this.#limits.streamStallMs;
  }

  /** Asks for a sign of life. @returns false when the last question was not answered. */
  ping(): boolean {
    if (!this.#answered) return false;
    this.#answered = false;
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
    return true;
  }

  /** Says why, waits a moment for the client to take it, then destroys the socket. */
  close(code: number, reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#ws.close(code, reason);
    this.#grace = this.#clock.setTimer(() => this.#ws.terminate(), CLOSE_GRACE_MS);
  }

  /** `ws` has sent the error to the client and would go on reading for half a minute, only to discard it. */
  #endSoon(): void {
    setImmediate(() => this.#socket.pause());
    this.#grace ??= this.#clock.setTimer(() => this.#ws.terminate(), CLOSE_GRACE_MS);
  }

  /** False once the client has sent more in a minute than its limit; it is then closed. */
  #admits(): boolean {
    if (this.#closing) return false;
    const now = this.#clock.elapsed();
    if (now - this.#minuteStartMs >= MINUTE_MS) {
      this.#minuteStartMs = now;
      this.#messagesThisMinute = 0;
    }
    this.#messagesThisMinute += 1;
    if (this.#messagesThisMinute <= this.#limits.streamMessagesPerMinute) return true;
    this.close(CLOSE.policy, "Too many messages.");
    return false;
  }
}
