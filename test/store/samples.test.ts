/** Property values on disk: chunks lose nothing, and charts agree with single samples. */

import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Sample, SeriesPoint, SeriesQuery } from "../../src/home/history.ts";
import { CHUNK_SAMPLES, decodeChunk, encodeChunk, piecesOf, UNKNOWN } from "../../src/store/samples/chunk.ts";
import { readSamples, readSeries } from "../../src/store/samples/read-samples.ts";
import { type JournalSample, SamplesFile } from "../../src/store/samples/samples-file.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, nodeAdded, openHome, START_MS, stateReported, temporaryDirectory } from "../support/test-store.ts";

const LIMITS = { ageMsMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };
const MINUTE_MS = 60_000;
const CHUNKS_A_STEP = 64;
const sample = (seq: number, value: number | null, more: Partial<JournalSample> = {}): JournalSample => ({
  seq,
  address: "lamp",
  property: "ST",
  atMs: START_MS + MINUTE_MS * seq,
  value,
  uom: 51,
  prec: 0,
  ...more,
});

function write(
  samples: readonly JournalSample[],
  limits = LIMITS,
): { readonly path: string; readonly db: DatabaseSync } {
  const path = join(temporaryDirectory(), "samples.sqlite");
  const file = new SamplesFile(path, limits);
  for (let at = 0; at < samples.length; at += 100) {
    const some = samples.slice(at, at + 100);
    file.append(some, some.at(-1)?.seq ?? 0, some.at(-1)?.atMs ?? 0);
  }
  file.close();
  return { path, db: new DatabaseSync(path, { readOnly: true }) };
}

const SPAN = {
  address: "lamp",
  property: "ST",
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
  isDescending: false,
  limit: 100_000,
  oneBefore: false,
  oneAfter: false,
  nowMs: Number.MAX_SAFE_INTEGER,
};

test("a chunk gives back every time and every value", () => {
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const value = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(UNKNOWN),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(time, value), { minLength: 1, maxLength: CHUNK_SAMPLES }), (pairs) => {
      const times = Float64Array.from(pairs, ([atMs]) => atMs);
      const values = Float64Array.from(pairs, ([, number]) => (Object.is(number, -0) ? 0 : number));
      const decoded = decodeChunk(encodeChunk({ times, values }));
      expect([...decoded.times]).toEqual([...times]);
      expect([...decoded.values]).toEqual([...values]);
    }),
  );
});

test("the summary of every piece of a chunk is that of its samples", () => {
  const times = Float64Array.from({ length: 300 }, (_, at) => START_MS + at * MINUTE_MS);
  const values = times.map((_, at) => ((at * 37) % 101) - 50);
  let from = 0;
  for (const { count, at: _, ...summary } of piecesOf(encodeChunk({ times, values }), true)) {
    const [some, when] = [[...values.slice(from, from + count)], times.slice(from, from + count)];
    const area = some.slice(0, -1).reduce((sum, value) => sum + value * MINUTE_MS, 0);
    const extremes = { lo: Math.min(...some), hi: Math.max(...some) };
    expect(summary).toEqual({ fromMs: when[0], lastMs: when.at(-1), ...extremes, area, last: some.at(-1) });
    from += count;
  }
  expect(from).toBe(times.length);
});

test("a device that reports every minute costs three bytes a sample at most", () => {
  const times = Float64Array.from({ length: CHUNK_SAMPLES }, (_, at) => START_MS + MINUTE_MS * at);
  const values = Float64Array.from({ length: CHUNK_SAMPLES }, (_, at) => 200 + Math.round(20 * Math.sin(at / 30)));
  expect(encodeChunk({ times, values }).length / CHUNK_SAMPLES).toBeLessThanOrEqual(3);
});

