/**
 * THE WINDOW: what the rest of the house sees of the event streams. The door authenticates an upgrade and hands its
 * socket over; from then on the socket belongs to this room.
 *
 * @see docs/interface/events.md
 */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Principal } from "../auth/principal.ts";

/** `rest`: an XML document per message; `api`: the same document in a JSON envelope. */
export type Surface = "rest" | "api";

/** An upgrade request whose credentials and origin have been checked. */
export type StreamUpgrade = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What came behind the request's head. */
  readonly head: Buffer;
  readonly surface: Surface;
  /** null: no credentials were shown; the `api` surface then waits for a login message, `rest` refuses. */
  readonly principal: Principal | null;
  readonly listener: "portal" | "local";
  readonly remoteAddress: string;
};

export type Subscriber = { readonly sid: number; readonly isPortal: boolean; readonly remoteAddress: string };

export type Streams = {
  /** Takes the socket over: answers 101 and streams, or answers 401 or 503 and closes it. Never throws. */
  handleUpgrade(upgrade: StreamUpgrade): void;
  /** Who follows the streams now. */
  subscribers(): readonly Subscriber[];
  /** Closes every stream (1001) and refuses further ones. */
  stop(): void;
};
