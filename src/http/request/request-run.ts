/**
 * The life of one request: target, host, site, route, credentials, policy, body, handler, reply. The order matters:
 * nothing of a body is read for who may not act, and a decision is made on the normalised path only.
 */

import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { authorize, type Right } from "../../auth/policy.ts";
import type { Principal } from "../../auth/principal.ts";
import type { Config } from "../../config.ts";
import { badValue, ControllerError, invariant } from "../../errors.ts";
import { limitedProfile } from "../../profile/limited-profile.ts";
import type { Timer } from "../../util/clock.ts";
import { sourceNetwork } from "../../util/source-network.ts";
import { checkHost, checkSite } from "../browser-rules.ts";
import { failureReply, toControllerError } from "../failure.ts";
import { decodeJsonText, parseJson } from "../json-body.ts";
import { NOT_FOR_LIMITED } from "../not-for-limited.ts";
import { instantInQuery } from "../query.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { checkBody } from "../schema.ts";
import type { Services } from "../services.ts";
import { type PathSurface, parseTarget, surfaceOf, type Target } from "../target.ts";
import { canonicalAddress } from "./client-addresses.ts";
import { ASSISTANT_HEADER, type Body, DecodedRequest } from "./decoded-request.ts";
import type { Source } from "./fair-queue.ts";
import type { ListenerContext } from "./listener-context.ts";
import { readBody } from "./read-body.ts";
import type { Match } from "./router.ts";
import { packedForm, sendReply } from "./send-reply.ts";
import { isLongBody } from "./sequential-input.ts";
import { streamAt } from "./upgrade.ts";
import type { WorkLimits } from "./work-limits.ts";

const NO_FILE = new Uint8Array(0);
const NO_BODY: Body = { value: null, text: "", file: NO_FILE };
/** A smaller reply leaves the process soon, however slow its reader is; watching it would cost more than it holds. */
const WATCHED_FROM_BYTES = 16_384;
const JSON_MEDIA_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const FORM_MEDIA_TYPE = /^(?:application\/x-www-form-urlencoded|text\/plain)\s*(?:;|$)/i;
const TEXT_MEDIA_TYPE = /^text\//i;
const FILE_MEDIA_TYPE = /^application\/octet-stream\s*(?:;|$)/i;

async function servicesAt(services: Services, atMs: number): Promise<Services> {
  if (atMs > services.clock.now()) throw badValue("at is not in the future.");
  const { home } = await services.past.homeAt(atMs);
  return { ...services, home, documents: services.documents.ofView(home) };
}

export class RequestRun {
  readonly #context: ListenerContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #id: string;
  readonly #startedMs: number;
  readonly #remoteAddress: string;
  #surface: PathSurface = "other";
  #route: Route | null = null;
  #principal: Principal | null = null;
  #abort: AbortController | null = null;
  /** The client has gone; kept apart from the signal because most requests never make one. */
  #isOver = false;
  #deadline: Timer | null = null;
  #endWork: (() => void) | null = null;

  constructor(context: ListenerContext, request: IncomingMessage, response: ServerResponse) {
    this.#context = context;
    this.#request = request;
    this.#response = response;
    this.#id = context.nextRequestId();
    this.#startedMs = context.services.clock.elapsed();
    this.#remoteAddress = context.limits.addresses.of(request);
  }

