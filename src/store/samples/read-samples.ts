/** Questions to the samples on disk. A part of a span that holds a whole chunk takes its summary; others are decoded. */

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Sample, SamplesQuery, SeriesPoint, SeriesQuery } from "../../home/history.ts";
import { type ChunkSamples, decodeChunk, decodePiece, piecesOf } from "./chunk.ts";

type Summary = {
  readonly id: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly count: number;
  readonly lo: number;
  readonly hi: number;
  readonly total: number;
  readonly last: number;
  readonly uom: number;
  readonly prec: number;
};

/** `lastMs`: time of `last`. */
type Totals = Readonly<Pick<Part, "count" | "lo" | "hi" | "total" | "last" | "lastMs">>;
type Part = {
  count: number;
  lo: number;
  hi: number;
  total: number;
  last: number;
  lastMs: number;
  uom: number;
  prec: number;
};
type Unit = { readonly uom: number; readonly prec: number };

/** @param pause called often, so that a thread may let others go first. */
export function readSeries(db: DatabaseSync, query: SeriesQuery, pause = () => {}): readonly SeriesPoint[] {
  return inOneTransaction(db, () => seriesPoints(db, query, pause));
}

/** In the order of their times; `limit` counts without the neighbors of the span. */
export function readSamples(db: DatabaseSync, query: SamplesQuery): readonly Sample[] {
  return inOneTransaction(db, () => samplesWithin(db, query));
}

/** Otherwise samples that the writer moves from rows to a chunk meanwhile are in neither. */
function inOneTransaction<T>(db: DatabaseSync, read: () => T): T {
  db.exec("BEGIN");
  try {
    return read();
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}

function seriesPoints(db: DatabaseSync, query: SeriesQuery, pause: () => void): readonly SeriesPoint[] {
  const { fromMs, toMs, points } = query;
  const parts = new Map<number, Part>();
  const width = (toMs - fromMs) / points;
  const partAt = (atMs: number) => Math.min(points - 1, Math.floor((atMs - fromMs) / width));
  const series = findSeries(db, query);
  if (series === null) return [];
  const bodies = selectBody(db);
  /** The one part that all of it lies in, or null. */
  const wholeIn = (beginMs: number, endMs: number) =>
    beginMs >= fromMs && endMs < toMs && partAt(beginMs) === partAt(endMs) ? partAt(beginMs) : null;
  for (const chunk of chunksWithin(db, series, fromMs, toMs - 1)) {
    pause();
    const whole = wholeIn(chunk.from_ms, chunk.to_ms);
    if (whole !== null) {
      merge(parts, whole, { ...chunk, lastMs: chunk.to_ms }, chunk);
      continue;
    }
    const body = readBody(bodies, chunk);
    for (const piece of piecesOf(body)) {
      if (piece.lastMs < fromMs || piece.fromMs >= toMs) continue;
      const part = wholeIn(piece.fromMs, piece.lastMs);
      if (part !== null) merge(parts, part, piece, chunk);
      else takeEach(parts, partAt, decodePiece(body, piece), chunk, query);
    }
  }
  for (const row of newestOf(db, series)) {
    if (row.atMs < fromMs || row.atMs >= toMs) continue;
    merge(parts, partAt(row.atMs), ofSample(row.atMs, row.value, row), row);
  }
  return [...parts]
    .sort(([one], [other]) => one - other)
    .map(([at, { count, lo, hi, total, last, uom, prec }]) => {
      pause();
      return {
        time: new Date(fromMs + at * width).toISOString(),
        count,
        min: lo,
        max: hi,
        mean: total / count,
        last,
        uom,
        prec,
      };
    });
}

function samplesWithin(db: DatabaseSync, query: SamplesQuery): readonly Sample[] {
  const { fromMs, toMs, isDescending, limit } = query;
  const series = findSeries(db, query);
  if (series === null) return [];
  const inSpan: Sample[] = [];
  const bodies = selectBody(db);
  const chunks = [...chunksWithin(db, series, fromMs, toMs)];
  const rows = newestOf(db, series).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  if (isDescending) inSpan.push(...rows);
  for (const chunk of isDescending ? chunks.reverse() : chunks) {
    if (inSpan.length >= limit && isDescending) break;
    inSpan.push(...samplesOf(bodies, chunk).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs));
    if (inSpan.length >= limit) break;
  }
  if (!isDescending && inSpan.length < limit) inSpan.push(...rows);
  const inOrder = inSpan
    .sort((one, other) => (isDescending ? other.atMs - one.atMs : one.atMs - other.atMs))
    .slice(0, limit);
  const before = query.oneBefore ? neighbor(db, series, fromMs, "before") : [];
  const after = query.oneAfter ? neighbor(db, series, toMs, "after") : [];
  return isDescending ? [...after, ...inOrder, ...before] : [...before, ...inOrder, ...after];
}

