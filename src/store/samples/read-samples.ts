/** Questions to the samples on disk. A part of a span that holds a whole chunk takes its summary; others are decoded. */

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Sample, SamplesQuery, SeriesPoint, SeriesQuery } from "../../home/history.ts";
import { decodeChunk, decodePiece, piecesOf, UNKNOWN } from "./chunk.ts";
import { SeriesParts } from "./series-parts.ts";

type Summary = {
  readonly id: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly count: number;
  readonly lo: number;
  readonly hi: number;
  readonly total: number;
  readonly area: number | null;
  readonly known_ms: number | null;
  readonly last: number;
  readonly uom: number;
  readonly prec: number;
};

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
  const { fromMs, toMs } = query;
  const series = findSeries(db, query);
  if (series === null) return [];
  const [before] = neighbor(db, series, fromMs, "before", isAny);
  const parts = new SeriesParts(query, before);
  const bodies = selectBody(db);
  for (const chunk of chunksWithin(db, series, fromMs, toMs - 1)) {
    pause();
    const { from_ms, to_ms, area, known_ms } = chunk;
    const whole = parts.wholeIn(from_ms, to_ms);
    if (whole !== null) {
      // A chunk of an earlier version has the plain mean only.
      const knownMs = known_ms ?? to_ms - from_ms;
      const weighted = { area: area ?? (chunk.total / chunk.count) * knownMs, knownMs };
      parts.add(whole, { ...chunk, ...weighted, fromMs: from_ms, lastMs: to_ms }, chunk);
      continue;
    }
    const body = readBody(bodies, chunk);
    for (const piece of piecesOf(body, area !== null)) {
      if (piece.lastMs < fromMs || piece.fromMs >= toMs) continue;
      const part = piece.area === null ? null : parts.wholeIn(piece.fromMs, piece.lastMs);
      if (part === null) parts.addEach(decodePiece(body, piece), chunk);
      else parts.add(part, { ...piece, area: piece.area ?? 0, knownMs: piece.lastMs - piece.fromMs }, chunk);
    }
  }
  for (const { atMs, value, ...unit } of newestOf(db, series).toSorted(byTime))
    parts.addEach({ times: Float64Array.of(atMs), values: Float64Array.of(value) }, unit);
  return parts.points(pause);
}

function samplesWithin(db: DatabaseSync, query: SamplesQuery): readonly Sample[] {
  const { fromMs, toMs, isDescending, limit } = query;
  const series = findSeries(db, query);
  if (series === null) return [];
  const inSpan: Sample[] = [];
  const bodies = selectBody(db);
  const chunks = [...chunksWithin(db, series, fromMs, toMs)];
  const isShown = (sample: Sample) => sample.atMs >= fromMs && sample.atMs <= toMs && isKnown(sample);
  const rows = newestOf(db, series).filter(isShown);
  if (isDescending) inSpan.push(...rows);
  for (const chunk of isDescending ? chunks.reverse() : chunks) {
    if (inSpan.length >= limit && isDescending) break;
    inSpan.push(...samplesOf(bodies, chunk).filter(isShown));
    if (inSpan.length >= limit) break;
  }
  if (!isDescending && inSpan.length < limit) inSpan.push(...rows);
  const inOrder = inSpan
    .sort((one, other) => (isDescending ? other.atMs - one.atMs : one.atMs - other.atMs))
    .slice(0, limit);
  const before = query.oneBefore ? neighbor(db, series, fromMs, "before", isKnown) : [];
  const after = query.oneAfter ? neighbor(db, series, toMs, "after", isKnown) : [];
  return isDescending ? [...after, ...inOrder, ...before] : [...before, ...inOrder, ...after];
}

function findSeries(db: DatabaseSync, { address, property }: { address: string; property: string }): number | null {
  const row = db.prepare("SELECT id FROM series WHERE address = ? AND property = ?").get(address, property);
  return (row as { id: number } | undefined)?.id ?? null;
}

const SUMMARY =
  "SELECT id, from_ms, to_ms, count, lo, hi, total, last, uom, prec, area, known_ms FROM chunks LEFT JOIN areas USING (id) WHERE series = ?";

const isAny = () => true;
const isKnown = ({ value }: Sample) => value !== UNKNOWN;
const byTime = (one: Sample, other: Sample) => one.atMs - other.atMs;

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
function neighbor(
  db: DatabaseSync,
  series: number,
  atMs: number,
  side: "before" | "after",
  isWanted: (sample: Sample) => boolean,
): readonly Sample[] {
  const [condition, order] = side === "before" ? ["from_ms < ?", "DESC"] : ["to_ms > ?", "ASC"];
  const chunk = db.prepare(`${SUMMARY} AND ${condition} ORDER BY from_ms ${order} LIMIT 1`).get(series, atMs);
  const found = chunk ? samplesOf(selectBody(db), chunk as Summary) : [];
  const all = [...found, ...newestOf(db, series)].filter(isWanted).sort(byTime);
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
