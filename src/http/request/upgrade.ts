/** The way to the event streams: everything is decided before the upgrade, with a proper HTTP answer when it is refused. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { authorize } from "../../auth/policy.ts";
import { ControllerError } from "../../errors.ts";
import { checkHost, checkSite } from "../browser-rules.ts";
import { failureReply, toControllerError } from "../failure.ts";
import { type PathSurface, parseTarget, surfaceOf } from "../target.ts";
import type { ListenerContext } from "./listener-context.ts";
import { sendOverSocket } from "./send-reply.ts";

/** Other protocols (h2c) are not spoken; such a request is answered without an upgrade. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  return request.method === "GET" && request.headers.upgrade?.toLowerCase() === "websocket";
}

/** Settles when the socket is passed on or answered. Never rejects. */
export async function handleUpgrade(
  context: ListenerContext,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  let surface: PathSurface = surfaceOf(request.url ?? "");
  // Until the streams take the socket, errors of a client that disconnects are ignored.
  const ignore = () => {};
  socket.on("error", ignore);
  try {
    if ((request.url ?? "").length > context.services.config.urlBytesMax) throw new ControllerError("URL_TOO_LONG");
    const { path } = parseTarget(request.url ?? "");
    surface = surfaceOf(path);
    checkHost(request.headers, request.rawHeaders, context.hostRule);
    checkSite(request.headers, context.hostRule, true);
    const stream = streamAt(path, context.hasApi);
    if (!stream) throw new ControllerError("PATH_UNKNOWN");
    const remoteAddress = context.limits.addresses.of(request);
    const principal = await context.services.auth.authenticate(
      request.headers.authorization,
      context.listener,
      remoteAddress,
    );
    if (stream === "rest" || principal) authorize(principal, "subscribe");
    if (socket.destroyed) return;
    socket.off("error", ignore);
    context.streams.handleUpgrade({
      request,
      socket,
      head,
      surface: stream,
      principal,
      listener: context.listener,
      remoteAddress,
    });
  } catch (error) {
    refuse(context, socket, surface, error);
  }
}

/** The event stream at a normalized path, or null. */
export function streamAt(path: string, hasApi: boolean): "rest" | "api" | null {
  if (path === "/rest/subscribe") return "rest";
  return path === "/api/events/subscribe" && hasApi ? "api" : null;
}

function refuse(context: ListenerContext, socket: Duplex, surface: PathSurface, error: unknown): void {
  const known = toControllerError(error);
  const requestId = context.nextRequestId();
  if (known.code === "INTERNAL") context.services.log.error("An upgrade met a bug.", { request: requestId, error });
  if (socket.destroyed) return;
  const reply = failureReply(known, surface, context.listener);
  sendOverSocket(socket, reply, { requestId, strictTransport: context.strictTransport });
}
