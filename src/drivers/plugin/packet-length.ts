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

/** The connection as the broker reads it. It ends with an error at the beginning of a packet that is longer. */
export function guardedConnection(socket: TLSSocket, bytesMax: number): Duplex {
  const longest = packetReader();
  const guard = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (longest(chunk) <= bytesMax) done(null, chunk);
      else done(new MessageTooLong(bytesMax));
    },
  });
  return Duplex.from({ readable: socket.pipe(guard), writable: socket });
}

/** @returns a function that gives for each chunk the length of the longest packet that begins in it; Infinity for one whose length has no end. */
export function packetReader(): (chunk: Buffer) => number {
  let rest = 0;
  let length = 0;
  /** Bytes of the length that were read; -1: the next byte is a packet's first. */
  let read = -1;
  return (chunk) => {
    let longest = 0;
    for (let at = 0; at < chunk.length; ) {
      if (rest > 0) {
        const taken = Math.min(rest, chunk.length - at);
        rest -= taken;
        at += taken;
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
      if ((byte & CONTINUES) !== 0 && read >= LENGTH_BYTES_MAX) return Number.POSITIVE_INFINITY;
      if ((byte & CONTINUES) !== 0) continue;
      longest = Math.max(longest, length);
      [rest, read] = [length, -1];
    }
    return longest;
  };
}
