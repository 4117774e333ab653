/** One listening socket with its limits, its requests and its end. The caller chooses the routes. */

import { constants } from "node:crypto";
import type { Server, ServerOptions } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import type { SecureContextOptions } from "node:tls";
import type { ListenerName } from "../auth/auth.ts";
import type { Config } from "../config.ts";
import { badValue, type ControllerError, invariant } from "../errors.ts";
import { createServer as createPlainServer, STATUS_CODES } from "../util/node-http.ts";
import { settleWithin } from "../util/settle-within.ts";
import { sourceNetwork } from "../util/source-network.ts";
import { CIPHERS } from "../util/tls-ciphers.ts";
import { adminOrigins, ownNames } from "./browser-rules.ts";
import { type ClientAddresses, canonicalAddress } from "./request/client-addresses.ts";
import { Connections } from "./request/connections.ts";
import type { ListenerContext, StreamPort } from "./request/listener-context.ts";
import type { RequestLimits } from "./request/request-limits.ts";
import { RequestRun } from "./request/request-run.ts";
import { buildRouter } from "./request/router.ts";
import { handleUpgrade, wantsUpgrade } from "./request/upgrade.ts";
import type { Route } from "./route.ts";
import type { Services } from "./services.ts";

/** PEM texts of a certificate chain and its key, and those for clients that name one of some hosts. */
type ListenerCertificate = {
  readonly cert: string;
  readonly key: string;
  readonly certified?: { readonly names: readonly string[]; readonly cert: string; readonly key: string } | null;
};

export type ListenerOptions = {
  readonly services: Services;
  readonly streams: StreamPort;
  /** Shared by all listeners. */
  readonly limits: RequestLimits;
  readonly routes: readonly Route[];
  readonly listener: ListenerName;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** null: without TLS. */
  readonly tls: ListenerCertificate | null;
};

export type RunningServer = {
  /** Scheme, host as bound, and the real port. */
  readonly url: string;
  /** Takes nothing new, lets running requests end (at most three seconds), closes every socket. */
  stop(): Promise<void>;
  /** Open connections, those of streams included. */
  connections(): number;
  /** For connections from now on. */
  setCertificate(certificate: ListenerCertificate): void;
};

const STOP_GRACE_MS = 3000;
const TCP_KEEP_ALIVE_MS = 60_000;
/** Connections that wait to be accepted. After a restart all clients reconnect at once. */
const BACKLOG = 4096;
/** Longest time between two looks for requests that are too slow. */
const SLOW_CHECK_MS = 500;

/** @throws ControllerError BAD_VALUE naming the setting when the address or the port cannot be used. */
export async function openListener(options: ListenerOptions): Promise<RunningServer> {
  const { services, tls } = options;
  const server = createServer(services.config, tls);
  const sockets = new Set<Socket>();
  const life = { closing: false };
  const context = createContext(options, () => life.closing);
  const { limits } = options;
  const connections = new Connections(limits);

  if (server instanceof TlsServer) paceHandshakes(server, limits, services.config.idleFirstRequestMs);
  server.on("connection", () => limits.turns.accepted());
  trackSockets(server, sockets);
  limitAddresses(server, limits.addresses, services.config.connectionsPerAddressMax);
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    socket.setTimeout(services.config.idleFirstRequestMs);
    connections.add(socket);
  });
  server.on("request", (request, response) => {
    endFirstRequestTimeout(request.socket);
    connections.begin(new RequestRun(context, request, response), request, response);
  });
  server.on("upgrade", (request, socket: Socket, head) => {
    endFirstRequestTimeout(socket);
    void handleUpgrade(context, request, socket, Buffer.concat([head, connections.release(socket)]));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    answerBadRequest(error, socket);
    if (!socket.destroyed) connections.hangUp(socket);
  });

  await listen(server, options);
  return {
    url: urlOf(server, options),
    async stop() {
      life.closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await settleWithin(connections.idle(), STOP_GRACE_MS);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    connections: () => sockets.size,
    setCertificate(certificate) {
      if (server instanceof TlsServer) setContexts(server, certificate);
    },
  };
}

function createServer(config: Config, tls: ListenerCertificate | null): Server {
  const limits: ServerOptions = {
    maxHeaderSize: config.headerBytesMax + config.urlBytesMax,
    headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(SLOW_CHECK_MS, config.headersTimeoutMs / 4),
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    // The Host header is checked with an answer of our own.
    requireHostHeader: false,
    shouldUpgradeCallback: wantsUpgrade,
    optimizeEmptyRequests: true,
  };
  if (!tls) return withConnectionsMax(createPlainServer(limits), config);
  const { cert, key } = tls;
  const handshakeTimeout = config.idleFirstRequestMs;
  const secure = { ...secureContext({ cert, key }), ALPNProtocols: ["http/1.1"], handshakeTimeout };
  const server = createTlsServer({ ...limits, ...secure });
  if (tls.certified) setContexts(server, tls);
  return withConnectionsMax(server, config);
}