  /** Where the request comes from: the account, once it is known. */
  get source(): Source {
    if (this.#principal) return { kind: "account", id: this.#principal.accountId };
    return { kind: "address", id: sourceNetwork(this.#remoteAddress) };
  }

  /** The reply is sent or the client has disconnected: ends the deadline and the work that remains. */
  end(): void {
    this.#isOver = true;
    this.#leave();
    this.#deadline?.cancel();
    this.#abort?.abort(new Error("The client disconnected."));
    if (this.#route?.changes) this.#context.streams.edits?.answered(this.#id);
  }

  /**
   * Settles when the reply is written to the socket, or the client is gone. Never rejects.
   * @param release the socket, when the connection becomes an event stream; returns the bytes that have come after the request.
   */
  async run(release: () => Buffer): Promise<void> {
    const { clock, config } = this.#context.services;
    this.#deadline = clock.setTimer(() => this.#giveUp(), config.requestDeadlineMs);
    try {
      const reply = await this.#reply();
      if (reply.subscribes) this.#follow(release);
      else this.#answer(reply, await packedForm(this.#request, reply));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #reply(): Promise<Reply> {
    const { config } = this.#context.services;
    const raw = this.#request.url ?? "";
    this.#surface = surfaceOf(raw);
    if (raw.length > config.urlBytesMax) throw new ControllerError("URL_TOO_LONG");
    const target = parseTarget(raw);
    this.#surface = surfaceOf(target.path);
    checkHost(this.#request.headers, this.#request.rawHeaders, this.#context.hostRule);
    const match = this.#context.router.find(this.#request.method ?? "", target.path);
    const changes = match ? match.route.changes : this.#request.method !== "GET" && this.#request.method !== "HEAD";
    checkSite(this.#request.headers, this.#context.hostRule, changes);
    return match ? this.#dispatch(match, target) : this.#refuse(target.path);
  }

  async #dispatch({ route, params }: Match, target: Target): Promise<Reply> {
    this.#route = route;
    if (route.access !== "public") {
      this.#principal = this.#asAssistant(await this.#authenticate());
      if (route.access !== "optional") this.#authorizeRoute(route, params, target);
    }
    const key = route.changes && this.#surface === "api" ? this.#request.headers["idempotency-key"] : undefined;
    const account = this.#principal?.accountId;
    const isKeyed = key !== undefined && account !== undefined;
    const body = await this.#readBody(route);
    if (isKeyed) this.#id = this.#context.limits.repeats.idOf(account, key, this.#identity(target, body));
    if (route.body) checkBody(route.body, body.value);
    const request = this.#describe(params, target, body);
    if (typeof route.access === "object") authorize(this.#principal, route.access.action(request));
    const { work, pastWork, relayedWork } = this.#context.limits;
    if (route.isRelay) await this.#beginWork(relayedWork);
    await this.#beginWork(work);
    const atMs = route.past === "at" && target.query !== "" ? instantInQuery(request.query, "at") : null;
    if (atMs !== null || route.past === "always") await this.#beginWork(pastWork);
    const services = await this.#servicesFor(route, request, atMs);
    if (route.changes) this.#context.streams.edits?.begin(this.#id);
    if (!isKeyed) return route.handle(request, services);
    const settled = () => services.durability.committed(services.feed.lastSeq);
    return this.#context.limits.repeats.answer(this.#id, account, () => route.handle(request, services), settled);
  }

  /** What an idempotency key belongs to. */
  #identity({ path, query }: Target, { text, file }: Body): readonly (string | Uint8Array)[] {
    const { role, view, isAssistant = false } = this.#principal ?? {};
    const rights = `${role} ${view?.limitsText ?? ""} ${isAssistant}`;
    return [this.#request.method ?? "", path, query, rights, text, file];
  }

  /** A tool of an assistant says so, and has fewer rights then than its account. */
  #asAssistant(principal: Principal | null): Principal | null {
    if (!principal || this.#request.headers[ASSISTANT_HEADER] === undefined) return principal;
    return { ...principal, isAssistant: true };
  }

  #authorizeRoute(route: Route, params: Match["params"], target: Target): void {
    authorize(this.#principal, this.#leastAction(route, params, target));
    if (this.#principal?.isAssistant && route.changes && !route.isRelay)
      this.#context.limits.assistantCommands.take(this.#principal.accountId);
    if (this.#principal?.view && !route.limited) throw new ControllerError("FORBIDDEN", NOT_FOR_LIMITED);
  }

  /** The services as limited by the account's rights. */
  #servicesFor(route: Route, request: HttpRequest, atMs: number | null): Services | Promise<Services> {
    const { services } = this.#context;
    const view = this.#principal?.view;
    if (atMs !== null) {
      if (view) throw new ControllerError("FORBIDDEN", NOT_FOR_LIMITED);
      return servicesAt(services, atMs);
    }
    if (!view) return services;
    const thing = typeof route.limited === "function" ? route.limited(request) : null;
    if (thing) {
      authorize(this.#principal, "read", thing);
      return services;
    }
    const home = view.refresh();
    const profile = limitedProfile(services.profile, home);
    return { ...services, home, profile, documents: services.documents.ofView(view) };
  }

  /** The right that is checked before the body is read. */
  #leastAction({ access }: Route, params: Match["params"], target: Target): Right {
    if (typeof access === "object") return access.least;
    invariant(access !== "public" && access !== "optional", "A public route needs no action.");
    return typeof access === "string" ? access : access(this.#describe(params, target, NO_BODY));
  }

  async #beginWork(limits: WorkLimits): Promise<void> {
    const source = this.source;
    const wait = limits.begin(source);
    if (wait) await wait;
    const endBefore = this.#endWork;
    this.#endWork = () => {
      limits.end(source);
      endBefore?.();
    };
    if (!this.#isOver) return;
    this.#leave();
    throw new ControllerError("BAD_REQUEST", "The client disconnected.");
  }

  /** The place goes to the next when the reply is out, so that answers which the client does not read count too. */
  #leave(): void {
    this.#endWork?.();
    this.#endWork = null;
  }

  /** A person in a browser gets the page, which says so. */
  async #unknownPath(): Promise<Reply> {
    const isForPerson =
      this.#surface === "other" && this.#request.method === "GET" && this.#context.router.find("GET", "/");
    if (!isForPerson || !/\btext\/html\b/.test(this.#request.headers.accept ?? ""))
      throw new ControllerError("PATH_UNKNOWN");
    const { etag: _of200, ...document } = await this.#context.services.page.document();
    return { ...document, status: 404 };
  }

  /** Nothing at this path, or not with this method. Only clients with credentials learn which paths exist. */
  async #refuse(path: string): Promise<Reply> {
    const routes = this.#context.router.routesAt(path);
    const isOpen = this.#surface === "other" || (this.#surface === "api" && !this.#context.hasApi);
    if (!isOpen && !routes.some(({ access }) => access === "public" || access === "optional")) {
      this.#principal = await this.#authenticate();
      if (!this.#principal) throw new ControllerError("UNAUTHENTICATED");
    }
    // A proxy that does not pass the upgrade on turns a subscription into such a request.
    if (streamAt(path, this.#context.hasApi)) throw new ControllerError("UPGRADE_REQUIRED");
    if (routes.length === 0) return this.#unknownPath();
    const methods = routes.flatMap(({ method, changes }) =>
      method === "GET" && !changes ? ["GET", "HEAD"] : [method],
    );
    return this.#failure(new ControllerError("METHOD_NOT_ALLOWED"), { Allow: methods.join(", ") });
  }

  #authenticate(): Promise<Principal | null> {
    const { services, listener } = this.#context;
    return services.auth.authenticate(this.#request.headers.authorization, listener, this.#remoteAddress);
  }

  #readBody({ body, fileLimit, holdsProgram, acceptsForms, readText }: Route): Body | Promise<Body> {
    const { config } = this.#context.services;
    if (fileLimit) return this.#readFile(config[fileLimit]);
    if (acceptsForms && this.#isOf(FORM_MEDIA_TYPE)) return this.#readForm(config.smallBodyBytesMax);
    const bytesMax = holdsProgram ? config.bodyBytesMax : config.smallBodyBytesMax;
    if (readText) return this.#readText(readText, bytesMax);
    return body ? this.#readJson(bytesMax) : NO_BODY;
  }

  #readBytes(bytesMax: number): Promise<Buffer> | Buffer {
    const onGivenUp = () => {
      this.#response.shouldKeepAlive = false;
    };
    return readBody(this.#request, {
      source: this.source,
      bytesMax,
      budget: this.#context.limits.bodies,
      onGivenUp,
    });
  }

  async #readJson(bytesMax: number): Promise<Body> {
    const bytes = await this.#readBytes(bytesMax);
    if (bytes.length === 0) return NO_BODY;
    if (!this.#isOf(JSON_MEDIA_TYPE)) throw new ControllerError("MEDIA_TYPE_REFUSED");
    const text = decodeJsonText(bytes);
    return { value: parseJson(text, this.#context.services.config.bodyValuesMax), text, file: NO_FILE };
  }

  async #readForm(bytesMax: number): Promise<Body> {
    const text = decodeJsonText(await this.#readBytes(bytesMax));
    const value = this.#isOf(TEXT_MEDIA_TYPE) ? text : Object.fromEntries(new URLSearchParams(text));
    return { value, text, file: NO_FILE };
  }

  async #readText(read: NonNullable<Route["readText"]>, bytesMax: number): Promise<Body> {
    const text = decodeText(await this.#readBytes(bytesMax));
    return { value: read(text), text, file: NO_FILE };
  }

  /** Its type is looked at first, so that nothing is read of what would be refused anyway. */
  async #readFile(bytesMax: number): Promise<Body> {
    if (!this.#isOf(FILE_MEDIA_TYPE)) {
      throw new ControllerError("MEDIA_TYPE_REFUSED", "This path accepts application/octet-stream.");
    }
    const file = await this.#readBytes(bytesMax);
    if (file.length === 0) throw new ControllerError("BAD_BODY", "The file is empty.");
    return { value: null, text: "", file };
  }

  #isOf(mediaType: RegExp): boolean {
    const { "content-type": type = "", "content-encoding": encoding = "identity" } = this.#request.headers;
    return mediaType.test(type) && encoding === "identity";
  }

  #describe(params: Readonly<Record<string, string>>, target: Target, body: Body): HttpRequest {
    return new DecodedRequest({
      id: this.#id,
      method: this.#request.method ?? "",
      target,
      params,
      headers: this.#request.headers,
      body,
      principal: this.#principal,
      remoteAddress: this.#remoteAddress,
      listener: this.#context.listener,
      ownUrl: () => ownUrl(this.#request.socket, this.#context.hostRule.encrypted),
      signal: () => this.#signal(),
      turn: () => new Promise((resolve) => this.#context.limits.turns.run(this.source, resolve)),
    });
  }

  #signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#isOver) this.#abort.abort(new Error("The client disconnected."));
    return this.#abort.signal;
  }

  #giveUp(): void {
    const error = new ControllerError("DEADLINE_PASSED");
    this.#fail(error);
    this.#isOver = true;
    this.#abort?.abort(error);
  }

  #fail(error: unknown): void {
    const known = toControllerError(error);
    if (known.code === "INTERNAL")
      this.#context.services.log.error("A request met a bug.", { ...this.#facts(), error });
    this.#answer(this.#failure(known));
  }

  #failure(error: ControllerError, headers?: Readonly<Record<string, string>>): Reply {
    return failureReply(error, this.#surface, this.#context.listener, headers);
  }

  #follow(release: () => Buffer): void {
    const { socket } = this.#request;
    const principal = this.#principal;
    if (!principal || socket.destroyed || this.#isOver) return;
    socket.setTimeout(0);
    const head = release();
    // For Node and for its connection the response is over.
    this.#response.detachSocket(socket);
    this.#response.emit("close");
    const { streams, listener } = this.#context;
    streams.follow({ socket, head, principal, listener, remoteAddress: this.#remoteAddress });
  }

  #answer(reply: Reply, packed: Buffer | null = null): void {
    const { services, strictTransport, closing } = this.#context;
    this.#deadline?.cancel();
    if (this.#response.headersSent || this.#response.destroyed) return;
    const idleMs = this.#principal ? null : strangerIdleMs(reply, services.config);
    if (isLongBody(this.#request)) this.#response.shouldKeepAlive = false;
    if (idleMs !== null) this.#response.once("finish", () => shortenIdle(this.#request.socket, idleMs));
    sendReply(this.#request, this.#response, reply, packed, {
      requestId: this.#id,
      strictTransport,
      closing: closing(),
      idleMs,
    });
    this.#watchSlowReader(reply);
    services.metrics?.requestAnswered(this.#surface, reply.status, services.clock.elapsed() - this.#startedMs);
    services.log.debug("A request was answered.", { ...this.#facts(), status: reply.status });
  }

  /** A client that takes nothing of a large answer for a whole deadline is cut; Node sets its own timeout at the end. */
  #watchSlowReader({ file }: Reply): void {
    if (!file && this.#response.writableLength < WATCHED_FROM_BYTES) return;
    this.#request.socket.setTimeout(this.#context.services.config.requestDeadlineMs);
  }

  /** Never the path itself: it may hold the code of a lock. */
  #facts(): Record<string, unknown> {
    return {
      request: this.#id,
      route: this.#route ? `${this.#route.method} ${this.#route.path}` : "none",
      account: this.#principal?.login ?? null,
      from: this.#remoteAddress,
      tookMs: this.#context.services.clock.elapsed() - this.#startedMs,
    };
  }
}

/** A byte order mark is left out. @throws ControllerError BAD_BODY */
function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ControllerError("BAD_BODY", "The body is not UTF-8.");
  return new TextDecoder().decode(bytes);
}

/** Clients begin with a public question, and their pools keep its connection for 15 s; a refusal needs no such time. */
function strangerIdleMs({ status }: Reply, { idleFirstRequestMs }: Config): number {
  return status < 400 ? 2 * idleFirstRequestMs : idleFirstRequestMs;
}

/**
 * A client without valid credentials keeps no connection for long. Node has just set its timeout, unless more is
 * under way.
 */
function shortenIdle(socket: Socket, idleMs: number): void {
  if (socket.timeout) socket.setTimeout(idleMs);
}

/** Where the connection arrived: an address of this very listener, whatever a proxy or a name made of it. */
function ownUrl({ localAddress = "127.0.0.1", localPort }: Socket, encrypted: boolean): string {
  const address = canonicalAddress(localAddress);
  return `${encrypted ? "https" : "http"}://${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}
