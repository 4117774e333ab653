/** Shared by all requests of one listener. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ListenerName } from "../../auth/auth.ts";
import type { Principal } from "../../auth/principal.ts";
import type { HostRule } from "../browser-rules.ts";
import type { Services } from "../services.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { Router } from "./router.ts";

/** The event streams as a listener sees them. From `handleUpgrade` on, the socket is theirs. */
export type StreamPort = {
  handleUpgrade(upgrade: {
    readonly request: IncomingMessage;
    readonly socket: Duplex;
    readonly head: Buffer;
    readonly surface: "rest" | "api";
    /** null only on the `api` surface, where a first message may log in. */
    readonly principal: Principal | null;
    readonly listener: ListenerName;
    readonly remoteAddress: string;
  }): void;
  /** Events as HTTP messages on a connection that an older client keeps. From this call on, the socket is theirs. */
  follow(subscription: {
    readonly socket: Duplex;
    /** The bytes after the request. */
    readonly head: Buffer;
    readonly principal: Principal;
    readonly listener: ListenerName;
    readonly remoteAddress: string;
  }): void;
  /** Informed of requests that may edit, so that the events of their edits come after the answer. Absent: no event waits. */
  readonly edits?: { begin(requestId: string): void; answered(requestId: string): void };
};

export type ListenerContext = {
  readonly services: Services;
  readonly streams: StreamPort;
  readonly limits: RequestLimits;
  readonly router: Router;
  readonly listener: ListenerName;
  /** False where the JSON surface is not served at all. */
  readonly hasApi: boolean;
  readonly hostRule: HostRule;
  readonly strictTransport: boolean;
  /** True once the service stops. */
  readonly closing: () => boolean;
  readonly nextRequestId: () => string;
};
