/**
 * Passes the bytes of one connection to Node's parser, one request at a time: the next request is not even parsed
 * until the previous answer is sent. Node by itself parses everything that has arrived and starts every request at
 * once.
 *
 * Bytes are passed in pieces that end where a head ends, so a piece holds at most one request. The rest waits here
 * and in the socket, which is paused.
 */

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { invariant } from "../../errors.ts";
import type { LingeringSockets } from "./lingering-sockets.ts";

const HEAD_END = Buffer.from("\r\n\r\n");
/** Pieces of a body passed on before others get their turn: a chunked body may end with any of them. */
const PIECES_MAX = 64;
/** Bytes of a body that are read after the answer, so that the connection can be used further. */
const THROWN_AWAY_MAX = 65_536;

/** The next action for the buffered bytes: pass more, leave them until something happens, or wait for more. */
type Next = "go on" | "wait" | "need more";
type Current = {
  readonly request: IncomingMessage;
  isAnswered: boolean;
  /** Infinity for a body in chunks. */
  bodyBytesLeft: number;
  /** The rest of a chunked body, after its answer. */
  bytesThrownAway: number;
};

export class SequentialInput {
  readonly #socket: Socket;
  /** Calls back now or later, when a request of this connection may be parsed. */
  readonly #awaitTurn: (begin: () => void) => void;
  readonly #lingering: LingeringSockets;
  readonly #parse: (bytes: Buffer) => void;
  readonly #onData = (bytes: Buffer) => this.#take(bytes);
  readonly #onDrain = () => this.#advance();
  #held: Buffer[] = [];
  #current: Current | null = null;
  #isWaiting = false;
  #isAdvancing = false;
  #isOver = false;

