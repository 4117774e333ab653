/**
 * A controller that a test scripts: it answers with the documents of a small home, refuses, stalls, disconnects, and
 * expires tokens at any time. Without TLS, on loopback.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import * as home from "./small-home.ts";

export const ACCOUNT = { user: "pat@example.org", password: "a lantern in the fog" } as const;

type Seen = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly body: string;
};

export type Scripted = {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
/** The answer; null: none, and the connection stays open. */
type Answer = (seen: Seen, response: ServerResponse) => Scripted | null | Promise<Scripted | null>;

export const json = (data: unknown): Scripted => ({ body: JSON.stringify({ successful: true, data }) });
export const status = (code: number, body = ""): Scripted => ({ status: code, body });
export const text = (body: string): Scripted => ({ body });

const DOCUMENTS: Readonly<Record<string, Scripted>> = {
  "/api/config": json({ uuid: "00:aa:bb:cc:dd:ee", version: "6.0.3", portalHost: "portal.example.org" }),
  "/rest/profiles?include=nodedefs,editors,linkdefs": text(JSON.stringify(home.PROFILE)),
  "/api/nodes": json(home.NODES),
  "/rest/status": text(home.STATUS),
  "/api/groups": json(home.GROUPS),
  "/api/programs": json(home.PROGRAMS),
  "/api/triggers": json(home.TRIGGERS),
  "/api/variables/1": json(home.INTEGERS),
  "/api/variables/2": json(home.STATES),
  "/rest/networking/resources": text(home.RESOURCES),
  "/rest/zwave/node/0/def/get": text(home.RADIO_NODEDEFS),
  "/rest/profiles/family/-1/profile/1/download/nls/en_US.txt": text(home.GLOBAL_LABELS),
  "/rest/profiles/family/4/profile/1/download/nls/en_US.txt": text(home.RADIO_LABELS),
};

export class ScriptedServer implements AsyncDisposable {
  /** Every request, in the order in which they came. */
  readonly seen: Seen[] = [];
  /** Sockets that were accepted, and what came on each. */
  readonly sockets: WebSocket[] = [];
  readonly socketMessages: string[] = [];
  /** Answers to the next upgrades, 0: none; when there are none left they are accepted. */
  readonly upgrades: number[] = [];
  /** Of new access tokens; null: one that cannot be read. */
  lifetimeS: number | null = 3600;
  nowMs: () => number = () => 0;
  readonly #server: Server;
  readonly #webSockets = new WebSocketServer({ noServer: true });
  readonly #answers = new Map<string, Answer>();
  readonly #valid = { access: new Set<string>(), refresh: new Set<string>() };
  readonly #waiting = new Set<() => void>();
  #issued = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async start(): Promise<ScriptedServer> {
    const scripted = new ScriptedServer();
    scripted.#server.listen(0, "127.0.0.1");
    await once(scripted.#server, "listening");
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replaces what is answered. @param what `GET /api/nodes` */
  on(what: string, answer: Answer | Scripted): void {
    this.#answers.set(what, typeof answer === "function" ? answer : () => answer);
  }

  /** Restores the usual answer. */
  forget(): void {
    this.#answers.clear();
  }

  /** The tokens that were given are not good any more: only the access tokens, or both. */
  endTokens(which: "access" | "both"): void {
    this.#valid.access.clear();
    if (which === "both") this.#valid.refresh.clear();
  }

  count(what: string): number {
    return this.seen.filter(({ method, path }) => `${method} ${path}` === what).length;
  }

  paths(): readonly string[] {
    return this.seen.map(({ method, path }) => `${method} ${path}`);
  }

  /** Sends on the latest socket. */
  send(...messages: readonly (string | Buffer)[]): void {
    for (const message of messages) this.sockets.at(-1)?.send(message);
  }

  /** Settles when it holds; looked at after every request, upgrade and message. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** A pair that is good from now on. */
  issue(): { readonly accessToken: string; readonly refreshToken: string; readonly ssl: object } {
    this.#issued += 1;
    const iat = Math.floor(this.nowMs() / 1000);
    const claims = Buffer.from(JSON.stringify({ iat, exp: iat + (this.lifetimeS ?? 0) })).toString("base64url");
    const accessToken =
      this.lifetimeS === null ? `opaque-access-${this.#issued}` : `head.${claims}.access${this.#issued}`;
    const refreshToken = `refresh-token-${this.#issued}`;
    this.#valid.access.add(accessToken);
    this.#valid.refresh.add(refreshToken);
    return { accessToken, refreshToken, ssl: { key: "the broker's key", cert: "", ca: "" } };
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers } = request;
    const { authorization = "", "content-type": contentType = "" } = headers;
    const seen = { method, path, authorization, contentType, body: Buffer.concat(chunks).toString() };
    this.seen.push(seen);
    this.#look();
    const answer = await (this.#answers.get(`${method} ${path}`) ?? this.#usual)(seen, response);
    if (answer === null) return;
    response.writeHead(answer.status ?? 200, { "Content-Type": "application/json", ...answer.headers });
    response.end(answer.body ?? "");
  }

  /** The answer of a working controller. */
  readonly #usual: Answer = (seen) => {
    const { method, path } = seen;
    if (path === "/api/login") return json(this.issue());
    if (path === "/api/jwt/refresh") return this.#refresh(seen);
    if (path === "/api/config") return DOCUMENTS[path] ?? status(404);
    if (!this.isAuthorized(seen)) return status(401, '{"successful":false,"data":null,"error":"Who are you?"}');
    if (method !== "GET") return json(null);
    return (
      DOCUMENTS[path] ??
      (/\/(cmd|enable|disable|query|change|vars)|networking|programs/.test(path) ? ACKNOWLEDGED : status(404))
    );
  };

  isAuthorized({ authorization }: Seen): boolean {
    const basic = `Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString("base64")}`;
    return authorization === basic || this.#valid.access.has(authorization.replace("Bearer ", ""));
  }

  #refresh({ body }: Seen): Scripted {
    const { refreshToken } = JSON.parse(body) as { refreshToken: string };
    return this.#valid.refresh.delete(refreshToken) ? json(this.issue()) : status(401);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url: path = "", headers } = request;
    this.seen.push({ method: "UPGRADE", path, authorization: headers.authorization ?? "", contentType: "", body: "" });
    const refusal = this.upgrades.shift();
    if (refusal === undefined) {
      this.#webSockets.handleUpgrade(request, socket, head, (accepted) => {
        this.sockets.push(accepted);
        accepted.on("message", (data) => {
          this.socketMessages.push(String(data));
          this.#look();
        });
        accepted.on("close", () => this.#look());
        this.#look();
      });
      return;
    }
    if (refusal === 0) socket.resume().once("end", () => socket.destroy());
    else socket.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    this.#look();
  }

  #look(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

const ACKNOWLEDGED = text('<?xml version="1.0"?><RestResponse succeeded="true"><status>200</status></RestResponse>');
