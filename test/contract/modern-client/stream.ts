/**
 * The modern client's side of the stream: connected means that the replay is over, which it takes from a second of
 * silence; a socket that is lost is opened again, later each time.
 */

import { WebSocket } from "ws";
import type { Clock, Timer } from "../../../src/util/clock.ts";
import type { Session } from "./session.ts";

type StreamStatus =
  | "stream_initializing"
  | "stream_syncing"
  | "connected"
  | "disconnected"
  | "reconnect_failed"
  | "stopped";

const SILENCE_MS = 1000;
const SYNCING_MS_MAX = 10_000;
const RETRY_S = [1, 2, 5, 10, 30, 60] as const;
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

export class Stream {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #path: string;
  readonly #onMessage: (text: string) => void;
  readonly #waiting = new Set<() => void>();
  #status: StreamStatus = "stream_initializing";
  #socket: WebSocket | null = null;
  #silence: Timer | null = null;
  #cap: Timer | null = null;
  #retry: Timer | null = null;
  #tries = 0;
  #isRenewed = false;

  constructor(session: Session, clock: Clock, path: string, onMessage: (text: string) => void) {
    this.#session = session;
    this.#clock = clock;
    this.#path = path;
    this.#onMessage = onMessage;
  }

  get status(): StreamStatus {
    return this.#status;
  }

  /** For the tests: what a network does to it. */
  get socket(): WebSocket | null {
    return this.#socket;
  }

  /** Settles when it has this status, now or later. */
  becomes(status: StreamStatus): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#status !== status) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async open(): Promise<void> {
    this.#set("stream_initializing");
    const headers = await this.#session.credentials();
    const socket = new WebSocket(`${this.#session.url.replace(/^http/, "ws")}${this.#path}`, {
      headers: {
        ...headers,
        Accept: "*/*",
        "Accept-Encoding": "gzip, deflate",
        "User-Agent": "Python/3.11 aiohttp/3.14.3",
      },
      perMessageDeflate: false,
      rejectUnauthorized: false,
      maxPayload: MESSAGE_BYTES_MAX,
    });
    this.#socket = socket;
    socket.on("open", () => this.#opened());
    socket.on("message", (data, isBinary) => {
      if (this.#status === "stream_syncing") this.#listen();
      if (!isBinary) this.#onMessage(String(data));
    });
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      if (response.statusCode === 401) this.#refused();
      else this.#later();
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#lost(socket));
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#set("stopped");
    for (const timer of [this.#silence, this.#cap, this.#retry]) timer?.cancel();
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.close();
    await closed;
  }

  #opened(): void {
    this.#tries = 0;
    this.#isRenewed = false;
    this.#set("stream_syncing");
    this.#cap = this.#clock.setTimer(() => this.#synced(), SYNCING_MS_MAX);
    this.#listen();
  }

  #listen(): void {
    this.#silence?.cancel();
    this.#silence = this.#clock.setTimer(() => this.#synced(), SILENCE_MS);
  }

  #synced(): void {
    this.#silence?.cancel();
    this.#cap?.cancel();
    if (this.#status === "stream_syncing") this.#set("connected");
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket || this.#status === "stopped" || this.#status === "reconnect_failed") return;
    this.#silence?.cancel();
    this.#cap?.cancel();
    this.#later();
  }

  /** In local mode it never tries again; otherwise once at once, with other tokens. */
  #refused(): void {
    if (this.#session.mode === "local") {
      this.#set("reconnect_failed");
    } else if (this.#isRenewed) {
      this.#later();
    } else {
      this.#isRenewed = true;
      void this.#session.renew().then(
        () => this.open(),
        () => this.#later(),
      );
    }
  }

  #later(): void {
    if (this.#status === "disconnected") return;
    this.#set("disconnected");
    const seconds = RETRY_S[Math.min(this.#tries, RETRY_S.length - 1)] ?? 60;
    this.#tries += 1;
    this.#retry = this.#clock.setTimer(() => void this.open(), seconds * 1000);
  }

  #set(status: StreamStatus): void {
    this.#status = status;
    for (const look of [...this.#waiting]) look();
  }
}
