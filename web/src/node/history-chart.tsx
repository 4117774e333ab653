/** The chart itself: steps, because a value holds until the next report, with a band where a part of the span has several. */

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { homeZone } from "../text/home-zone.ts";

import { timeText } from "../text/time.ts";
import type { HistoryPoint, HistoryValues } from "./history-values.ts";

type ChartProps = {
  readonly values: HistoryValues;
  readonly words: (value: number | null, isMark?: boolean) => string;
  readonly zoom: (fromMs: number, toMs: number) => void;
  /** The time under the pointer; null without one. */
  readonly point: (atMs: number | null) => void;
};

const HEIGHT_PX = 220;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CHARACTER_PX = 7;
const FONT = "12px system-ui, sans-serif";
/** Seen on light and dark ground. */
const GRID = { stroke: "#8883", width: 1 };

export function HistoryChart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const plot = useRef<uPlot | null>(null);
  /** Shown while fingers move the chart, until the values for it are there. */
  const touched = useRef<Range | null>(null);
  useEffect(() => {
    const place = box.current as HTMLDivElement;
    const made = new uPlot(optionsOf(place, latest, touched), dataOf(props.values), place);
    plot.current = made;
    followFingers(made.over, {
      shown: () => ({ fromMs: made.scales.x?.min ?? 0, toMs: made.scales.x?.max ?? 0 }),
      show: (range) => {
        touched.current = range;
        made.setScale("x", { min: range.fromMs, max: range.toMs });
      },
      done: ({ fromMs, toMs }) => latest.current.zoom(fromMs, toMs),
    });
    const observer = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
    observer.observe(place);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    touched.current = null;
    plot.current?.setData(dataOf(props.values));
  }, [props.values]);
  return <div ref={box} class="chart" />;
}

type Latest<T> = { readonly current: T };

function optionsOf(place: HTMLElement, latest: Latest<ChartProps>, touched: Latest<Range | null>): uPlot.Options {
  const range = (): [number, number] => {
    const { fromMs, toMs } = touched.current ?? latest.current.values.span;
    return [fromMs, toMs];
  };
  const color = () => getComputedStyle(place).color;
  const text = () => getComputedStyle(place.parentElement as HTMLElement).color;
  const steps: uPlot.Series = { paths: stepsFromEach(), points: { show: false } };
  const edge: uPlot.Series = { ...steps, width: 0 };
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    ms: 1,
    tzDate: (atMs) => (homeZone() === undefined ? new Date(atMs) : uPlot.tzDate(new Date(atMs), homeZone() as string)),
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false } },
    scales: { x: { time: true, range } },
    series: [{}, edge, edge, { ...steps, stroke: color, width: 2 }],
    bands: [{ series: [2, 1], fill: "#8884" }],
    axes: [
      {
        font: FONT,
        stroke: text,
        grid: GRID,
        ticks: GRID,
        space: 70,
        values: (_plot, splits, _axis, _space, step) =>
          splits.map((atMs) => timeText(atMs, step >= DAY_MS ? "date" : step < MINUTE_MS ? "clock" : "minute")),
      },
      {
        font: FONT,
        stroke: text,
        grid: GRID,
        ticks: GRID,
        values: (_plot, splits) => splits.map((value) => latest.current.words(value, true)),
        size: (_plot, labels) => 20 + CHARACTER_PX * Math.max(1, ...(labels ?? []).map((label) => label.length)),
      },
    ],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 2) return;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          latest.current.zoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
        },
      ],
      setCursor: [(plot) => latest.current.point(plot.data[0][plot.cursor.idx ?? -1] ?? null)],
    },
  };
}

function stepsFromEach(): uPlot.Series.PathBuilder {
  const { stepped } = uPlot.paths;
  if (!stepped) throw new Error("This uPlot draws no steps.");
  return stepped({ align: 1 });
}

/** Each value goes on to the begin of a gap, and the last one to the end of the span, as far as that has come. */
function dataOf({ points, span }: HistoryValues): uPlot.AlignedData {
  const drawn = points.flatMap((point, at): readonly HistoryPoint[] => {
    const before = points[at - 1];
    return point.last === null && before ? [held(before, point.atMs), point] : [point];
  });
  const last = points.at(-1);
  const endMs = Math.min(span.toMs, Date.now());
  if (last && endMs > last.atMs) drawn.push(held(last, endMs));
  // A part at whose end the value is unknown is drawn as unknown.
  const column = (read: (point: HistoryPoint) => number | null) =>
    drawn.map((point) => (point.last === null ? null : read(point)));
  return [
    drawn.map(({ atMs }) => atMs),
    column(({ min }) => min),
    column(({ max }) => max),
    column(({ last: value }) => value),
  ];
}

function held({ last, count }: HistoryPoint, atMs: number): HistoryPoint {
  return { atMs, min: last, max: last, last, count };
}

type Range = { readonly fromMs: number; readonly toMs: number };

type TouchChart = {
  shown(): Range;
  show(range: Range): void;
  done(range: Range): void;
};

/** Closer fingers would zoom by any factor. */
const APART_MIN_PX = 24;

/** Fingers on a chart: one moves it through time, two zoom it. It follows them at once, and its values are read again when the last one is lifted. */
function followFingers(area: HTMLElement, chart: TouchChart): void {
  /** Where each finger is, and the time that it holds. */
  const fingers = new Map<number, { readonly x: number; readonly atMs: number }>();
  let isMoved = false;
  const timeAt = (x: number) => {
    const { fromMs, toMs } = chart.shown();
    return fromMs + (x / area.clientWidth) * (toMs - fromMs);
  };
  const hold = () => {
    for (const [id, { x }] of fingers) fingers.set(id, { x, atMs: timeAt(x) });
  };
  const xOf = ({ clientX }: PointerEvent) => clientX - area.getBoundingClientRect().left;
  area.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    area.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: xOf(event), atMs: 0 });
    hold();
  });
  area.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    fingers.set(event.pointerId, { ...finger, x: xOf(event) });
    isMoved = true;
    chart.show(rangeUnder([...fingers.values()], area.clientWidth, chart.shown()));
  });
  const lift = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    hold();
    if (fingers.size === 0 && isMoved) chart.done(chart.shown());
    if (fingers.size === 0) isMoved = false;
  };
  area.addEventListener("pointerup", lift);
  area.addEventListener("pointercancel", lift);
}

/** The range in which every finger still holds its time. */
function rangeUnder(
  fingers: readonly { readonly x: number; readonly atMs: number }[],
  widthPx: number,
  shown: Range,
): Range {
  const [one, other] = fingers.toSorted((a, b) => a.atMs - b.atMs);
  if (!one) return shown;
  const apartPx = other ? Math.max(APART_MIN_PX, other.x - one.x) : 0;
  const msPerPx = other ? (other.atMs - one.atMs) / apartPx : (shown.toMs - shown.fromMs) / widthPx;
  const fromMs = one.atMs - one.x * msPerPx;
  return { fromMs, toMs: fromMs + widthPx * msPerPx };
}
