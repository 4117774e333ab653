/**
 * Samples of one property, compressed: times as differences of differences, values as differences, both as variable-length
 * integers. Devices that report in a rhythm take about one byte for the time. A chunk is a row of pieces, each with a summary
 * and readable by itself, so that a chart decodes only the pieces that lie on the boundary of two of its points.
 */

export type ChunkSamples = { readonly times: Float64Array; readonly values: Float64Array };

/** A part of a chunk, with its summary; `at`: where its samples begin. */
type Piece = {
  readonly fromMs: number;
  /** The latest time. */
  readonly lastMs: number;
  readonly lo: number;
  readonly hi: number;
  readonly total: number;
  readonly last: number;
  readonly count: number;
  readonly at: number;
};

/** A chart of a year opens most chunks, so fewer and larger ones are faster. */
export const CHUNK_SAMPLES = 1024;
const PIECE_SAMPLES = 64;
/** Six numbers of eight bytes, the count, and the length. */
const HEAD_BYTES = 6 * 8 + 2 + 2;

const DELTAS = 0;
const PLAIN = 1;
/** Twice this is still exact. */
const WHOLE_MAX = 2 ** 52;
const VARINT_BYTES_MAX = 8;

/** @param times whole milliseconds. */
export function encodeChunk({ times, values }: ChunkSamples): Buffer {
  const pieces: Buffer[] = [];
  for (let from = 0; from < times.length; from += PIECE_SAMPLES) {
    const to = from + PIECE_SAMPLES;
    pieces.push(encodePiece({ times: times.subarray(from, to), values: values.subarray(from, to) }));
  }
  return Buffer.concat(pieces);
}

export function decodeChunk(bytes: Uint8Array): ChunkSamples {
  const pieces = piecesOf(bytes);
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  const [times, values] = [new Float64Array(count), new Float64Array(count)];
  let from = 0;
  for (const piece of pieces) {
    const samples = decodePiece(bytes, piece);
    times.set(samples.times, from);
    values.set(samples.values, from);
    from += piece.count;
  }
  return { times, values };
}

export function piecesOf(bytes: Uint8Array): readonly Piece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (at: number) => view.getFloat64(at, true);
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [fromMs, lastMs, lo, hi] = [number(at), number(at + 8), number(at + 16), number(at + 24)];
    const [total, last] = [number(at + 32), number(at + 40)];
    const [count, length] = [view.getUint16(at + 48, true), view.getUint16(at + 50, true)];
    pieces.push({ fromMs, lastMs, lo, hi, total, last, count, at: at + HEAD_BYTES });
    at += HEAD_BYTES + length;
  }
  return pieces;
}

function encodePiece({ times, values }: ChunkSamples): Buffer {
  const count = times.length;
  const isPlain = !values.every((value, at) => isWhole(value) && isWhole(value - (values[at - 1] ?? 0)));
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + 1 + count * (VARINT_BYTES_MAX + (isPlain ? 8 : VARINT_BYTES_MAX)));
  const total = values.reduce((sum, value) => sum + value, 0);
  const head = [Math.min(...times), Math.max(...times), Math.min(...values), Math.max(...values), total];
  for (const [at, number] of [...head, values.at(-1) ?? 0].entries()) bytes.writeDoubleLE(number, at * 8);
  bytes[HEAD_BYTES] = isPlain ? PLAIN : DELTAS;
  let at = HEAD_BYTES + 1;
  let time = head[0] ?? 0;
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
  bytes.writeUInt16LE(count, HEAD_BYTES - 4);
  bytes.writeUInt16LE(at - HEAD_BYTES, HEAD_BYTES - 2);
  return Buffer.from(bytes.subarray(0, at));
}

export function decodePiece(bytes: Uint8Array, { at, count, fromMs }: Piece): ChunkSamples {
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  const place = { at: at + 1 };
  let time = fromMs;
  let step = 0;
  for (let index = 0; index < count; index += 1) {
    step += readVarint(bytes, place);
    time += step;
    times[index] = time;
  }
  const isPlain = bytes[at] === PLAIN;
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

/** The number must be small enough that its zigzag form is exact. */
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
