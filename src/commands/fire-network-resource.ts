/**
 * Fires a network resource: one HTTP request, TCP message or UDP packet to another machine. Firing is acknowledged at
 * once; the outcome is published as `network-resource-fired`. Redirects are not followed, certificates are verified,
 * and the request goes only to addresses that network-target.ts has checked.
 *
 * @see docs/interface/networking.md
 */

import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { NetworkProtocol, NetworkResource } from "../home/network-resources.ts";
import { fillText, type TextContext, unknownWords } from "../profile/fill-text.ts";
import { deadlineIn } from "../util/clock.ts";
import {
  type CheckedTarget,
  canonicalHost,
  pinned,
  type Resolve,
  refuseKnownTarget,
  resolveTarget,
  type TargetRules,
} from "../util/network-target.ts";
import { request as httpRequest } from "../util/node-http.ts";
import { rejectOnAbort } from "../util/reject-on-abort.ts";
import type { CommandPorts } from "./ports.ts";
import { resourceRules } from "./resource-targets.ts";

type FirePorts = Pick<CommandPorts, "config" | "durability" | "home" | "profile" | "feed" | "queue" | "clock" | "log">;

/** The answer, as far as it was read. */
type ResourceAnswer = { readonly status: number | null; readonly contentType: string; readonly text: string };

/** How a firing ended; the detail is a short sentence. `answer`: null when nothing came back. */
type FireEnd = {
  readonly outcome: "done" | "failed";
  readonly detail: string;
  readonly answer: ResourceAnswer | null;
};

/** A firing that was taken. `ended` never rejects; what still waits when the controller stops does not end. */
type Firing = { readonly ended: Promise<FireEnd> };

/**
 * Settles when it was taken, which is before it is under way.
 *
 * @param more `about`: the node that caused it; `resolve`: the name service, the system's unless a test says otherwise.
 * @throws ControllerError RESOURCE_NOT_FOUND; BAD_VALUE when the resource cannot be sent as it is; TARGET_REFUSED when that
 * is clear without the name service; QUEUE_FULL
 */
export async function fireNetworkResource(
  ports: FirePorts,
  id: number,
  cause: Cause,
  more: { readonly about?: string | null; readonly resolve?: Resolve } = {},
): Promise<Firing> {
  const { about = null, resolve = (host) => lookup(host, { all: true }) } = more;
  const written = ports.home.networkResources.get(id);
  if (!written) throw new ControllerError("RESOURCE_NOT_FOUND");
  const programId = cause.kind === "program" ? Number(cause.by) : null;
  const { resource, unknown } = withValues({ ...ports, nowMs: ports.clock.now(), programId, node: about }, written);
  if (!isSent(resource)) {
    const end = { outcome: "done", detail: "Nothing was sent." } as const;
    ports.feed.commit({ type: "network-resource-fired", id, ...end }, cause);
    return { ended: Promise.resolve({ ...end, answer: null }) };
  }
  checkResource(resource);
  const host = canonicalHost(resource.host);
  const rules = resourceRules(ports);
  refuseKnownTarget(host, resource.port, rules);
  const ended = new Promise<FireEnd>((end) => {
    const work = () => fire(ports, { ...resource, host }, { rules, resolve, unknown }, cause).then(end);
    ports.queue.fires.run(null, work);
  });
  return { ended };
}

type SentResource = NetworkResource & { readonly protocol: NetworkProtocol };

function isSent(resource: NetworkResource): resource is SentResource {
  return resource.protocol !== "none";
}

/** Values in its address and headers are encoded, so that they stay in their place. */
function withValues(context: TextContext, written: NetworkResource) {
  const path = fillText(context, written.path, encodeURIComponent);
  const body = fillText(context, written.body);
  const headers = written.headers.map(({ name, value }) => ({ name, value: fillText(context, value, headerValue) }));
  const unknown = [path, body, ...headers.map(({ value }) => value)].flatMap((each) => each.unknown);
  const resource: NetworkResource = {
    ...written,
    path: path.text,
    body: body.text,
    headers: headers.map(({ name, value }) => ({ name, value: value.text })),
  };
  return { resource, unknown: unknownWords(unknown) };
}

function headerValue(value: string): string {
  return value.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"]);
/** Headers that frame the request itself; they follow from the body. */
const FRAMING: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** @throws ControllerError BAD_VALUE for what would break out of its place in the request. */
export function checkResource({ protocol, port, method, path, headers }: Omit<NetworkResource, "id">): void {
  const refuse = (sentence: string) => {
    throw badValue(sentence);
  };
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse("The port is a number from 1 to 65535.");
  if (protocol === "tcp" || protocol === "udp") return;
  if (!METHODS.has(method)) refuse("The method is GET, POST, PUT, DELETE, PATCH or HEAD.");
  if (!/^\/[\x21-\x7e]*$/.test(path)) refuse("The path must start with a slash and be percent-encoded.");
  for (const { name, value } of headers) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      refuse("A header has a plain name, and a value on one line.");
    }
    if (FRAMING.has(name.toLowerCase())) refuse(`The header ${name} follows from the body and cannot be set.`);
  }
}

/** `unknown`: a sentence about values of its texts that are not known. */
type Way = { readonly rules: TargetRules; readonly resolve: Resolve; readonly unknown: string };

