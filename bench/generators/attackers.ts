/** Clients that mean harm, in a process of their own, from an address of their own. They read what they are answered. */

import { randomBytes } from "node:crypto";
import { connect as connectPlain, type Socket } from "node:net";
import { connect } from "node:tls";
import { pause } from "../harness/arrivals.ts";
import { HttpsConnection, requestHead, type Target } from "../harness/https-connection.ts";
import { serveCalls } from "../harness/worker.ts";

/** Within 127.0.0.0/8, so that the service sees other machines than the honest client's. */
const ADDRESSES = ["127.0.0.66", "127.0.0.67", "127.0.0.68", "127.0.0.69"] as const;
/** Connections begun in one go. */
const CONNECTS_AT_ONCE = 20;
const GIVE_UP_MS = 90_000;

export type PipelineInput = {
  readonly target: Target;
  readonly connections: number;
  readonly requests: number;
  readonly path: string;
  readonly gzip: boolean;
  /** null: a different forged token with every request. */
  readonly authorization: string | null;
};
export type PipelineOutput = {
  readonly answers: Readonly<Record<string, number>>;
  readonly closed: number;
  readonly seconds: number;
};

export type BodiesInput = {
  readonly target: Target;
  readonly connections: number;
  readonly path: string;
  readonly bytes: number;
  readonly authorization: string | null;
  readonly seconds: number;
};
export type BodiesOutput = { readonly answers: Readonly<Record<string, number>>; readonly openAtTheEnd: number };

export type GuessInput = {
  readonly target: Target;
  /** Address of this machine that the service takes for a proxy. */
  readonly proxy: string;
  readonly login: string;
  readonly seconds: number;
};
export type GuessOutput = { readonly answers: Readonly<Record<string, number>> };

export type FollowInput = {
  readonly target: Target;
  readonly authorization: string;
  readonly streams: number;
  readonly seconds: number;
};
export type FollowOutput = { readonly answers: Readonly<Record<string, number>> };

const GUESSERS = 64;

serveCalls({ pipeline, bodies, guess, follow });

async function pipeline(input: PipelineInput): Promise<PipelineOutput> {
  const startMs = performance.now();
  const answers: Record<string, number> = {};
  const all = Array.from({ length: input.connections }, () => pipelineOnce(input, answers));
  const closed = (await Promise.all(all)).filter((isWhole) => !isWhole).length;
  return { answers, closed, seconds: (performance.now() - startMs) / 1000 };
}

/** @returns whether every request was answered. */
function pipelineOnce(input: PipelineInput, answers: Record<string, number>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = open(input.target, () => socket.write(requestsOf(input)));
    let answered = 0;
    let body = "";
    const end = (isWhole: boolean) => {
      clearTimeout(late);
      socket.destroy();
      resolve(isWhole);
    };
    const late = setTimeout(() => end(false), GIVE_UP_MS);
    socket.on("data", (chunk) => {
      const text = body + chunk.toString("latin1");
      for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        answers[status] = (answers[status] ?? 0) + 1;
        answered += 1;
      }
      const cut = text.lastIndexOf("HTTP/1.1");
      body = text.slice(Math.max(cut + 1, text.length - 11));
      if (answered === input.requests) end(true);
    });
    socket.on("error", () => {}).on("close", () => end(false));
  });
}

/** Each connection sends all of a body but its last bytes, and those one by one. */
async function bodies({
  target,
  connections,
  path,
  bytes,
  authorization,
  seconds,
}: BodiesInput): Promise<BodiesOutput> {
  const answers: Record<string, number> = {};
  const credentials = authorization === null ? "" : `Authorization: ${authorization}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  const body = `{"a":"${"x".repeat(bytes - 100)}`;
  const sockets = new Set<Socket>();
  for (let index = 0; index < connections; index += 1) {
    const socket = open(target, () => socket.write(head + body), ADDRESSES[index % ADDRESSES.length]);
    sockets.add(socket);
    socket.once("data", (chunk) => {
      const status = chunk.toString("latin1", 9, 12);
      answers[status] = (answers[status] ?? 0) + 1;
    });
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    if (index % CONNECTS_AT_ONCE === 0) await pause(1);
  }
  for (let second = 0; second < seconds; second += 1) {
    await pause(1000);
    for (const socket of sockets) socket.write("x");
  }
  const openAtTheEnd = sockets.size;
  for (const socket of sockets) socket.destroy();
  return { answers, openAtTheEnd };
}

/** Wrong passwords of one login, each from another address behind the proxy. */
async function guess({ target, proxy, login, seconds }: GuessInput): Promise<GuessOutput> {
  const answers: Record<string, number> = {};
  const endMs = performance.now() + seconds * 1000;
  let guesses = 0;
  const guessOn = async () => {
    const connection = new HttpsConnection(target, proxy);
    await connection.opened();
    while (performance.now() < endMs && !connection.isClosed) {
      guesses += 1;
      const body = JSON.stringify({ username: login, password: `guess ${guesses}` });
      const forwardedFor = `203.${(guesses >> 16) & 255}.${(guesses >> 8) & 255}.${guesses & 255}`;
      const head = requestHead({ method: "POST", path: "/api/login", body, forwardedFor });
      const { status } = await connection.request(head, { body });
      answers[status] = (answers[status] ?? 0) + 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: GUESSERS }, guessOn));
  return { answers };
}

/** Follows the event stream as often as it may, and tries again whenever it may not. */
async function follow({ target, authorization, streams, seconds }: FollowInput): Promise<FollowOutput> {
  const answers: Record<string, number> = {};
  const sockets = new Set<Socket>();
  const endMs = performance.now() + seconds * 1000;
  const head = `GET /rest/subscribe HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`;
  for (let index = 0; performance.now() < endMs; index += 1) {
    if (sockets.size < streams) {
      const socket = open(target, () => socket.write(head), ADDRESSES[index % ADDRESSES.length]);
      sockets.add(socket);
      socket.once("data", (chunk) => {
        const status = chunk.toString("latin1", 9, 12);
        answers[status] = (answers[status] ?? 0) + 1;
      });
      socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    }
    if (index % CONNECTS_AT_ONCE === 0) await pause(5);
  }
  for (const socket of sockets) socket.destroy();
  return { answers };
}

function open({ host, port }: Target, onOpen: () => void, localAddress: string = ADDRESSES[0]): Socket {
  const raw = connectPlain({ host, port, localAddress });
  const socket = connect({ socket: raw, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] }, onOpen);
  raw.on("error", () => socket.destroy());
  return socket;
}

function requestsOf({ requests, path, gzip, authorization }: PipelineInput): string {
  const coding = gzip ? "Accept-Encoding: gzip\r\n" : "";
  let text = "";
  for (let count = 0; count < requests; count += 1) {
    const credentials = authorization ?? `Bearer ${forgedToken()}`;
    text += `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${coding}Authorization: ${credentials}\r\n\r\n`;
  }
  return text;
}

/** Right in everything but its session and its signature. */
function forgedToken(): string {
  const nowS = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = part({ alg: "ES256", typ: "at+jwt" });
  const claims = part({
    uuid: "00:21:b9:02:00:01",
    sub: "owner@bench.example",
    iat: nowS,
    exp: nowS + 3600,
    aud: ["eisy"],
    iss: "eisy",
    role: "owner",
    sid: randomBytes(16).toString("hex"),
    jti: randomBytes(16).toString("hex"),
  });
  return `${head}.${claims}.${randomBytes(64).toString("base64url")}`;
}
