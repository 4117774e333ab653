/** Puts a reply on the wire: exact length, entity tags, compression, and the headers that every reply carries. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { STATUS_CODES } from "../../util/node-http.ts";
import type { Reply } from "../reply.ts";

type ReplyContext = {
  readonly requestId: string;
  /** The owner's certificate is in place, so browsers may insist on TLS from now on. */
  readonly strictTransport: boolean;
  /** The service stops: the connection ends with this reply. */
  readonly closing: boolean;
  /** Milliseconds that the connection is kept when nothing follows; null: as long as by default. */
  readonly idleMs: number | null;
};

// The interface is no page: it loads nothing, is framed nowhere, and is read by no other site.
const GUARDS = [
  "X-Content-Type-Options",
  "nosniff",
  "Cross-Origin-Resource-Policy",
  "same-origin",
  "Referrer-Policy",
  "no-referrer",
] as const;
const IMMUTABLE = "public, max-age=31536000, immutable";
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** Neither a body nor its length may follow (RFC 9110, sections 15.3.5 and 15.3.6). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Size of one write of a body. */
const SLICE_BYTES = 262_144;
const YEAR_S = 31_536_000;
const QUALITY = /^q=(?:0?\.\d{1,3}|[01](?:\.\d{0,3})?)$/;

/** @param packed the gzip form, when the request takes it; see `packedForm`. */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  packed: Buffer | null,
  context: ReplyContext,
): void {
  if (isUnchanged(request, reply)) {
    response.writeHead(304, headersOf(response, reply, context)).end();
    return;
  }
  if (reply.file) {
    sendFile(request, response, reply, reply.file, context);
    return;
  }
  const body = packed ?? (typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body);
  const headers = headersOf(response, reply, context);
  if (BODILESS.has(reply.status)) {
    response.writeHead(reply.status, headers).end();
    return;
  }
  headers.push("Content-Type", reply.contentType, "Content-Length", String(body.length));
  if (packed) headers.push("Content-Encoding", "gzip");
  response.writeHead(reply.status, headers);
  if (request.method === "HEAD") response.end();
  else writeBody(response, body);
}

/** The gzip form of a reply, which may have to be made first; null when it is not to be sent. */
export function packedForm(request: IncomingMessage, reply: Reply): Buffer | Promise<Buffer> | null {
  if (!reply.gzip || !acceptsGzip(String(request.headers["accept-encoding"] ?? ""))) return null;
  return isUnchanged(request, reply) ? null : reply.gzip();
}

function isUnchanged({ method, headers }: IncomingMessage, { status, etag }: Reply): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && status === 200 && etag !== undefined && isKnown(headers["if-none-match"], etag);
}

/** A large body goes out as its reader takes it: encrypting all of it at once would stop the loop and fill the memory. */
function writeBody(response: ServerResponse, body: Buffer): void {
  let at = 0;
  const writeSome = () => {
    const slice = body.subarray(at, at + SLICE_BYTES);
    at += slice.length;
    if (at >= body.length) response.end(slice);
    else if (response.write(slice)) setImmediate(writeSome);
    else response.once("drain", writeSome);
  };
  writeSome();
}

/**
 * When the file cannot be read to its end, the connection closes before the announced length, so the client notices.
 */
function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { bytes, open }: NonNullable<Reply["file"]>,
  context: ReplyContext,
): void {
  const headers = headersOf(response, reply, context);
  headers.push("Content-Type", reply.contentType, "Content-Length", String(bytes));
  response.writeHead(reply.status, headers);
  if (request.method === "HEAD") response.end();
  else pipeline(open(), response, () => {});
}

/** A plain answer to a request for an upgrade; the connection ends with it. */
export function sendOverSocket(
  socket: Duplex,
  reply: Reply,
  context: Pick<ReplyContext, "requestId" | "strictTransport">,
): void {
  const body = Buffer.from(reply.body);
  const headers = [...baseHeaders(reply, context), "Connection", "close"];
  headers.push("Content-Type", reply.contentType, "Content-Length", String(body.length));
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ""}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  // Nothing reads this socket any more, so data that its client still sends would hide its end and keep it open for ever.
  socket.once("finish", () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`), body]));
}

function headersOf(response: ServerResponse, reply: Reply, context: ReplyContext): string[] {
  const headers = baseHeaders(reply, context);
  const { closing, idleMs } = context;
  if (closing) headers.push("Connection", "close");
  else if (idleMs !== null && response.shouldKeepAlive) {
    headers.push("Connection", "keep-alive", "Keep-Alive", `timeout=${Math.floor(idleMs / 1000)}`);
  }
  return headers;
}

function baseHeaders(reply: Reply, context: Pick<ReplyContext, "requestId" | "strictTransport">): string[] {
  const headers: string[] = ["X-Request-Id", context.requestId, ...GUARDS];
  headers.push("Content-Security-Policy", reply.policy ?? API_POLICY);
  if (reply.etag === undefined) headers.push("Cache-Control", "no-store");
  else
    headers.push(
      "Cache-Control",
      reply.isImmutable ? IMMUTABLE : "no-cache",
      "ETag",
      reply.etag,
      "Vary",
      "Accept-Encoding",
    );
  if (context.strictTransport) headers.push("Strict-Transport-Security", `max-age=${YEAR_S}`);
  if (reply.headers) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value);
  return headers;
}

/** Split instead of matched as a whole: a stranger writes this header, and backtracking over a long one would stand still. */
function acceptsGzip(header: string): boolean {
  const codings = header.split(",").map((part) => part.split(";").map((piece) => piece.trim().toLowerCase()));
  const named = codings.find(([coding]) => coding === "gzip") ?? codings.find(([coding]) => coding === "*");
  return named !== undefined && isWanted(named[1]);
}

/** @param quality "q=0.5"; none is 1, and what is no quality is as good as 0. */
function isWanted(quality = "q=1"): boolean {
  return QUALITY.test(quality) && Number(quality.slice(2)) > 0;
}

/** Weak comparison: the tags of a cached and a compressed form are the same. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === opaque);
}
