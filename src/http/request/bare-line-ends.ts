/**
 * One library subscribes to events with a head whose lines end with bare line feeds, all but the last. Node's parser refuses that, and
 * its lenient mode would loosen every request. So the head of this one request is written as it should be, before it is parsed as strictly
 * as all others.
 */

const BEGIN = Buffer.from("POST /services HTTP/1.1\n");
/** No client of this kind sends a longer one. */
const HEAD_BYTES_MAX = 4096;

/** Whether the bytes begin such a head, as far as they have come. */
export function hasBareLineEnds(bytes: Buffer): boolean {
  return bytes.length <= HEAD_BYTES_MAX && bytes.subarray(0, BEGIN.length).equals(BEGIN);
}

/** @param head to its end, which is an empty line. */
export function withLineEnds(head: Buffer): Buffer {
  return Buffer.from(head.toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
}