/** Never rejects: the outcome is an entry of the journal and, when it failed, a line of the log. */
async function fire(ports: FirePorts, resource: SentResource, way: Way, cause: Cause): Promise<FireEnd> {
  const { config, feed, queue, clock, log } = ports;
  const { id, name, timeoutMs } = resource;
  const longestMs = timeoutMs > 0 ? Math.min(timeoutMs, config.networkTimeoutMs) : config.networkTimeoutMs;
  using deadline = deadlineIn(clock, longestMs, new Error(`No answer in ${longestMs} ms.`));
  const signal = AbortSignal.any([deadline.signal, queue.stopping]);
  try {
    const { detail: reached, answer } = await reach(ports, resource, way, signal, config.networkAnswerBytesMax);
    const detail = `${reached} ${way.unknown}`.trimEnd();
    feed.commit({ type: "network-resource-fired", id, outcome: "done", detail }, cause);
    return { outcome: "done", detail, answer };
  } catch (error) {
    const detail = detailOf(error, signal);
    log.warn("A network resource did not reach its target.", { resource: name, detail });
    feed.commit({ type: "network-resource-fired", id, outcome: "failed", detail }, cause);
    return { outcome: "failed", detail, answer: error instanceof Answer ? error.answer : null };
  }
}

async function reach(
  { durability }: Pick<FirePorts, "durability">,
  resource: SentResource,
  { rules, resolve }: Way,
  signal: AbortSignal,
  answerBytesMax: number,
): Promise<Reached> {
  // A name service knows no signal of ours; its late answer is dropped.
  const resolving = resolveTarget(resource.host, resource.port, rules, resolve);
  const target = await Promise.race([resolving, rejectOnAbort(signal)]);
  if (durability.mayAct?.("none") === false) throw new ControllerError("WRITER_UNCONFIRMED");
  return SENDERS[resource.protocol]({ resource, target, signal, answerBytesMax });
}

function detailOf(error: unknown, signal: AbortSignal): string {
  const reason = signal.aborted ? signal.reason : error;
  if (!(reason instanceof Error)) return "The request failed.";
  const code = Reflect.get(reason, "code");
  if (reason instanceof ControllerError || reason instanceof Answer || typeof code !== "string") return reason.message;
  return `The request failed (${code}).`;
}

/** An answer that says that the request was not done. */
class Answer extends Error {
  readonly answer: ResourceAnswer | null;

  constructor(sentence: string, answer: ResourceAnswer | null = null) {
    super(sentence);
    this.answer = answer;
  }
}

type Reached = { readonly detail: string; readonly answer: ResourceAnswer | null };

type Sending = {
  readonly resource: NetworkResource;
  readonly target: CheckedTarget;
  readonly signal: AbortSignal;
  readonly answerBytesMax: number;
};

/** Each resolves with a short detail for the journal. */
const SENDERS: Readonly<Record<NetworkProtocol, (sending: Sending) => Promise<Reached>>> = {
  http: sendHttp,
  https: sendHttp,
  tcp: sendTcp,
  udp: sendUdp,
};

function sendHttp({ resource, target, signal, answerBytesMax }: Sending): Promise<Reached> {
  const { protocol, method, path, headers } = resource;
  const { host, port } = target;
  const body = Buffer.from(resource.body, "utf8");
  const request = protocol === "https" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, method, path, lookup: pinned(target), agent: false, signal });
    for (const { name, value } of headers) {
      if (name.toLowerCase() === "host") sent.setHeader(name, value);
      else sent.appendHeader(name, value);
    }
    if (body.length > 0) sent.setHeader("Content-Length", body.length);
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const status = answer.statusCode ?? 0;
      const chunks: Buffer[] = [];
      const finish = () => {
        const contentType = answer.headers["content-type"] ?? "";
        const received = { status, contentType, text: textOf(chunks, answerBytesMax) };
        if (status >= 200 && status < 300) resolve({ detail: `HTTP ${status}.`, answer: received });
        else {
          const detail = status < 400 ? `HTTP ${status}: redirects are not followed.` : `HTTP ${status}.`;
          reject(new Answer(detail, received));
        }
      };
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= answerBytesMax) return;
        finish();
        answer.destroy();
      });
      answer.on("end", finish);
      answer.on("error", reject);
    });
    sent.end(body);
  });
}

/** Reads the answer up to the limit, so that a device can answer before the connection is closed. */
function sendTcp({ resource, target, signal, answerBytesMax }: Sending): Promise<Reached> {
  const body = Buffer.from(resource.body, "utf8");
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.host, port: target.port, lookup: pinned(target) });
    let isSent = false;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onAbort = () => socket.destroy(isSent ? undefined : new Error("Aborted."));
    signal.addEventListener("abort", onAbort);
    socket.on("connect", () => socket.end(body));
    socket.on("finish", () => {
      isSent = true;
    });
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > answerBytesMax) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      signal.removeEventListener("abort", onAbort);
      const answer = bytes === 0 ? null : { status: null, contentType: "", text: textOf(chunks, answerBytesMax) };
      if (isSent) resolve({ detail: `${body.length} bytes sent.`, answer });
      else reject(new Answer("The connection was closed before everything was sent."));
    });
  });
}

function sendUdp({ resource, target }: Sending): Promise<Reached> {
  const [to] = target.addresses;
  const body = Buffer.from(resource.body, "utf8");
  return new Promise((resolve, reject) => {
    if (!to) return reject(new Answer("The name has no address."));
    const socket = createSocket(to.family === 6 ? "udp6" : "udp4");
    socket.on("error", reject);
    socket.send(body, target.port, to.address, (error) => {
      socket.close();
      if (error) reject(error);
      else resolve({ detail: `${body.length} bytes sent.`, answer: null });
    });
  });
}

function textOf(chunks: readonly Buffer[], bytesMax: number): string {
  return Buffer.concat(chunks).subarray(0, bytesMax).toString("utf8").toWellFormed();
}
