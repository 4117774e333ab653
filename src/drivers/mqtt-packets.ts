/** Where MQTT packets begin and how long they are, before they are collected in memory. */

const CONTINUES = 0x80;
const LENGTH_BITS = 7;
const LENGTH_BYTES_MAX = 4;

type Packets = {
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
