/**
 * The session: credentials for every request of a home, one retry after a 401, and the meaning of answers. Passwords
 * and tokens are in private fields, so that no printout of a home, an error or a log line shows them.
 *
 * @see docs/interface/login.md
 */

import type { Mode } from "../api.ts";
import type { Clock, Timer } from "../clock.ts";
import { readReason } from "../documents/answers.ts";
import { ClientError } from "../errors.ts";
import type { ClientLog } from "../log.ts";
import type { TokenStore } from "../model/token-store.ts";
import { Carrier, isDone, type Outgoing } from "./carrier.ts";
import { redactPath, redactText } from "./redaction.ts";
import { readTokens, restoreTokens, Tokens } from "./tokens.ts";
import type { Transport, TransportAnswer } from "./transport.ts";

type SessionOptions = {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly mode: Mode;
  readonly user: string;
  readonly password: string;
  /** Asks for the digits of the second factor; null: the login fails where they are needed. */
  readonly secondFactor: (() => Promise<string>) | null;
  /** Token of a guest link, or an access token, instead of a login. */
  readonly token: string | null;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: ClientLog;
  readonly deadlineMs: number;
  /** Null: the login lives as long as the session. */
  readonly tokenStore: TokenStore | null;
  /** The login outlives the session. */
  readonly keepsLogin: boolean;
  /** Name of the tool of an assistant that sends the request; null: no assistant does. */
  readonly assistant: (() => string) | null;
};

export type Sending = Pick<Outgoing, "body" | "file" | "xml"> & {
  /** Stand in the request, and must not be shown. */
  readonly secrets?: readonly string[];
  /** Without credentials. */
  readonly isOpen?: boolean;
};

/** An access token that ends within this is renewed before it is used. */
const RENEWAL_LEEWAY_MS = 60_000;
/** Ending a session does not wait for a silent controller. */
const LOGOUT_MS_MAX = 5_000;
const UNAUTHENTICATED = 401;
const TOO_MANY = 429;
const SPENT_MAX = 4;