function setContexts(server: TlsServer, { certified, ...pair }: ListenerCertificate): void {
  server.setSecureContext(secureContext(pair));
  // Of several contexts for one name, Node takes the newest.
  if (!certified) return;
  for (const name of certified.names) server.addContext(name, secureContext(certified));
}

/** Node takes nothing over from an earlier context, so each one is complete. */
function secureContext({ cert, key }: Pick<ListenerCertificate, "cert" | "key">): SecureContextOptions {
  // Each renegotiation costs the server a handshake, and no client of ours needs one.
  return { cert, key, minVersion: "TLSv1.2", ciphers: CIPHERS, secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}

function withConnectionsMax(server: Server, config: Config): Server {
  server.maxConnections = config.connectionsMax;
  return server;
}

function createContext(options: ListenerOptions, closing: () => boolean): ListenerContext {
  const { services, streams, limits, listener, tls } = options;
  const { config } = services;
  const hasApi = listener === "portal" || config.localApi;
  const routes = hasApi ? options.routes : options.routes.filter((route) => route.listener === "both");
  const prefix = services.randomness.bytes(4).toString("hex");
  let requests = 0;
  return {
    services,
    streams,
    limits,
    router: buildRouter(routes, config.urlBytesMax),
    listener,
    hasApi,
    hostRule: { names: ownNames(config), encrypted: tls !== null, origins: adminOrigins(config) },
    strictTransport: tls !== null && config.certificateFile !== "",
    closing,
    nextRequestId: () => `${prefix}-${(requests++).toString(36)}`,
  };
}

/** Every socket is known, so that the end reaches the upgraded ones too. */
function trackSockets(server: Server, sockets: Set<Socket>): void {
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
}

/** No single address takes all connections. */
function limitAddresses(server: Server, addresses: ClientAddresses, connectionsMax: number): void {
  const open = new Map<string, number>();
  server.prependListener("connection", (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? "");
    if (addresses.isProxy(address)) return;
    const source = sourceNetwork(address);
    const others = open.get(source) ?? 0;
    open.set(source, others + 1);
    socket.once("close", () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left > 0) open.set(source, left);
      else open.delete(source);
    });
    if (others >= connectionsMax) socket.destroy();
  });
}

/**
 * A handshake costs as much as many requests, so it waits for its turn as they do, from when the client's first bytes
 * have arrived. Takes the place of the listener by which Node begins it at once.
 */
function paceHandshakes(server: TlsServer, { turns, known }: RequestLimits, idleMs: number): void {
  const [begin] = server.listeners("connection");
  invariant(begin, "Node's server wraps new sockets by a listener.");
  server.off("connection", begin as (socket: Socket) => void);
  server.on("connection", (socket: Socket) => {
    if (socket.destroyed) return;
    const source = known.sourceOf(socket.remoteAddress ?? "");
    const cut = () => void socket.destroy();
    socket.setTimeout(idleMs, cut).on("error", cut);
    socket.once("readable", () => {
      turns.run(source, () => {
        socket.setTimeout(0, cut).off("error", cut);
        if (!socket.destroyed) begin.call(server, socket);
      });
    });
  });
}

function endFirstRequestTimeout(socket: Socket): void {
  if (socket.timeout) socket.setTimeout(0);
}

const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that Node's parser refuses (smuggling attempts, broken framing, slow heads); the connection is
 * then closed. All other errors belong to connections that failed early or are closed already.
 */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { code = "" } = error;
  const isAnswering = Reflect.get(socket, "_httpMessage")?.headersSent === true;
  const isSpoken = code.startsWith("HPE_") || code in CLIENT_ERRORS;
  if (!isSpoken || isAnswering || !socket.writable) return void socket.destroy(error);
  const status = CLIENT_ERRORS[code] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function listen(server: Server, options: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenError(error, options));
    server.once("error", onError);
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, () => {
      server.off("error", onError);
      server.on("error", (error) => options.services.log.error("A listener met trouble.", { error }));
      resolve();
    });
  });
}

function listenError(error: NodeJS.ErrnoException, { listener, tls, host, port }: ListenerOptions): ControllerError {
  const name = tls ? listener : "plain";
  const hostSetting = tls ? "host" : "plainHost";
  const address = `The address ${host} (setting ${hostSetting})`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} (setting ${name}Port) is already in use on ${host}.`,
    EACCES: `Port ${port} (setting ${name}Port) is reserved; choose one above 1023 or give the service the right to bind it.`,
    EADDRNOTAVAIL: `${address} is not one of this machine's.`,
    ENOTFOUND: `${address} is not known.`,
  };
  const sentence = sentences[error.code ?? ""] ?? `Port ${port} (setting ${name}Port) cannot be opened on ${host}.`;
  return badValue(sentence, error);
}

/** An address that can be opened: of a listener on all interfaces, that of the first one in the network. */
function urlOf(server: Server, { host, tls }: ListenerOptions): string {
  // After listening on a port the address is never a pipe's.
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? ownAddress() : host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "localhost";
}
