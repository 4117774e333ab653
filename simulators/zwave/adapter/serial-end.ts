/**
 * The host's end of the adapter's serial line. Bytes come in any pieces and leave in whole frames, because a network between
 * host and adapter keeps no borders; one host at a time has the line.
 */

import type { SerialLine } from "../mocks.ts";

const START = 0x01;

/** The present client of the line: receives the adapter's bytes, and is notified of the end. */
export type Host = { hear(bytes: Uint8Array): void; cut(): void };

export type Connection = { write(bytes: Uint8Array): void; close(): void };

export class SerialEnd {
  readonly #line: SerialLine;
  #host: Host | null = null;
  /** false: the adapter is not in its socket. */
  isPlugged = true;

  constructor(line: SerialLine) {
    this.#line = line;
    line.listen((bytes) => this.#host?.hear(bytes));
  }

  /** Disconnects the previous client. @throws Error while the adapter is unplugged. */
  open(host: Host): Connection {
    if (!this.isPlugged) throw new Error("The adapter is not plugged in.");
    this.#host?.cut();
    this.#host = host;
    const framer = new Framer((frame) => void this.#line.write(frame).catch(() => {}));
    return {
      write: (bytes) => {
        if (this.#host === host) framer.push(bytes);
      },
      close: () => {
        if (this.#host === host) this.#host = null;
      },
    };
  }

  unplug(): void {
    this.isPlugged = false;
    const host = this.#host;
    this.#host = null;
    host?.cut();
  }
}

/**
 * Finds the frames in a stream of bytes: a start byte, a length, that many bytes. All other bytes are frames of one
 * byte.
 */
class Framer {
  readonly #tell: (frame: Uint8Array) => void;
  #rest: Uint8Array = new Uint8Array();

  constructor(tell: (frame: Uint8Array) => void) {
    this.#tell = tell;
  }

  push(bytes: Uint8Array): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let size = this.#frameSize(); size > 0; size = this.#frameSize()) {
      this.#tell(this.#rest.slice(0, size));
      this.#rest = this.#rest.subarray(size);
    }
  }

  /** 0 while the first frame is not whole. */
  #frameSize(): number {
    const [first, length] = this.#rest;
    if (first === undefined) return 0;
    if (first !== START) return 1;
    const size = length === undefined ? Number.POSITIVE_INFINITY : length + 2;
    return size <= this.#rest.length ? size : 0;
  }
}
