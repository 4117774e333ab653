/**
 * Samples of one property, compressed: times as differences of differences, values as differences, both as variable-length
 * integers. Devices that report in a rhythm take about one byte for the time.
 */

export type ChunkSamples = { readonly times: Float64Array; readonly values: Float64Array };

export const CHUNK_SAMPLES = 512;

const DELTAS = 0;
const PLAIN = 1;
/** Twice this is still exact. */
const WHOLE_MAX = 2 ** 52;
const VARINT_BYTES_MAX = 8;

/** @param times whole milliseconds. */
export function encodeChunk({ times, values }: ChunkSamples): Buffer {
  const count = times.length;
  const isPlain = !values.every((value, at) => isWhole(value) && isWhole(value - (values[at - 1] ?? 0)));
  const bytes = Buffer.allocUnsafe(1 + count * (VARINT_BYTES_MAX + (isPlain ? 8 : VARINT_BYTES_MAX)));
  bytes[0] = isPlain ? PLAIN : DELTAS;
  let at = 1;
  let time = 0;
  let step = 0;
  for (const next of times) {
    at = writeVarint(bytes, at, next - time - step);
    step = next - time;
    time = next;
  }
  let value = 0;
  for (const next of values) {
    at = isPlain ? bytes.writeDoubleLE(next, at) : writeVarint(bytes, at, next - value);
    value = next;
  }
  return Buffer.from(bytes.subarray(0, at));
}

export function decodeChunk(bytes: Uint8Array, count: number): ChunkSamples {
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  const place = { at: 1 };
  let time = 0;
  let step = 0;
  for (let index = 0; index < count; index += 1) {
    step += readVarint(bytes, place);
    time += step;
    times[index] = time;
  }
  const isPlain = bytes[0] === PLAIN;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let value = 0;
  for (let index = 0; index < count; index += 1) {
    if (isPlain) {
      value = view.getFloat64(place.at, true);
      place.at += 8;
    } else value += readVarint(bytes, place);
    values[index] = value;
  }
  return { times, values };
}

/** And so small that its zigzag form is exact. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < WHOLE_MAX;
}

/** Zigzag: small numbers of either sign are short. */
function writeVarint(bytes: Uint8Array, from: number, value: number): number {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let at = from;
  while (rest >= 128) {
    bytes[at] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
}

function readVarint(bytes: Uint8Array, place: { at: number }): number {
  let at = place.at;
  let byte = bytes[at++] ?? 0;
  let small = byte & 127;
  let shift = 7;
  // Four bytes fit the operations on bits, which are several times faster.
  while (byte >= 128 && shift < 28) {
    byte = bytes[at++] ?? 0;
    small |= (byte & 127) << shift;
    shift += 7;
  }
  if (byte < 128) {
    place.at = at;
    return (small >>> 1) ^ -(small & 1);
  }
  let value = small;
  let scale = 2 ** 28;
  while (byte >= 128) {
    byte = bytes[at++] ?? 0;
    value += (byte & 127) * scale;
    scale *= 128;
  }
  place.at = at;
  return value % 2 === 1 ? -((value + 1) / 2) : value / 2;
}
