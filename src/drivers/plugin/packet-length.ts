/** MQTT packets say at their beginning how long they are: the connection ends before a too long one is collected in memory. */

import { Duplex, Transform } from "node:stream";
import type { TLSSocket } from "node:tls";

const CONTINUES = 0x80;
const LENGTH_BITS = 7;
const LENGTH_BYTES_MAX = 4;

export class MessageTooLong extends Error {
  constructor(bytesMax: number) {
    super(`The plugin sent a message that is longer than ${bytesMax} bytes (pluginMessageBytesMax).`);
  }
}

export type GuardedConnection = {
  readonly stream: Duplex;
  /** Passes on what came behind the login. */
  admit(): void;
};

/**
 * The connection as the broker reads it. It ends with an error at the beginning of a packet that is longer. A client need not wait for
 * the answer to its login: what it sends before is held back, because the broker would take it for one without a login.
 */
export function guardedConnection(socket: TLSSocket, bytesMax: number): GuardedConnection {
  const packets = packetReader();
  let admit = (): void => {};
  let admitted: Promise<void> | null = new Promise((resolve) => {
    admit = () => {
      admitted = null;
      resolve();
    };
  });
  const guard = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const { longest, firstEnd } = packets(chunk);
      if (longest > bytesMax) return done(new MessageTooLong(bytesMax));
      if (!admitted || firstEnd === chunk.length) return done(null, chunk);
      if (firstEnd > 0) this.push(chunk.subarray(0, firstEnd));
      void admitted.then(() => done(null, chunk.subarray(firstEnd)));
    },
  });
  return { stream: Duplex.from({ readable: socket.pipe(guard), writable: socket }), admit };
}

export type Packets = {
  /** Length of the longest packet that begins in the chunk; Infinity for one whose length has no end. */
  readonly longest: number;
  /** Where in the chunk the connection's first packet ends; 0 behind it, the chunk's length before. */
  readonly firstEnd: number;
};

/** @returns a function that reads the chunks of a connection in their order. */
export function packetReader(): (chunk: Buffer) => Packets {
  let rest = 0;
  let length = 0;
  /** Bytes of the length that were read; -1: the next byte is a packet's first. */
  let read = -1;
  let isFirst = true;
  return (chunk) => {
    let longest = 0;
    let firstEnd = isFirst ? chunk.length : 0;
    const endPacket = (at: number) => {
      if (isFirst) firstEnd = at;
      isFirst = false;
    };
    for (let at = 0; at < chunk.length; ) {
      if (rest > 0) {
        const taken = Math.min(rest, chunk.length - at);
        rest -= taken;
        at += taken;
        if (rest === 0) endPacket(at);
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (read < 0) {
        [read, length] = [0, 0];
        continue;
      }
      length += (byte & (CONTINUES - 1)) * 2 ** (LENGTH_BITS * read);
      read += 1;
      if ((byte & CONTINUES) !== 0 && read >= LENGTH_BYTES_MAX) return { longest: Number.POSITIVE_INFINITY, firstEnd };
      if ((byte & CONTINUES) !== 0) continue;
      longest = Math.max(longest, length);
      [rest, read] = [length, -1];
      if (rest === 0) endPacket(at);
    }
    return { longest, firstEnd };
  };
}
