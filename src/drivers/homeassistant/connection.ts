/**
 * The WebSocket interface of Home Assistant: login, commands with their answers, subscriptions. A connection that is silent is asked
 * for a sign of life, because a machine that hangs does not close it.
 */

import { WebSocket } from "ws";
import type { Clock, Timer } from "../../util/clock.ts";
import { foreignText, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";

type Fields = Readonly<Record<string, unknown>>;

type ConnectionOptions = {
  /** http(s):// or ws(s)://, host and port. */
  readonly url: string;
  readonly token: string;
  /** PEM of the authority of its certificate; "": the machine's trusted ones. */
  readonly ca: string;
  readonly clock: Clock;
  /** Called around each message, and when the connection ends by itself. */
  readonly guard: (read: () => void) => void;
  readonly lost: () => void;
};

/** The token is no longer valid, or never was: another try would be counted as an attack. */
export class TokenRefused extends Error {
  constructor() {
    super("Home Assistant refuses the token. Make a long-lived token there, and set it here.");
  }
}

/** Home Assistant did not do what was asked. */
export class CallRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Attributes have no limit of their own. */
const MESSAGE_BYTES_MAX = 33_554_432;
const HANDSHAKE_MS = 10_000;
const PING_MS = 20_000;
const SENTENCE_MAX = 300;
const ENDED = "The connection to Home Assistant was lost.";
const NOT_REACHED = "Home Assistant does not answer at this address. Is it running, and is the setting url right?";

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

export class HomeAssistantConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #subscribed = new Map<number, (event: unknown) => void>();
  #lastId = 0;
  #isHeard = true;
  #isOver = false;
  #watch: Timer | null = null;
  #login: PromiseWithResolvers<void> | null = Promise.withResolvers<void>();

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    const { url, ca, guard } = options;
    this.#socket = new WebSocket(`${url.replace(/^http/, "ws").replace(/\/$/, "")}/api/websocket`, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MESSAGE_BYTES_MAX,
      ...(ca !== "" && { ca }),
    });
    this.#socket.on("message", (data: Buffer) => guard(() => this.#receive(data)));
    this.#socket.on("error", (error: Error) => guard(() => this.#end(error)));
    this.#socket.on("close", () => guard(() => this.#end(new Error(ENDED))));
  }

  /** Settles when it is logged in. @throws TokenRefused; Error that it cannot be reached */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<HomeAssistantConnection> {
    const connection = new HomeAssistantConnection(options);
    const stop = () => connection.end();
    signal.addEventListener("abort", stop);
    try {
      await connection.#login?.promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    connection.#look();
    return connection;
  }

  /** @throws CallRefused; Error when the connection ends before */
  ask(type: string, fields: Fields = {}): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error(ENDED));
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#socket.send(JSON.stringify({ id, type, ...fields }));
    return promise;
  }

  /** @param receive each event, as it comes */
  async subscribe(type: string, fields: Fields, receive: (event: unknown) => void): Promise<void> {
    // Events may come in the same message as the answer.
    this.#subscribed.set(this.#lastId + 1, receive);
    await this.ask(type, fields);
  }

  end(): void {
    this.#isOver = true;
    this.#socket.terminate();
    this.#settle(new Error(ENDED));
  }

  #receive(data: Buffer): void {
    this.#isHeard = true;
    const text = data.toString();
    const message = readForeignJson(text);
    if (message === undefined) this.#refuseUnread(text);
    // Several messages may come in one.
    for (const each of Array.isArray(message) ? message : [message]) if (isRecord(each)) this.#read(each);
  }

  #read(message: Fields): void {
    const { type, id } = message;
    if (type === "auth_required")
      this.#socket.send(JSON.stringify({ type: "auth", access_token: this.#options.token }));
    else if (type === "auth_ok") {
      this.#login?.resolve();
      this.#login = null;
      void this.ask("supported_features", { features: { coalesce_messages: 1 } }).catch(() => {});
    } else if (type === "auth_invalid") this.#end(new TokenRefused());
    else if (typeof id !== "number") return;
    else if (type === "event") this.#subscribed.get(id)?.(message.event);
    else if (type === "pong") this.#answer(id)?.resolve(null);
    else if (type === "result" && message.success === true) this.#answer(id)?.resolve(message.result);
    else if (type === "result") {
      const error = isRecord(message.error) ? message.error : {};
      const sentence = foreignText(error.message, SENTENCE_MAX) || "Home Assistant refused it.";
      this.#answer(id)?.reject(new CallRefused(foreignText(error.code, 100), sentence));
    }
  }

  /** Who asked would wait for ever. */
  #refuseUnread(text: string): void {
    const [, id] = /^\[?\{"id":\s?(\d{1,15})\D/.exec(text.slice(0, 100)) ?? [];
    this.#answer(Number(id))?.reject(new CallRefused("unreadable", "Its answer nests too deep, or is no JSON."));
  }

  #answer(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** A silent one is asked, and given up when it has not answered until the next look. */
  #look(): void {
    this.#watch = this.#options.clock.setTimer(() => {
      if (this.#isOver) return;
      if (!this.#isHeard) return this.#end(new Error("Home Assistant does not answer any more."));
      this.#isHeard = false;
      void this.ask("ping").catch(() => {});
      this.#look();
    }, PING_MS);
  }

  #end(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.terminate();
    const wasOpen = this.#login === null;
    this.#settle(wasOpen || error instanceof TokenRefused ? error : new Error(NOT_REACHED, { cause: error }));
    if (wasOpen) this.#options.lost();
  }

  #settle(error: Error): void {
    this.#watch?.cancel();
    this.#login?.reject(error);
    this.#login = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