/** The same worked out of all samples one by one: each holds from its time to the next one, or to the end of all. */
function seriesOf(samples: readonly JournalSample[], { fromMs, toMs, points, nowMs }: SeriesQuery) {
  const begin = (part: number) => (part === points ? toMs : Math.floor(fromMs + (part * (toMs - fromMs)) / points));
  const firstMs = samples.find(({ value }) => value !== null)?.atMs ?? Number.POSITIVE_INFINITY;
  const held = samples.map((one, at) => ({ ...one, endMs: samples[at + 1]?.atMs ?? nowMs }));
  return Array.from({ length: points }, (_, part) => part).flatMap((part): readonly SeriesPoint[] => {
    if (begin(part + 1) <= firstMs || begin(part) >= nowMs) return [];
    const within = held.flatMap(({ atMs, endMs, ...one }) => {
      const [first, last] = [Math.max(atMs, begin(part)), Math.min(endMs, begin(part + 1), nowMs)];
      const isReported = atMs >= begin(part) && atMs < begin(part + 1);
      return first < last || isReported ? [{ ...one, isReported, ms: Math.max(0, last - first) }] : [];
    });
    const known = within.filter(({ value }) => value !== null);
    const values = known.map(({ value }) => Number(value));
    const knownMs = known.reduce((sum, { ms }) => sum + ms, 0);
    const area = known.reduce((sum, { value, ms }) => sum + Number(value) * ms, 0);
    const extremes = values.length === 0 ? null : { min: Math.min(...values), max: Math.max(...values) };
    return [
      {
        time: new Date(begin(part)).toISOString(),
        count: known.filter(({ isReported }) => isReported).length,
        ...(extremes ?? { min: null, max: null }),
        mean: knownMs > 0 ? area / knownMs : (values.at(-1) ?? null),
        last: within.at(-1)?.value ?? null,
        uom: 51,
        prec: 0,
      },
    ];
  });
}

const rounded = (series: readonly SeriesPoint[]) => series.map((each) => ({ ...each, mean: each.mean?.toFixed(6) }));

