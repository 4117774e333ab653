/**
 * Samples of one property, compressed: times as differences of differences, values as differences, both as variable-length
 * integers. Devices that report in a rhythm take about one byte for the time. A chunk is a row of pieces, each with a summary
 * and readable by itself, so that a chart decodes only the pieces that lie on the boundary of two of its points.
 *
 * A sample is a value from its time on, or `UNKNOWN`: from then on the value was not known.
 */

export type ChunkSamples = { readonly times: Float64Array; readonly values: Float64Array };

/** A part of a chunk, with its summary; `at`: where its samples begin. */
type Piece = {
  readonly fromMs: number;
  /** The latest time. */
  readonly lastMs: number;
  readonly lo: number;
  readonly hi: number;
  /** See `Weighted`; null when a value in it is unknown: then only its samples say it. */
  readonly area: number | null;
  readonly last: number;
  readonly count: number;
  readonly at: number;
};

/** `area`: each known value times the milliseconds that it held, up to the last sample. `knownMs`: the sum of these. */
export type Weighted = { readonly area: number; readonly knownMs: number };

/** Not finite, so that it is no value; a database takes it as a number. */
export const UNKNOWN = Number.POSITIVE_INFINITY;

/** A chart of a year opens most chunks, so fewer and larger ones are faster. */
export const CHUNK_SAMPLES = 1024;
const PIECE_SAMPLES = 64;
/** Six numbers of eight bytes, the count, and the length. */
const HEAD_BYTES = 6 * 8 + 2 + 2;
const AREA_BYTES = 8;

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
  const pieces = piecesOf(bytes, false);
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

/** @param hasAreas whether its pieces end with their areas. Chunks of earlier versions have the plain mean only. */
export function piecesOf(bytes: Uint8Array, hasAreas: boolean): readonly Piece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (at: number) => view.getFloat64(at, true);
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [fromMs, lastMs, lo, hi] = [number(at), number(at + 8), number(at + 16), number(at + 24)];
    const [total, last] = [number(at + 32), number(at + 40)];
    const [count, length] = [view.getUint16(at + 48, true), view.getUint16(at + 50, true)];
    const end = at + HEAD_BYTES + length;
    const area = hasAreas ? number(end - AREA_BYTES) : (total / count) * (lastMs - fromMs);
    pieces.push({ fromMs, lastMs, lo, hi, area: Number.isNaN(area) ? null : area, last, count, at: at + HEAD_BYTES });
    at = end;
  }
  return pieces;
}

/** While times go back no value held. */
export function weigh({ times, values }: ChunkSamples): Weighted {
  let [area, knownMs] = [0, 0];
  for (let at = 1; at < times.length; at += 1) {
    const heldMs = (times[at] ?? 0) - (times[at - 1] ?? 0);
    const value = values[at - 1] ?? 0;
    if (value === UNKNOWN || heldMs <= 0) continue;
    area += value * heldMs;
    knownMs += heldMs;
  }
  return { area, knownMs };
}

function encodePiece({ times, values }: ChunkSamples): Buffer {
  const count = times.length;
  const isPlain = !values.every((value, at) => isWhole(value) && isWhole(value - (values[at - 1] ?? 0)));
  const valueBytes = count * (VARINT_BYTES_MAX + (isPlain ? 8 : VARINT_BYTES_MAX));
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + 1 + valueBytes + AREA_BYTES);
  const known = values.filter((value) => value !== UNKNOWN);
  const total = known.reduce((sum, value) => sum + value, 0);
  const head = [Math.min(...times), Math.max(...times), Math.min(...known), Math.max(...known), total];
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
  at = bytes.writeDoubleLE(known.length < count ? Number.NaN : weigh({ times, values }).area, at);
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
