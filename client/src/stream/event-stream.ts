/**
 * The socket of the event stream: opens it, reopens it with growing delays when it is lost or silent, and reports its
 * state. `feed.ts` interprets the messages.
 *
 * @see docs/interface/events.md
 */

import type { Clock, Timer } from "../clock.ts";
import type { ClientLog } from "../log.ts";
import type { StreamStatus } from "../model/events.ts";
import type { Session } from "../transport/session.ts";
import type { Socket, Transport } from "../transport/transport.ts";

export type StreamParts = {
  readonly session: Session;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: ClientLog;
  readonly surface: "rest" | "api";
  readonly onMessage: (text: string) => void;
  readonly onStatus: (status: StreamStatus, isAgain: boolean) => void;
};

const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;
/**
 * The burst of current values ends when the controller marks its end, or after this silence, and at the latest after
 * this time.
 */
const QUIET_MS = 1_000;
const SYNCING_MS_MAX = 10_000;
/** Without a heartbeat that says when the next one comes. */
const SILENCE_MS_DEFAULT = 180_000;
const SILENCE_MS_MIN = 60_000;
/** Timeout of the answer to an upgrade. */
const OPENING_MS_MAX = 30_000;
/** A login in the first message that was refused. */
const POLICY_VIOLATION = 1008;
const UNAUTHENTICATED = 401;

/** One socket and what has become of it. */
type Attempt = {
  /** The tokens that it was opened with. */
  observed: Parameters<Session["renew"]>[0];
  socket: Socket | null;
  hasHeard: boolean;
};

export class EventStream {
  readonly #parts: StreamParts;
  #status: StreamStatus = "off";
  #lastEventAtMs: number | null = null;
  #attempt: Attempt | null = null;
  #failures = 0;
  #isRenewed = false;
  #wasConnected = false;
  #silenceMs = SILENCE_MS_DEFAULT;
  readonly #timers: { retry?: Timer; quiet?: Timer; cap?: Timer; silence?: Timer } = {};

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get status(): StreamStatus {
    return this.#status;
  }

  get lastEventAtMs(): number | null {
    return this.#lastEventAtMs;
  }

  start(): void {
    void this.#open();
  }

  stop(): void {
    this.#cancelTimers();
    const attempt = this.#attempt;
    this.#attempt = null;
    attempt?.socket?.close();
    this.#set("closed");
  }

  /** Opens a waiting stream now, because the network is back or the user signed in again. */
  retryNow(): void {
    if (this.#status !== "waiting") return;
    this.#cancelTimers();
    this.#failures = 0;
    this.#isRenewed = false;
    void this.#open();
  }

  /** The burst of current values is over. */
  synced(): void {
    this.#timers.quiet?.cancel();
    this.#timers.cap?.cancel();
    if (this.#status !== "syncing") return;
    this.#set("connected");
    this.#wasConnected = true;
  }

  /** The controller lives, and says when it will say so again. @param nextS seconds; 0 when it does not say */
  heartbeat(nextS: number): void {
    this.#silenceMs = nextS > 0 ? Math.max(2 * nextS * 1000, SILENCE_MS_MIN) : SILENCE_MS_DEFAULT;
  }

  async #open(): Promise<void> {
    const { session, transport, surface } = this.#parts;
    this.#set("connecting");
    const attempt: Attempt = { observed: null, socket: null, hasHeard: false };
    this.#attempt = attempt;
    try {
      const { authorization, token, observed } = await session.credentials();
      if (this.#attempt !== attempt) return;
      attempt.observed = observed;
      const headers: Readonly<Record<string, string>> = transport.socketsHaveHeaders
        ? { Authorization: authorization }
        : {};
      const path = surface === "rest" ? "/rest/subscribe" : "/api/events/subscribe";
      attempt.socket = transport.openSocket(`${session.origin.replace(/^http/, "ws")}${path}`, headers, {
        opened: () => this.#opened(attempt, transport.socketsHaveHeaders ? null : token),
        message: (text) => this.#heard(attempt, text),
        closed: ({ status, code }) => void this.#lost(attempt, status, code),
      });
      this.#listen(OPENING_MS_MAX);
    } catch (error) {
      if (this.#attempt !== attempt) return;
      this.#parts.log.warn("no credentials for the event stream", {
        error: error instanceof Error ? error.message : "",
      });
      this.#later();
    }
  }

  #opened(attempt: Attempt, token: string | null): void {
    if (this.#attempt !== attempt) return;
    // Browsers cannot send headers with a socket: there the first message logs in.
    if (token && this.#parts.surface === "api") attempt.socket?.send(JSON.stringify({ auth: { token } }));
    this.#set("syncing");
    this.#timers.cap = this.#parts.clock.setTimer(() => this.synced(), SYNCING_MS_MAX);
    this.#listen();
  }

  #heard(attempt: Attempt, text: string): void {
    if (this.#attempt !== attempt) return;
    attempt.hasHeard = true;
    this.#failures = 0;
    this.#isRenewed = false;
    this.#lastEventAtMs = this.#parts.clock.now();
    if (this.#status === "syncing") {
      this.#timers.quiet?.cancel();
      this.#timers.quiet = this.#parts.clock.setTimer(() => this.synced(), QUIET_MS);
    }
    this.#parts.onMessage(text);
    // A listener may have closed the home.
    if (this.#attempt === attempt) this.#listen();
  }

  /** A connection that died without a word, or was never answered, is found by its silence. */
  #listen(silenceMs = this.#silenceMs): void {
    const attempt = this.#attempt;
    this.#timers.silence?.cancel();
    this.#timers.silence = this.#parts.clock.setTimer(() => {
      this.#parts.log.warn("the event stream is silent", { ms: silenceMs });
      attempt?.socket?.close();
      this.#later();
    }, silenceMs);
  }

  async #lost(attempt: Attempt, status: number | null, code: number | null): Promise<void> {
    if (this.#attempt !== attempt) return;
    this.#cancelTimers();
    const isRefused = status === UNAUTHENTICATED || (code === POLICY_VIOLATION && !attempt.hasHeard);
    if (!isRefused) return this.#later();
    if (this.#parts.session.mode === "local") {
      this.#attempt = null;
      return this.#set("refused");
    }
    if (this.#isRenewed) return this.#later();
    this.#isRenewed = true;
    try {
      await this.#parts.session.renew(attempt.observed);
      if (this.#attempt === attempt) await this.#open();
    } catch {
      if (this.#attempt === attempt) this.#later();
    }
  }

  #later(): void {
    this.#cancelTimers();
    this.#attempt = { observed: null, socket: null, hasHeard: false };
    const waitMs = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#set("waiting");
    this.#timers.retry = this.#parts.clock.setTimer(() => void this.#open(), waitMs);
  }

  #cancelTimers(): void {
    for (const timer of Object.values(this.#timers)) timer.cancel();
  }

  #set(status: StreamStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#parts.onStatus(status, this.#wasConnected);
  }
}
