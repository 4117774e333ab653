/**
 * The band along the bottom while a past moment is shown: how much changed when, under a playhead that stays where it is. It is
 * dragged, or moved by keys: an arrow to the next change, with Shift by an hour, Page up and down by a day. The space bar plays the rest
 * of the day.
 */

import type { PastMoment } from "@domovoi/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { Options } from "../parts/options.tsx";
import { useStore } from "../store/context.ts";
import type { PastView } from "../store/home-store.ts";
import { dayOf, fromLocalInput, localInput } from "../text/home-zone.ts";
import { problemText } from "../text/problem.ts";
import { t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { Differences } from "./differences.tsx";
import { isShownWith, showMoment, showWith } from "./moment.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WIDTHS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;
type Width = keyof typeof WIDTHS;
/** While it plays: at least so much of the past a step, and so long each step is shown. */
const PLAYED_MS = 5 * 60_000;
const SHOWN_MS = 600;
/** For people who want less motion. */
const SHOWN_CALMLY_MS = 2_000;
const PARTS = 120;
const HEIGHT = 40;

export function Band({ past }: { past: PastView }) {
  const store = useStore();
  const [width, setWidth] = useState<Width>("day");
  const band = useBandSize();
  const { moment, problem } = useMoment(beginOf(past.atMs, WIDTHS[width], store.nowMs()), past.atMs, WIDTHS[width]);
  const go = (atMs: number) => {
    const nowMs = store.nowMs();
    const beginsMs = Date.parse(moment?.begins ?? "") || 0;
    if (atMs >= nowMs) showMoment(null);
    else showMoment(Math.max(atMs, beginsMs), true);
  };
  const step = (time: string | null | undefined) => time && go(Date.parse(time));
  const isWithDifferences = isShownWith("compare");
  const isPlaying = usePlay(past, moment, go);
  return (
    <section ref={band} class="band" aria-label={t("past.title")}>
      {isWithDifferences && past.home && <Differences past={past.home} />}
      <p role="status">
        <strong>{timeText(past.atMs, "moment")}</strong> {t("past.about")} {past.isLoading && t("starting")}
        {moment && moment.unknown.properties > 0 && ` ${tn("past.unknown", moment.unknown.properties)}`}
      </p>
      <p role="alert">{past.problem ?? problem}</p>
      <Strip
        atMs={past.atMs}
        widthMs={WIDTHS[width]}
        moment={moment}
        nowMs={store.nowMs()}
        go={go}
        step={step}
        isPlaying={isPlaying}
      />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => showMoment(null)}>
          {t("past.now")}
        </button>
        <button type="button" onClick={() => showWith("play", !isPlaying)}>
          {t(isPlaying ? "past.stop" : "past.play")}
        </button>
        <button
          type="button"
          aria-label={t("past.before")}
          disabled={!moment?.before}
          onClick={() => step(moment?.before)}
        >
          ←
        </button>
        <button
          type="button"
          aria-label={t("past.after")}
          disabled={!moment?.after}
          onClick={() => step(moment?.after)}
        >
          →
        </button>
        <input
          type="datetime-local"
          step="1"
          aria-label={t("past.date")}
          value={localInput(past.atMs)}
          onChange={({ currentTarget }) => {
            const chosenMs = fromLocalInput(currentTarget.value);
            if (Number.isFinite(chosenMs)) go(chosenMs);
          }}
        />
        <select
          aria-label={t("past.width")}
          value={width}
          onChange={({ currentTarget }) => setWidth(currentTarget.value as Width)}
        >
          <Options of={(Object.keys(WIDTHS) as Width[]).map((name) => [name, t(`past.${name}`)])} />
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={isWithDifferences}
            onChange={({ currentTarget }) => showWith("compare", currentTarget.checked)}
          />
          {t("past.compare")}
        </label>
      </div>
    </section>
  );
}

type StripProps = {
  readonly atMs: number;
  readonly widthMs: number;
  readonly moment: PastMoment | null;
  readonly nowMs: number;
  readonly go: (atMs: number) => void;
  readonly step: (time: string | null | undefined) => void;
  readonly isPlaying: boolean;
};

/** Moves on until the day is over, or the present is reached. Nothing is read while the page is not looked at. @returns whether it plays */
function usePlay(past: PastView, moment: PastMoment | null, go: (atMs: number) => void): boolean {
  const isPlaying = isShownWith("play");
  useEffect(() => {
    if (!isPlaying || past.isLoading) return;
    // A home that is younger than the evening begins with its first moment.
    const beginsMs = Date.parse(moment?.begins ?? "") || 0;
    const isEarly = past.atMs < beginsMs;
    const laterMs = Math.max(past.atMs + PLAYED_MS, Date.parse(moment?.after ?? "") || 0);
    const nextMs = isEarly ? beginsMs : laterMs;
    const isOver = !isEarly && (past.problem !== null || dayOf(nextMs) !== dayOf(past.atMs));
    const shownMs = matchMedia("(prefers-reduced-motion: reduce)").matches ? SHOWN_CALMLY_MS : SHOWN_MS;
    const timer = setTimeout(() => (isOver || document.hidden ? showWith("play", false) : go(nextMs)), shownMs);
    return () => clearTimeout(timer);
  }, [isPlaying, past, moment]);
  return isPlaying;
}