function findSeries(db: DatabaseSync, { address, property }: { address: string; property: string }): number | null {
  const row = db.prepare("SELECT id FROM series WHERE address = ? AND property = ?").get(address, property);
  return (row as { id: number } | undefined)?.id ?? null;
}

const SUMMARY = "SELECT id, from_ms, to_ms, count, lo, hi, total, last, uom, prec FROM chunks WHERE series = ?";

/** Chunks that may hold a sample of the span, in the order of their first times. */
function* chunksWithin(db: DatabaseSync, series: number, fromMs: number, toMs: number): Iterable<Summary> {
  const select = db.prepare(`${SUMMARY} AND from_ms <= ? AND to_ms >= ? ORDER BY from_ms`);
  yield* select.iterate(series, toMs, fromMs) as unknown as Iterable<Summary>;
}

function newestOf(db: DatabaseSync, series: number): readonly Sample[] {
  const select = db.prepare("SELECT at_ms AS atMs, value, uom, prec FROM newest WHERE series = ? ORDER BY seq");
  return select.all(series) as unknown as readonly Sample[];
}

/** The last sample before an instant, or the first one after it. */
function neighbor(db: DatabaseSync, series: number, atMs: number, side: "before" | "after"): readonly Sample[] {
  const [condition, order] = side === "before" ? ["from_ms < ?", "DESC"] : ["to_ms > ?", "ASC"];
  const chunk = db.prepare(`${SUMMARY} AND ${condition} ORDER BY from_ms ${order} LIMIT 1`).get(series, atMs);
  const found = chunk ? samplesOf(selectBody(db), chunk as Summary) : [];
  const all = [...found, ...newestOf(db, series)].sort((one, other) => one.atMs - other.atMs);
  const sample = side === "before" ? all.findLast((each) => each.atMs < atMs) : all.find((each) => each.atMs > atMs);
  return sample ? [sample] : [];
}

function samplesOf(bodies: Statement, chunk: Summary): readonly Sample[] {
  const { times, values } = decodeChunk(readBody(bodies, chunk));
  return Array.from(times, (atMs, at) => ({ atMs, value: values[at] ?? 0, uom: chunk.uom, prec: chunk.prec }));
}

type Statement = ReturnType<DatabaseSync["prepare"]>;

function selectBody(db: DatabaseSync): Statement {
  return db.prepare("SELECT body, sum FROM bodies WHERE id = ?");
}

/** Empty for a damaged body; in charts its summary is often enough. */
function readBody(bodies: Statement, { id }: Summary): Uint8Array {
  const row = bodies.get(id) as { body: Uint8Array; sum: number } | undefined;
  return row && crc32(row.body) === row.sum ? row.body : new Uint8Array(0);
}

/** The samples of a piece, each into its part. Most follow one of the same part. */
function takeEach(
  parts: Map<number, Part>,
  partAt: (atMs: number) => number,
  { times, values }: ChunkSamples,
  unit: Unit,
  { fromMs, toMs, points }: SeriesQuery,
): void {
  const width = (toMs - fromMs) / points;
  let run: Part | null = null;
  let at = -1;
  let [beginMs, endMs] = [0, 0];
  for (let index = 0; index < times.length; index += 1) {
    const atMs = times[index] ?? 0;
    const value = values[index] ?? 0;
    if (atMs < fromMs || atMs >= toMs) continue;
    if (run && atMs >= beginMs && atMs < endMs) {
      run.count += 1;
      run.total += value;
      if (value < run.lo) run.lo = value;
      if (value > run.hi) run.hi = value;
      if (atMs >= run.lastMs) {
        run.last = value;
        run.lastMs = atMs;
      }
      continue;
    }
    if (run) merge(parts, at, run, unit);
    at = partAt(atMs);
    // A millisecond less at either end, so that rounding decides as it does for a sample alone.
    [beginMs, endMs] = [fromMs + at * width + 1, fromMs + (at + 1) * width - 1];
    run = ofSample(atMs, value, unit);
  }
  if (run) merge(parts, at, run, unit);
}

function ofSample(atMs: number, value: number, { uom, prec }: Unit): Part {
  return { count: 1, lo: value, hi: value, total: value, last: value, lastMs: atMs, uom, prec };
}

/** When the unit changes only the later values count, because different units cannot be added. */
function merge(parts: Map<number, Part>, at: number, more: Totals, { uom, prec }: Unit): void {
  const part = parts.get(at);
  if (!part || part.uom !== uom || part.prec !== prec) {
    const { count, lo, hi, total, last, lastMs } = more;
    if (!part || lastMs >= part.lastMs) parts.set(at, { count, lo, hi, total, last, lastMs, uom, prec });
    return;
  }
  part.count += more.count;
  if (more.lo < part.lo) part.lo = more.lo;
  if (more.hi > part.hi) part.hi = more.hi;
  part.total += more.total;
  if (more.lastMs >= part.lastMs) {
    part.last = more.last;
    part.lastMs = more.lastMs;
  }
}