describe("samples on disk", () => {
  const many = Array.from({ length: 3 * CHUNK_SAMPLES + 100 }, (_, at) => sample(at + 1, (at * 37) % 101));

  test("are all in a chart that is made while the writer packs the newest", () => {
    const { db, path } = write(many);
    const more = Array.from({ length: CHUNK_SAMPLES }, (_, at) => sample(many.length + at + 1, 1));
    const writer = new SamplesFile(path, LIMITS);
    let isPacked = false;
    const packOnce = () => {
      if (!isPacked) writer.append(more, many.length + more.length, 0);
      isPacked = true;
    };
    const toMs = START_MS + (many.length + 1) * MINUTE_MS;
    const points = readSeries(db, { ...SPAN, fromMs: START_MS, toMs, points: 10 }, packOnce);
    expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(many.length);
    writer.close();
    db.close();
  });

  test("are read back in order, from chunks and from rows that are in none yet", () => {
    const { db } = write(many);
    expect(readSamples(db, SPAN).map(({ value }) => value)).toEqual(many.map(({ value }) => value));
    const newest = readSamples(db, { ...SPAN, isDescending: true, limit: 600 });
    expect(newest.map(({ atMs }) => atMs)).toEqual(
      many
        .slice(-600)
        .reverse()
        .map(({ atMs }) => atMs),
    );
    db.close();
  });

  test("of a span include the one before and the one after on request", () => {
    const { db } = write(many);
    const span = { ...SPAN, fromMs: START_MS + 600 * MINUTE_MS, toMs: START_MS + 602 * MINUTE_MS };
    const at = (samples: readonly Sample[]) => samples.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS);
    expect(at(readSamples(db, span))).toEqual([600, 601, 602]);
    expect(at(readSamples(db, { ...span, oneBefore: true, oneAfter: true }))).toEqual([599, 600, 601, 602, 603]);
    db.close();
  });

  test("have their neighbors in other chunks too", () => {
    const { db } = write(many);
    const times = (first: number, last: number) => {
      const span = { fromMs: START_MS + first * MINUTE_MS, toMs: START_MS + last * MINUTE_MS };
      const samples = readSamples(db, { ...SPAN, ...span, oneBefore: true, oneAfter: true });
      return [samples[0], samples.at(-1)].map((found) => ((found?.atMs ?? 0) - START_MS) / MINUTE_MS);
    };
    expect(times(CHUNK_SAMPLES + 1, 2 * CHUNK_SAMPLES)).toEqual([CHUNK_SAMPLES, 2 * CHUNK_SAMPLES + 1]);
    expect(times(2 * CHUNK_SAMPLES + 1, 3 * CHUNK_SAMPLES)).toEqual([2 * CHUNK_SAMPLES, 3 * CHUNK_SAMPLES + 1]);
    db.close();
  });

  test("of a write that failed in the middle are written with the next one", () => {
    const { path, db } = write([sample(1, 1)]);
    const file = new SamplesFile(path, LIMITS);
    const others = [2, 3].map((seq) => sample(seq, seq, { address: "other" }));
    const fail = () => {
      throw new Error("It failed.");
    };
    expect(() => file.append(others, 3, 0, fail)).toThrow("It failed.");
    expect(file.lastSeq).toBe(1);
    file.append(others, 3, 0);
    expect(readSamples(db, { ...SPAN, address: "other" }).map(({ value }) => value)).toEqual([2, 3]);
    file.close();
    db.close();
  });

  test("make the same chart as all of them one by one, however the parts lie to the chunks", () => {
    const { db } = write(many);
    const span = fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(span, ([from, minutes, points]) => {
        const fromMs = START_MS + from * MINUTE_MS;
        const query = { ...SPAN, fromMs, toMs: fromMs + minutes * MINUTE_MS, points };
        expect(rounded(readSeries(db, query))).toEqual(rounded(seriesOf(many, query)));
      }),
      { numRuns: 40 },
    );
    db.close();
  });

  test("make a chart weighted by time, with gaps where the value was unknown", () => {
    const value = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -50, max: 100 }) }, fc.constant(null));
    const pause = fc.oneof(fc.nat(3), fc.nat(100_000));
    const series = fc.array(fc.tuple(value, pause), { minLength: 1, maxLength: 40 });
    const query = fc.tuple(fc.nat(5_000_000), fc.integer({ min: 1, max: 20_000_000 }), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(series, query, fc.nat(30_000_000), fc.integer({ min: 1, max: 90 }), (some, span, now, repeats) => {
        let atMs = START_MS;
        const samples = Array.from({ length: repeats }, () => some)
          .flat()
          .map(([number, pauseMs], at) => {
            atMs += pauseMs;
            return sample(at + 1, number, { atMs });
          });
        const { db } = write(samples);
        const [from, lengthMs, points] = span;
        const nowMs = Math.max(atMs, START_MS + now);
        const fromMs = START_MS - 1_000_000 + from;
        const asked = { ...SPAN, fromMs, toMs: fromMs + lengthMs, points, nowMs };
        expect(rounded(readSeries(db, asked))).toEqual(rounded(seriesOf(samples, asked)));
        db.close();
      }),
      { numRuns: 60 },
    );
  });

  test("of a dimmer that was unknown for a while leave a gap in the chart, and none in the single changes", () => {
    const { db } = write([sample(0, 50), sample(10, null), sample(11, null), sample(20, 10)]);
    const points = readSeries(db, { ...SPAN, fromMs: START_MS, toMs: START_MS + 30 * MINUTE_MS, points: 6 });
    expect(points.map(({ time, last }) => [(Date.parse(time) - START_MS) / MINUTE_MS, last])).toEqual([
      [0, 50],
      [5, 50],
      [10, null],
      [15, null],
      [20, 10],
      [25, 10],
    ]);
    const [half] = readSeries(db, { ...SPAN, fromMs: START_MS, toMs: START_MS + 15 * MINUTE_MS, points: 1 });
    expect(half).toMatchObject({ count: 1, min: 50, max: 50, mean: 50, last: null });
    expect(readSamples(db, { ...SPAN, oneAfter: true }).map(({ value: some }) => some)).toEqual([50, 10]);
    const after = { ...SPAN, fromMs: START_MS + 15 * MINUTE_MS, toMs: START_MS + 16 * MINUTE_MS, oneBefore: true };
    expect(readSamples(db, after).map(({ value: some }) => some)).toEqual([50]);
    db.close();
  });

  test("of a chunk by an earlier version have the plain mean, and the file keeps them", () => {
    const written = write(many.slice(0, CHUNK_SAMPLES + 1));
    written.db.close();
    const old = new DatabaseSync(written.path);
    old.exec("DROP TABLE areas");
    old.close();
    const file = new SamplesFile(written.path, LIMITS);
    file.append([sample(CHUNK_SAMPLES + 2, 5)], CHUNK_SAMPLES + 2, 0);
    file.close();
    const db = new DatabaseSync(written.path, { readOnly: true });
    const toMs = START_MS + (CHUNK_SAMPLES + 1) * MINUTE_MS;
    const [whole] = readSeries(db, { ...SPAN, fromMs: START_MS, toMs, points: 1 });
    const values = many.slice(0, CHUNK_SAMPLES).map(({ value }) => Number(value));
    const plain = values.reduce((sum, value) => sum + value, 0) / CHUNK_SAMPLES;
    expect(whole?.count).toBe(CHUNK_SAMPLES);
    expect(Math.abs((whole?.mean ?? 0) - plain)).toBeLessThan(0.1);
    expect(readSeries(db, { ...SPAN, fromMs: START_MS, toMs, points: 100 })).toHaveLength(100);
    db.close();
  });

  test("are in the order of their times after the clock was set back", () => {
    const ahead = many.slice(0, CHUNK_SAMPLES + 50);
    const behind = Array.from({ length: 30 }, (_, at) =>
      sample(ahead.length + 1 + at, at, { atMs: START_MS + (at - 100) * MINUTE_MS }),
    );
    const { db } = write([...ahead, ...behind]);
    const expected = [...behind, ...ahead].map(({ atMs }) => atMs);
    const fromMs = START_MS - 200 * MINUTE_MS;
    expect(readSamples(db, { ...SPAN, fromMs }).map(({ atMs }) => atMs)).toEqual(expected);
    const descending = readSamples(db, { ...SPAN, fromMs, isDescending: true });
    expect(descending.map(({ atMs }) => atMs)).toEqual(expected.toReversed());
    const query = { ...SPAN, fromMs, toMs: START_MS + 200 * MINUTE_MS, points: 10 };
    const times = readSeries(db, query).map(({ time }) => time);
    expect(times.length).toBeGreaterThan(5);
    expect(times).toEqual(times.toSorted());
    db.close();
  });

  test("in another unit begin another chunk, and are never mixed with those before", () => {
    const { db } = write([
      ...many.slice(0, 10),
      sample(11, 705, { uom: 4, prec: 1 }),
      sample(12, 707, { uom: 4, prec: 1 }),
    ]);
    const [point] = readSeries(db, { ...SPAN, fromMs: START_MS, toMs: START_MS + 100 * MINUTE_MS, points: 1 });
    expect(point).toMatchObject({ count: 2, min: 705, max: 707, last: 707, uom: 4, prec: 1 });
    expect(point?.mean).toBeCloseTo((705 + 88 * 707) / 89);
    db.close();
  });

  test("go when they are too old or too many, the oldest first", () => {
    const old = write(many, { ...LIMITS, ageMsMax: 1.5 * CHUNK_SAMPLES * MINUTE_MS });
    expect(readSamples(old.db, SPAN)[0]?.atMs).toBe(START_MS + (CHUNK_SAMPLES + 1) * MINUTE_MS);
    const large = write(many, { ...LIMITS, bytesMax: 3 * CHUNK_SAMPLES });
    expect(readSamples(large.db, SPAN).at(-1)?.value).toBe(many.at(-1)?.value);
    expect(readSamples(large.db, SPAN).length).toBeLessThan(2 * CHUNK_SAMPLES);
    for (const { db } of [old, large]) db.close();
  });

  test("are removed in steps when many are too old, because each step locks the file", () => {
    const steps = 2;
    // Every change of the unit starts a chunk.
    const last = steps * CHUNKS_A_STEP + 2;
    const { path, db } = write(Array.from({ length: last }, (_, at) => sample(at + 1, at, { uom: at % 2 })));
    const count = () => db.prepare("SELECT count(*) AS count FROM chunks").get()?.count;
    const counts = [count()];
    const file = new SamplesFile(path, { ...LIMITS, ageMsMax: 0 });
    for (let step = 1; step <= steps; step += 1) {
      const next = sample(last + step, 0, { uom: (last - 1) % 2 });
      file.append([next], next.seq, next.atMs);
      counts.push(count());
    }
    file.close();
    db.close();
    expect(counts).toEqual([2 * CHUNKS_A_STEP + 1, CHUNKS_A_STEP + 1, 1]);
  });

  test("of a file that is damaged are set aside for a new one", () => {
    const path = join(temporaryDirectory(), "samples.sqlite");
    writeFileSync(path, "not a database".repeat(500));
    const file = new SamplesFile(path, LIMITS);
    file.append([sample(1, 5)], 1, START_MS);
    file.close();
    expect(readdirSync(join(path, ".."))).toContain("samples.sqlite.damaged");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("the history of a home", () => {
  const node = nodeAdded("lamp");
  const report = (value: number | null) => stateReported("lamp", value);

  async function live(dir: string, values: readonly (number | null)[], fromMs = START_MS) {
    const clock = new VirtualClock(fromMs);
    const open = await openHome(dir, { clock });
    if (!open.home.nodes.has("lamp")) await open.write(node);
    for (const value of values) {
      clock.moveTo(clock.now() + 1000);
      open.feed.commit(report(value), CAUSE);
    }
    await open.store.committed(open.feed.lastSeq);
    return open;
  }
  const values = (samples: readonly Sample[]) => samples.map(({ value }) => value);

  test("is written a second after a report, with no one asking", { timeout: 20_000 }, async () => {
    const dir = temporaryDirectory();
    const { write } = await openHome(dir);
    await write(node);
    await write(report(5));
    const path = join(dir, "samples.sqlite");
    await vi.waitFor(() => {
      const db = new DatabaseSync(path, { readOnly: true });
      try {
        expect(db.prepare("SELECT value FROM newest").all()).toEqual([{ value: 5 }]);
      } finally {
        db.close();
      }
    }, 10_000);
  });

  test("holds every numeric report, and is made again from the journal when its file is lost", async () => {
    const dir = temporaryDirectory();
    const first = await live(dir, [1, null, 2, 3]);
    expect(values(await first.store.history.samples(SPAN))).toEqual([1, 2, 3]);
    await first.close();
    const file = new SamplesFile(join(dir, "samples.sqlite"), LIMITS);
    expect(file.lastSeq).toBe(first.feed.lastSeq);
    file.close();
    for (const name of readdirSync(dir).filter((each) => each.startsWith("samples")))
      writeFileSync(join(dir, name), "");
    const second = await live(dir, [4], START_MS + 100_000);
    expect(values(await second.store.history.samples(SPAN))).toEqual([1, 2, 3, 4]);
  });

  test("goes on within a row of reports after a slice that ended there", async () => {
    const dir = temporaryDirectory();
    const first = await live(dir, [1, 2, 3]);
    const { lastSeq } = first.feed;
    await first.close();
    const path = join(dir, "samples.sqlite");
    for (const companion of ["", "-wal", "-shm"]) rmSync(path + companion, { force: true });
    const file = new SamplesFile(path, LIMITS);
    const written = sample(lastSeq - 2, 100, { atMs: START_MS });
    expect(file.append([written, sample(lastSeq, 3)], lastSeq, START_MS, () => true)).toBe(1);
    expect(file.lastSeq).toBe(lastSeq - 2);
    file.close();
    const second = await live(dir, [], START_MS + 100_000);
    expect(values(await second.store.history.samples(SPAN))).toEqual([100, 2, 3]);
  });

  test("leaves out what happened while recording was off, also over a restart", async () => {
    const dir = temporaryDirectory();
    const first = await live(dir, [1]);
    await first.store.history.samples(SPAN);
    await first.store.history.record(false);
    await first.close();
    const second = await live(dir, [2], START_MS + 100_000);
    expect(second.store.history.isRecording).toBe(false);
    expect(values(await second.store.history.samples(SPAN))).toEqual([1]);
    await second.store.history.record(true);
    second.feed.commit(report(3), CAUSE);
    await second.store.committed(second.feed.lastSeq);
    expect(values(await second.store.history.samples(SPAN))).toEqual([1, 3]);
  });

  test("refuses more questions at once than the setting allows", async () => {
    const { store } = await openHome(temporaryDirectory(), { settings: { historyQueriesMax: 2 } });
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => store.history.samples(SPAN)));
    expect(asked.filter(({ status }) => status === "rejected")).toHaveLength(3);
  });
});