function Strip({ atMs, widthMs, moment, nowMs, go, step, isPlaying }: StripProps) {
  const [drag, setDrag] = useState<{ readonly fromX: number; readonly byMs: number } | null>(null);
  const fromMs = beginOf(atMs, widthMs, nowMs) + (drag?.byMs ?? 0);
  const headAt = ((atMs - beginOf(atMs, widthMs, nowMs)) / widthMs) * PARTS;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === " ") {
      event.preventDefault();
      showWith("play", !isPlaying);
    }
    const direction = /^(ArrowLeft|ArrowDown|PageUp)$/.test(event.key)
      ? -1
      : /^(ArrowRight|ArrowUp|PageDown)$/.test(event.key)
        ? 1
        : 0;
    if (direction === 0) return;
    event.preventDefault();
    if (event.key.startsWith("Page")) go(atMs + direction * DAY_MS);
    else if (event.shiftKey) go(atMs + direction * HOUR_MS);
    else step(direction < 0 ? moment?.before : moment?.after);
  };
  const onMove = ({ clientX, currentTarget }: PointerEvent) => {
    if (drag)
      setDrag({ ...drag, byMs: ((drag.fromX - clientX) / (currentTarget as HTMLElement).clientWidth) * widthMs });
  };
  const onUp = () => {
    setDrag(null);
    if (drag && drag.byMs !== 0) go(Math.round(atMs + drag.byMs));
  };
  const beginsMs = Date.parse(moment?.begins ?? "") || atMs;
  return (
    <div
      class="strip"
      role="slider"
      tabIndex={0}
      aria-label={t("past.title")}
      aria-valuemin={beginsMs}
      aria-valuemax={nowMs}
      aria-valuenow={atMs}
      aria-valuetext={timeText(atMs, "moment")}
      title={t("past.keys")}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ fromX: event.clientX, byMs: 0 });
      }}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={() => setDrag(null)}
    >
      <svg viewBox={`0 0 ${PARTS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <Bars moment={moment} fromMs={fromMs} widthMs={widthMs} />
        <line class="playhead" x1={headAt} x2={headAt} y1="0" y2={HEIGHT} />
      </svg>
      <span>{timeText(fromMs, "week")}</span>
      <span>{timeText(fromMs + widthMs, "week")}</span>
    </div>
  );
}

/** The moment is in the middle, or nearer to the end, so that nothing of the span is in the future. */
function beginOf(atMs: number, widthMs: number, nowMs: number): number {
  return Math.max(Math.min(atMs + widthMs / 2, nowMs), atMs) - widthMs;
}

/** Heights grow with the logarithm: one change is to be seen beside a thousand. */
function Bars({ moment, fromMs, widthMs }: { moment: PastMoment | null; fromMs: number; widthMs: number }) {
  const parts = moment?.parts ?? [];
  const highest = Math.log1p(Math.max(1, ...parts.map(({ count }) => count)));
  return (
    <>
      {parts.map(({ time, count }) => {
        const height = Math.max(3, (Math.log1p(count) / highest) * (HEIGHT - 4));
        return (
          <rect
            key={time}
            x={((Date.parse(time) - fromMs) / widthMs) * PARTS}
            y={HEIGHT - height}
            width="0.8"
            height={height}
          />
        );
      })}
    </>
  );
}

/** The facts about the moment; the last answer while another one is loaded. */
function useMoment(beginMs: number, atMs: number, widthMs: number) {
  const store = useStore();
  const [state, setState] = useState<{ moment: PastMoment | null; problem: string | null }>({
    moment: null,
    problem: null,
  });
  useEffect(() => {
    let isOver = false;
    const [from, to] = [new Date(beginMs), new Date(beginMs + widthMs)];
    store.home.value?.past({ at: new Date(atMs), from, to, parts: PARTS }).then(
      (moment) => isOver || setState({ moment, problem: null }),
      (error: unknown) => isOver || setState({ moment: null, problem: problemText(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [atMs, widthMs]);
  return state;
}

/** Tells the styles how much of the window the band covers: what has the focus is scrolled to above it. */
function useBandSize() {
  const band = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(([entry]) =>
      style.setProperty("--band-size", `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`),
    );
    if (band.current) sizes.observe(band.current);
    return () => {
      sizes.disconnect();
      style.removeProperty("--band-size");
    };
  }, []);
  return band;
}
