/** The history of a node's numeric properties: a chart to zoom into, and the same as a table. */

import type { Node } from "@domovoi/client";
import { useMemo, useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { useHome, useShownTime, useStore } from "../store/context.ts";
import { localName } from "../text/names.ts";
import { t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { HistoryChart } from "./history-chart.tsx";
import {
  chosen as chosenSpan,
  isWhole,
  moved,
  SPANS,
  type Span,
  type SpanName,
  spanUntil,
  zoomed,
} from "./history-span.ts";
import { type HistoryPoint, type HistoryValues, useHistory, wordsOf } from "./history-values.ts";

type Change = (next: (span: Span) => Span) => void;

export function HistoryCard({ node }: { node: Node }) {
  const store = useStore();
  const numeric = [...node.properties.values()].filter(({ value }) => value !== "" && Number.isFinite(Number(value)));
  const [chosen, setChosen] = useState("ST");
  const shown = numeric.find(({ id }) => id === chosen) ?? numeric[0];
  if (!shown) return null;
  const nameOf = (id: string) =>
    localName(
      node.nodedef?.properties.find((property) => property.id === id)?.name || node.properties.get(id)?.name || id,
    );
  return (
    <Card title={t("chart.title")}>
      {numeric.length > 1 && (
        <label>
          {t("chart.property")}
          <select value={shown.id} onChange={(event) => setChosen(event.currentTarget.value)}>
            <Options of={numeric.map(({ id }) => [id, nameOf(id)])} />
          </select>
        </label>
      )}
      <PropertyHistory
        key={`${shown.id} ${store.past.value?.atMs ?? ""}`}
        node={node}
        id={shown.id}
        name={nameOf(shown.id)}
      />
    </Card>
  );
}

function PropertyHistory({ node, id, name }: { node: Node; id: string; name: string }) {
  const home = useHome();
  const now = useShownTime();
  const [named, setNamed] = useState<SpanName>("day");
  const [span, setSpan] = useState<Span>(() => spanUntil("day", now()));
  const { values, problem } = useHistory(node, id, span);
  const words = useMemo(() => wordsOf(home, node, id), [home, node, id]);
  const whole = (next: SpanName) => {
    setNamed(next);
    setSpan(spanUntil(next, now()));
  };
  return (
    <>
      <div class="buttons">
        {SPANS.map((some) => (
          <button
            key={some}
            type="button"
            class="chip"
            aria-pressed={some === named && isWhole(span, some)}
            onClick={() => whole(some)}
          >
            {t(`chart.${some}`)}
          </button>
        ))}
      </div>
      {problem && <p role="alert">{problem}</p>}
      {values && (
        <Drawing
          name={name}
          values={values}
          words={words}
          change={(next) => setSpan(next)}
          reset={isWhole(span, named) ? null : () => whole(named)}
        />
      )}
    </>
  );
}

type DrawingProps = {
  readonly name: string;
  readonly values: HistoryValues;
  readonly words: (value: number | null, isMark?: boolean) => string;
  readonly change: Change;
  /** Null: nothing is zoomed or moved. */
  readonly reset: (() => void) | null;
};

function Drawing({ name, values, words, change, reset }: DrawingProps) {
  const [pointedMs, setPointed] = useState<number | null>(null);
  const now = useShownTime();
  const { points, span } = values;
  const pointed = pointedMs === null ? undefined : points.findLast(({ atMs }) => atMs <= pointedMs);
  const summary = summaryOf(values, words);
  const back = () => reset?.();
  const moves: Readonly<Record<string, () => void>> = {
    "+": () => change((shown) => zoomed(shown, 1, now())),
    "-": () => change((shown) => zoomed(shown, -1, now())),
    ArrowLeft: () => change((shown) => moved(shown, -1, now())),
    ArrowRight: () => change((shown) => moved(shown, 1, now())),
    "0": back,
    Escape: back,
  };
  const onKey = (event: KeyboardEvent) => {
    const move =
      event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key === "=" ? "+" : event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: zooming by keys needs the focus; the buttons below do the same. */}
      <figure tabIndex={0} aria-label={`${name}. ${summary} ${t("chart.keys")}`} onKeyDown={onKey}>
        {points.length === 0 ? (
          <p class="empty">{t("chart.none")}</p>
        ) : (
          <HistoryChart
            values={values}
            words={words}
            point={setPointed}
            zoom={(fromMs, toMs) => change(() => chosenSpan(fromMs, toMs, now()))}
          />
        )}
      </figure>
      <p class="hint">{pointed ? `${timeText(pointed.atMs, "second")}: ${words(pointed.last)}` : summary}</p>
      <div class="buttons">
        <button type="button" aria-label={t("chart.earlier")} onClick={moves.ArrowLeft}>
          ←
        </button>
        <button type="button" aria-label={t("chart.out")} onClick={moves["-"]}>
          −
        </button>
        <button type="button" aria-label={t("chart.in")} onClick={moves["+"]}>
          +
        </button>
        <button type="button" aria-label={t("chart.later")} disabled={span.isLive} onClick={moves.ArrowRight}>
          →
        </button>
        {reset && (
          <button type="button" onClick={reset}>
            {t("chart.reset")}
          </button>
        )}
      </div>
      <ValueTable points={points} words={words} />
    </>
  );
}

function summaryOf({ span, points }: HistoryValues, words: DrawingProps["words"]): string {
  const known = points.flatMap(({ min, max }) => (min === null || max === null ? [] : [min, max]));
  const between = t("chart.between", { from: timeText(span.fromMs, "full"), to: timeText(span.toMs, "full") });
  if (known.length === 0) return between;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const changes = points.reduce((sum, { count }) => sum + count, 0);
  return `${between} ${t("chart.summary", { low: words(low), high: words(high), changes: tn("chart.changes", changes) })}`;
}

/** Parts in which the value only held are left out. */
function isChange({ count, last }: HistoryPoint, at: number, points: readonly HistoryPoint[]): boolean {
  return count > 0 || at === 0 || (last === null && points[at - 1]?.last !== null);
}

/** The newest first. */
function ValueTable({ points, words }: { points: readonly HistoryPoint[]; words: DrawingProps["words"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("chart.table")}</summary>
      {isOpen && (
        <table>
          <thead>
            <tr>
              {(["time", "value", "low", "high"] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`chart.column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points
              .filter(isChange)
              .toReversed()
              .map(({ atMs, min, max, last }) => (
                <tr key={atMs}>
                  <th scope="row">
                    <time dateTime={new Date(atMs).toISOString()}>{timeText(atMs, "second")}</time>
                  </th>
                  <td>{words(last)}</td>
                  <td>{words(min)}</td>
                  <td>{words(max)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
