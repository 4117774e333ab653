/** Property values on disk: chunks lose nothing, and charts agree with single samples. */

import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Sample, SeriesPoint, SeriesQuery } from "../../src/home/history.ts";
import { CHUNK_SAMPLES, decodeChunk, encodeChunk, piecesOf } from "../../src/store/samples/chunk.ts";
import { readSamples, readSeries } from "../../src/store/samples/read-samples.ts";
import { type JournalSample, SamplesFile } from "../../src/store/samples/samples-file.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, nodeAdded, openHome, START_MS, stateReported, temporaryDirectory } from "../support/test-store.ts";

const LIMITS = { ageMsMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };
const MINUTE_MS = 60_000;
const CHUNKS_A_STEP = 64;
const sample = (seq: number, value: number, more: Partial<JournalSample> = {}): JournalSample => ({
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
};

test("a chunk gives back every time and every value", () => {
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const value = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
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
  for (const { count, at: _, ...summary } of piecesOf(encodeChunk({ times, values }))) {
    const [some, when] = [[...values.slice(from, from + count)], times.slice(from, from + count)];
    const total = some.reduce((sum, value) => sum + value, 0);
    const extremes = { lo: Math.min(...some), hi: Math.max(...some) };
    expect(summary).toEqual({ fromMs: when[0], lastMs: when.at(-1), ...extremes, total, last: some.at(-1) });
    from += count;
  }
  expect(from).toBe(times.length);
});

test("a device that reports every minute costs three bytes a sample at most", () => {
  const times = Float64Array.from({ length: CHUNK_SAMPLES }, (_, at) => START_MS + MINUTE_MS * at);
  const values = Float64Array.from({ length: CHUNK_SAMPLES }, (_, at) => 200 + Math.round(20 * Math.sin(at / 30)));
  expect(encodeChunk({ times, values }).length / CHUNK_SAMPLES).toBeLessThan(3);
});

/** The same worked out of all samples one by one. */
function seriesOf(samples: readonly Sample[], { fromMs, toMs, points }: SeriesQuery): readonly SeriesPoint[] {
  const width = (toMs - fromMs) / points;
  return Array.from({ length: points }, (_, part) => part).flatMap((part): readonly SeriesPoint[] => {
    const within = samples.filter(
      ({ atMs }) => atMs >= fromMs && atMs < toMs && Math.min(points - 1, Math.floor((atMs - fromMs) / width)) === part,
    );
    const values = within.map(({ value }) => value);
    const last = within.at(-1);
    if (!last) return [];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const { uom, prec } = last;
    const extremes = { min: Math.min(...values), max: Math.max(...values) };
    return [
      {
        time: new Date(fromMs + part * width).toISOString(),
        count: values.length,
        ...extremes,
        mean,
        last: last.value,
        uom,
        prec,
      },
    ];
  });
}

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
    const all = readSamples(db, SPAN);
    const span = fc.tuple(fc.nat(2000), fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(span, ([from, minutes, points]) => {
        const fromMs = START_MS + from * MINUTE_MS;
        const query = { address: "lamp", property: "ST", fromMs, toMs: fromMs + minutes * MINUTE_MS, points };
        const rounded = (series: readonly SeriesPoint[]) =>
          series.map((each) => ({ ...each, mean: each.mean.toFixed(6) }));
        expect(rounded(readSeries(db, query))).toEqual(rounded(seriesOf(all, query)));
      }),
      { numRuns: 40 },
    );
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
    const query = { address: "lamp", property: "ST", fromMs, toMs: START_MS + 200 * MINUTE_MS, points: 10 };
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
    expect(point).toMatchObject({ count: 2, min: 705, max: 707, mean: 706, last: 707, uom: 4, prec: 1 });
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
