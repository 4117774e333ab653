/**
 * An HTTP request to an address that others choose. It goes only to addresses that network-target.ts has checked, and so does each
 * redirect that is followed.
 */

import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { canonicalHost, pinned, refuseKnownTarget, resolveTarget, type TargetRules } from "./network-target.ts";
import { request as httpRequest } from "./node-http.ts";

type CheckedRequest = {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  readonly rules: TargetRules;
  readonly signal: AbortSignal;
  /** Default: 0. */
  readonly redirectsMax?: number;
};

const PORT_OF: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/** @throws ControllerError TARGET_REFUSED for an address out of reach, Error with a code for one that does not answer */
export async function sendChecked(url: URL, request: CheckedRequest): Promise<IncomingMessage> {
  const { redirectsMax = 0 } = request;
  const answer = await sendOnce(url, request);
  const { statusCode = 0, headers } = answer;
  if (redirectsMax === 0 || statusCode < 300 || statusCode > 399 || headers.location === undefined) return answer;
  answer.destroy();
  const next = URL.parse(headers.location, url.href);
  // A redirect must not give up the encryption.
  if (!next || !(next.protocol in PORT_OF) || (url.protocol === "https:" && next.protocol !== "https:")) return answer;
  return sendChecked(next, { ...request, redirectsMax: redirectsMax - 1 });
}

/** @returns the body, or null when it is longer. */
export async function readAnswer(answer: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The host in its one spelling, and the port. */
export function hostAndPort({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } {
  return { host: canonicalHost(hostname), port: port === "" ? (PORT_OF[protocol] ?? 0) : Number(port) };
}

async function sendOnce(url: URL, { method, headers, body, rules, signal }: CheckedRequest): Promise<IncomingMessage> {
  const { host, port } = hostAndPort(url);
  refuseKnownTarget(host, port, rules);
  const target = await resolveTarget(host, port, rules, (name) => lookup(name, { all: true }));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const options = { host, port, path: url.pathname + url.search, method, lookup: pinned(target), agent: false, signal };
  const sent = send({
    ...options,
    ...(url.protocol === "https:" && isIP(host) === 0 && { servername: host }),
    headers: { ...headers, ...(body && { "Content-Length": body.length }) },
  });
  sent.on("error", reject);
  sent.on("response", resolve);
  sent.end(body);
  return promise;
}