  /**
   * Takes the place of the listener by which Node's server reads the socket.
   * @param lingering of all connections of the listener.
   */
  constructor(socket: Socket, awaitTurn: (begin: () => void) => void, lingering: LingeringSockets) {
    const [parse, ...others] = socket.listeners("data");
    invariant(parse && others.length === 0, "Node's server reads a new connection by one listener.");
    this.#socket = socket;
    this.#awaitTurn = awaitTurn;
    this.#lingering = lingering;
    this.#parse = parse as (bytes: Buffer) => void;
    socket.off("data", this.#parse).on("data", this.#onData).on("drain", this.#onDrain);
    // Node gives the parser of a closed connection to another one, so nothing may be parsed from now on.
    socket.once("close", () => this.#end());
    const destroySoon = socket.destroySoon.bind(socket);
    // A socket that is destroyed while its client sends takes the answer with it.
    socket.destroySoon = () => (this.#current && !this.#current.request.complete ? this.hangUp() : destroySoon());
  }

  /** A request was parsed. @returns false when the one before it is not answered: the framing was read in two ways. */
  begin(request: IncomingMessage): boolean {
    if (this.#current) return false;
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    const bodyBytesLeft = coding === undefined ? Number(length ?? 0) : Number.POSITIVE_INFINITY;
    this.#current = { request, isAnswered: false, bodyBytesLeft, bytesThrownAway: 0 };
    return true;
  }

  /** The answer is sent. The rest of the request's body is discarded. */
  answered(): void {
    if (this.#current) this.#current.isAnswered = true;
    this.#advance();
  }

  /** Releases the socket to another protocol. @returns the bytes after the last request. */
  release(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#end();
    this.#socket.off("data", this.#onData).off("drain", this.#onDrain);
    return rest;
  }

  /** Reads no further, closes its own side, and leaves the client time to read the last answer. */
  hangUp(): void {
    this.#end();
    this.#lingering.add(this.#socket.pause().end());
  }

  #end(): void {
    this.#isOver = true;
    this.#held = [];
  }

  #take(bytes: Buffer): void {
    // Node resumes a socket whose body it throws away.
    if (this.#isOver) return void this.#socket.pause();
    this.#held.push(bytes);
    this.#advance();
  }

  #advance(): void {
    if (this.#isAdvancing || this.#isOver) return;
    this.#isAdvancing = true;
    let next: Next = "go on";
    for (let pieces = 0; next === "go on" && this.#held.length > 0; pieces += 1) {
      if (pieces === PIECES_MAX) {
        setImmediate(() => this.#advance());
        next = "wait";
      } else next = this.#passNext();
    }
    this.#isAdvancing = false;
    if (this.#isOver) return;
    if (next === "wait") this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #passNext(): Next {
    if (this.#current?.request.complete && this.#current.isAnswered) this.#current = null;
    if (!this.#current) return this.#passHead();
    return this.#current.request.complete ? "wait" : this.#passBody(this.#current);
  }

  #passHead(): Next {
    // Node pauses its parser when it meets a request while the client does not read its answers, so it is given none then.
    if (this.#isWaiting || this.#socket.writableNeedDrain || !this.#socket.writable) return "wait";
    const end = this.#headEnd();
    if (end === null) return hasBareLineEnds(this.#joined()) ? "need more" : this.#passPart();
    this.#isWaiting = true;
    this.#awaitTurn(() => {
      this.#isWaiting = false;
      if (!this.#isOver) this.#pass(this.#mended(end));
      this.#advance();
    });
    return this.#isWaiting ? "wait" : "go on";
  }

  /** @returns where the head ends now. */
  #mended(end: number): number {
    const bytes = this.#joined();
    if (!hasBareLineEnds(bytes.subarray(0, end))) return end;
    const head = withLineEnds(bytes.subarray(0, end));
    this.#held = [Buffer.concat([head, bytes.subarray(end)])];
    return head.length;
  }

  #passBody(current: Current): Next {
    if (current.bodyBytesLeft < Number.POSITIVE_INFINITY) {
      const bytes = Math.min(current.bodyBytesLeft, this.#held[0]?.length ?? 0);
      current.bodyBytesLeft -= bytes;
      return this.#pass(bytes);
    }
    // The end of the last chunk looks like the end of a head.
    const before = this.#heldBytes();
    const end = this.#headEnd();
    const next = end === null ? this.#passPart() : this.#pass(end);
    if (current.isAnswered) current.bytesThrownAway += before - this.#heldBytes();
    if (current.bytesThrownAway <= THROWN_AWAY_MAX) return next;
    this.hangUp();
    return "wait";
  }

  #heldBytes(): number {
    return this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  /** Everything but what may be the beginning of the end of a head. */
  #passPart(): Next {
    const bytes = this.#joined();
    return this.#pass(bytes.length - headEndBegun(bytes));
  }

  /** Where the first head of what is held ends; null when more has to come. */
  #headEnd(): number | null {
    const at = this.#joined().indexOf(HEAD_END);
    return at < 0 ? null : at + HEAD_END.length;
  }

  #joined(): Buffer {
    const [first, ...more] = this.#held;
    if (first && more.length === 0) return first;
    const all = Buffer.concat(this.#held);
    this.#held = [all];
    return all;
  }

  /** Hands so many of the first bytes to the parser. */
  #pass(bytes: number): Next {
    const first = this.#held[0];
    if (!first || bytes === 0) return "need more";
    if (bytes === first.length) this.#held.shift();
    else this.#held[0] = first.subarray(bytes);
    this.#parse(first.subarray(0, bytes));
    return "go on";
  }
}

/** Whether reading a body only to throw it away would cost more than a new connection does. */
export function isLongBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && Number(headers["content-length"] ?? 0) > THROWN_AWAY_MAX;
}

/** How many of the last bytes may belong to the end of a head. */
function headEndBegun(bytes: Buffer): number {
  for (let length = Math.min(HEAD_END.length - 1, bytes.length); length > 0; length -= 1) {
    if (HEAD_END.subarray(0, length).equals(bytes.subarray(bytes.length - length))) return length;
  }
  return 0;
}

const BEGIN = Buffer.from("POST /services HTTP/1.1\n");
/** No client of this kind sends a longer one. */
const HEAD_BYTES_MAX = 4096;

/**
 * One library subscribes to events with a head whose lines end with bare line feeds, all but the last. Node's parser refuses that, and
 * its lenient mode would loosen every request. So the head of this one request is written as it should be, before it is parsed as strictly
 * as all others.
 * Whether the bytes begin such a head, as far as they have come.
 */
function hasBareLineEnds(bytes: Buffer): boolean {
  return bytes.length <= HEAD_BYTES_MAX && bytes.subarray(0, BEGIN.length).equals(BEGIN);
}

/** @param head to its end, which is an empty line. */
function withLineEnds(head: Buffer): Buffer {
  return Buffer.from(head.toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
}