export class Session {
  readonly mode: Mode;
  readonly origin: string;
  readonly #options: SessionOptions;
  readonly #carrier: Carrier;
  #tokens: Tokens | null = null;
  #renewal: Promise<void> | null = null;
  /** The outcome of the last failed renewal, for requests that still wait for newer tokens. */
  #failed: { readonly observed: Tokens | null; readonly error: unknown } | null = null;
  /** The latest tokens, also those used up: what a controller may repeat. */
  #spent: readonly string[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    const { origin, transport, clock, log, deadlineMs, assistant } = options;
    const redact = (text: string) => this.#clean(text);
    this.#carrier = new Carrier({ origin, transport, clock, log, deadlineMs, redact, assistant });
    this.mode = options.mode;
    this.origin = options.origin;
    const { token, tokenStore } = options;
    // A token alone cannot be renewed, so it is used until it is refused. Its placeholder is refused too, which ends the session.
    if (token) this.#spent = [token];
    this.#tokens = token
      ? new Tokens(token, token, 0, clock.now())
      : restoreTokens(tokenStore?.read() ?? null, clock.now());
  }

  /** Requests sent, logins and retries included. */
  get requests(): number {
    return this.#carrier.requests;
  }

  /** @throws ClientError for every status of 300 and above */
  async get(path: string, sending: Sending = {}): Promise<string> {
    return this.send("GET", path, sending);
  }

  /** @returns the text of the answer. @throws ClientError */
  async send(method: string, path: string, sending: Sending = {}): Promise<string> {
    const exchange = (authorization: string | null) =>
      this.#carrier.exchange({ method, path, authorization, ...sending });
    const answer = sending.isOpen ? await exchange(null) : await this.#authorized(exchange);
    return this.#checked(answer, path, sending);
  }

  /**
   * A file in pieces, as they come. The deadline holds for the head and for each piece, not for the whole.
   * @throws ClientError also from the iteration, when it is cut off
   */
  async download(path: string): Promise<AsyncIterable<Uint8Array>> {
    const download = await this.#authorized((authorization) =>
      this.#carrier.download({ method: "GET", path, authorization }),
    );
    this.#checked(download, path, {});
    return download.pieces;
  }

  /** Sends the request with the credentials, and after a 401 once more with new ones. */
  async #authorized<A extends { readonly status: number }>(
    exchange: (authorization: string | null) => Promise<A>,
  ): Promise<A> {
    if (this.mode === "local") return exchange(this.#basic());
    const tokens = await this.#usable();
    const first = await exchange(bearer(tokens));
    if (first.status !== UNAUTHENTICATED) return first;
    await this.renew(tokens);
    const renewed = this.#tokens;
    return exchange(renewed && bearer(renewed));
  }

  /** For the upgrade of a socket: the header, and what to give to `renew` when it is refused. */
  async credentials(): Promise<{
    readonly authorization: string;
    readonly token: string;
    readonly observed: Tokens | null;
  }> {
    if (this.mode === "local") return { authorization: this.#basic(), token: "", observed: null };
    const observed = await this.#usable();
    return { authorization: bearer(observed), token: observed.access, observed };
  }

  /**
   * Gets another pair of tokens, by refresh, else by login; those who ask meanwhile wait for the same one, and a pair that
   * is not the observed one any more is new enough.
   * @throws ClientError `AUTH_FAILED`
   */
  async renew(observed: Tokens | null): Promise<void> {
    if (this.#renewal === null) {
      if (this.#tokens !== null && this.#tokens !== observed) return;
      if (observed !== null && this.#failed?.observed === observed) throw this.#failed.error;
    }
    this.#renewal ??= this.#renewOnce(observed).finally(() => {
      this.#renewal = null;
    });
    await this.#renewal;
  }

  /** Shows the credentials, and learns whether they are good. @throws ClientError `AUTH_FAILED` */
  async check(): Promise<void> {
    if (this.mode === "portal" && !this.#options.token) await this.#usable();
    else if (this.mode === "portal") await this.get("/rest/ping");
    else await this.get("/rest/config");
  }

  /** Ends the session at the controller as well as it can in a few seconds; never throws. */
  async logout(): Promise<void> {
    if (this.#options.keepsLogin) return;
    let timer: Timer | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = this.#options.clock.setTimer(resolve, LOGOUT_MS_MAX);
    });
    // The tokens are forgotten here in any case, and end there by themselves.
    await Promise.race([this.#leave().catch(() => {}), patience]);
    timer?.cancel();
    this.#tokens = null;
    this.#options.tokenStore?.write(null);
  }

  /** For a home of the past. @param at ISO 8601 */
  at(at: string): Session {
    return new PastSession(this, this.#options, at);
  }

  /** Whatever is under way fails with `CLOSED`. */
  close(): void {
    this.#carrier.close();
  }

  async #usable(): Promise<Tokens> {
    const held = this.#tokens;
    if (!held || this.#endsSoon(held)) await this.renew(held);
    if (!this.#tokens) throw new ClientError("AUTH_FAILED", "There is no session.");
    return this.#tokens;
  }

  /** Tokens without a known end are used until the service answers 401. */
  #endsSoon({ expiresAtMs }: Tokens): boolean {
    return expiresAtMs !== null && expiresAtMs - this.#options.clock.now() <= RENEWAL_LEEWAY_MS;
  }

  async #renewOnce(observed: Tokens | null): Promise<void> {
    const { tokenStore } = this.#options;
    try {
      const tokens = await (tokenStore ? tokenStore.exclusively(() => this.#renewShared(tokenStore)) : this.#obtain());
      this.#tokens = tokens;
      this.#spent = [tokens.access, tokens.refresh, ...this.#spent].slice(0, SPENT_MAX);
    } catch (error) {
      // Tokens that were kept can be tried again.
      if (this.#tokens === null) this.#failed = { observed, error };
      throw error;
    }
  }

  async #obtain(): Promise<Tokens> {
    return (this.#tokens && (await this.#refresh())) ?? (await this.#login());
  }

  /** Another program may have refreshed the tokens. Then its pair is used, because the pair of this session is no longer valid. */
  async #renewShared(store: TokenStore): Promise<Tokens> {
    const stored = store.read();
    if (stored && stored.refresh !== this.#tokens?.refresh) {
      const theirs = restoreTokens(stored, this.#options.clock.now());
      if (theirs && !this.#endsSoon(theirs)) return theirs;
      this.#tokens = theirs;
    }
    try {
      const tokens = await this.#obtain();
      store.write({ access: tokens.access, refresh: tokens.refresh });
      return tokens;
    } catch (error) {
      if (error instanceof ClientError && error.code === "AUTH_FAILED") store.write(null);
      throw error;
    }
  }

  async #leave(): Promise<void> {
    await this.#renewal;
    const isEnding = this.#tokens !== null && this.#endsSoon(this.#tokens);
    const tokens = isEnding ? await this.#refresh() : this.#tokens;
    if (tokens)
      await this.#carrier.exchange({ method: "POST", path: "/api/jwt/logout", authorization: bearer(tokens) });
  }

  /**
   * The tokens that were held are used up when the controller answers. Where nothing but them can log in, they are kept as long
   * as it does not.
   * @returns null when it refused them
   */
  async #refresh(): Promise<Tokens | null> {
    const held = this.#tokens;
    const kept = this.#options.user === "" ? held : null;
    this.#tokens = null;
    try {
      const body = { refreshToken: held?.refresh };
      const path = "/api/jwt/refresh";
      const answer = await this.#carrier.exchange({ method: "POST", path, authorization: null, body });
      if (kept && isTrouble(answer)) this.#checked(answer, path, {});
      return answer.status === 200 ? readTokens(answer.text, this.#options.clock.now()) : null;
    } catch (error) {
      this.#tokens = kept;
      if (kept || (error instanceof ClientError && error.code === "CLOSED")) throw error;
      return null;
    }
  }

  async #login(): Promise<Tokens> {
    const { user, password, secondFactor } = this.#options;
    if (user === "") throw new ClientError("AUTH_FAILED", "The session has ended. Sign in again.");
    const send = (body: object) =>
      this.#carrier.exchange({ method: "POST", path: "/api/login", authorization: null, body });
    const first = await send({ username: user, password });
    const isMore = first.status === UNAUTHENTICATED && readReason(first.text).code === "SECOND_FACTOR_NEEDED";
    const answer =
      isMore && secondFactor ? await send({ username: user, password, code: await secondFactor() }) : first;
    const tokens = answer.status === 200 ? readTokens(answer.text, this.#options.clock.now()) : null;
    if (tokens) return tokens;
    const { sentence, code } = readReason(answer.text);
    throw new ClientError("AUTH_FAILED", this.#clean(sentence) || `The login was answered ${answer.status}.`, {
      ...this.#detail(answer, "/api/login"),
      reason: this.#clean(code),
    });
  }

  #basic(): string {
    const { user, password } = this.#options;
    const bytes = new TextEncoder().encode(`${user}:${password}`);
    return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
  }

  #checked(answer: TransportAnswer, path: string, { secrets = [] }: Sending): string {
    if (isDone(answer)) return answer.text;
    const { sentence, code, problems } = readReason(answer.text);
    const shown = redactPath(path);
    const said = this.#clean(sentence, secrets);
    const cleaned = problems.map((problem) => ({ ...problem, message: this.#clean(problem.message, secrets) }));
    const detail = { ...this.#detail(answer, shown), reason: this.#clean(code, secrets), problems: cleaned };
    if (answer.status === UNAUTHENTICATED)
      throw new ClientError("AUTH_FAILED", said || `${shown} was answered 401.`, detail);
    throw new ClientError("HTTP_STATUS", said || `${shown} was answered ${answer.status}.`, detail);
  }

  #detail(answer: TransportAnswer, path: string) {
    const retryAfterS = Number(answer.header("retry-after") ?? Number.NaN);
    return {
      status: answer.status,
      url: `${this.origin}${path}`,
      ...(Number.isFinite(retryAfterS) && { retryAfterS }),
    };
  }

  #clean(text: string, more: readonly string[] = []): string {
    return redactText(text, [this.#options.password, ...this.#spent, ...more]);
  }
}

/** Errors of the controller, not of the request. */
function isTrouble({ status }: TransportAnswer): boolean {
  return status >= 500 || status === TOO_MANY;
}

/** Beside `/api`, the documents that a controller also has as they were. On `/rest` a command is a GET too. */
const PAST_DOCUMENTS: ReadonlySet<string> = new Set(["/rest/status", "/rest/profiles", "/rest/networking/resources"]);

/** Reads as of a time, with the login of another session, and sends nothing else. */
class PastSession extends Session {
  readonly #present: Session;
  readonly #at: string;

  constructor(present: Session, options: SessionOptions, at: string) {
    super(options);
    this.#present = present;
    this.#at = at;
  }

  override async send(method: string, path: string, sending: Sending = {}): Promise<string> {
    const [document = "", query = ""] = path.split("?");
    if (method !== "GET" || !(document.startsWith("/api/") || PAST_DOCUMENTS.has(document)))
      throw new ClientError("REFUSED", "This is the home at a past time. Nothing can be sent to it.");
    const parameters = new URLSearchParams(query);
    if (!parameters.has("at")) parameters.set("at", this.#at);
    return this.#present.send(method, `${document}?${parameters}`, sending);
  }

  /** The login goes on: it is that of the present home. */
  override async logout(): Promise<void> {}
}

function bearer({ access }: Tokens): string {
  return `Bearer ${access}`;
}
