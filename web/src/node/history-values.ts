/** The values of a property over a span, in displayed units, and in words. */

import type { ChartPoint, Editor, Home, Node } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { isActive } from "../parts/activity.ts";
import { editorOf } from "../parts/editor-control.tsx";
import { hasPlainWords } from "../parts/node-state.ts";
import { LAMPS, lookOf } from "../parts/roles.ts";
import { useHome, useShownTime, useStore } from "../store/context.ts";
import { isTemperatureUnit, toHomeUnit } from "../text/home-units.ts";
import { localName } from "../text/names.ts";
import { problemText } from "../text/problem.ts";
import { temperatureText } from "../text/temperature.ts";
import { number, t } from "../text/text.ts";
import type { Span } from "./history-span.ts";

/** Null: unknown. */
export type HistoryPoint = {
  readonly atMs: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly last: number | null;
  readonly count: number;
};

export type HistoryValues = {
  readonly span: Span;
  readonly points: readonly HistoryPoint[];
};

const PERCENT = "51";
const PARTS = 300;
/** The controller has a value in its history about a second after the report. */
const STORED_AFTER_MS = 1_500;

/** @returns null until it is loaded; the last answer while another span is loaded */
export function useHistory(
  node: Node,
  id: string,
  span: Span,
): { readonly values: HistoryValues | null; readonly problem: string | null } {
  const home = useHome();
  const now = useShownTime();
  const store = useStore();
  const reported = store.property(node.address, id).value;
  const [state, setState] = useState<{ values: HistoryValues | null; problem: string | null }>({
    values: null,
    problem: null,
  });
  // The home is loaded again when the connection is back: then it may work.
  const retry = store.revision.value * Number(state.problem !== null);
  useEffect(() => {
    let isOver = false;
    const load = () =>
      read(home, node, id, span, now()).then(
        (values) => isOver || setState({ values, problem: null }),
        (error: Error) => isOver || setState({ values: null, problem: problemText(error) }),
      );
    void load();
    const timer = span.isLive ? setTimeout(load, STORED_AFTER_MS) : undefined;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [node.address, id, span, span.isLive && reported?.value, retry]);
  return state;
}

/** A span that is live ends at the time of reading. */
async function read(home: Home, node: Node, id: string, span: Span, nowMs: number): Promise<HistoryValues> {
  const toMs = span.isLive ? nowMs : span.toMs;
  const fromMs = toMs - (span.toMs - span.fromMs);
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const points = await home.chart(node.address, id, { from, to, points: PARTS });
  const editor = propertyEditor(home, node, id);
  return { span: { ...span, fromMs, toMs }, points: points.map((point) => pointOf(point, node, editor)) };
}

/** A byte is shown in percent where the editor knows percent, a temperature in the unit of the home. */
function pointOf({ time, min, max, last, uom, count }: ChartPoint, node: Node, editor: Editor | null): HistoryPoint {
  const inHome = (value: number) => (isTemperatureUnit(String(uom)) ? toHomeUnit(node, String(uom), value) : value);
  const shown = (value: number | null) =>
    value === null ? null : inHome(editor?.decode({ value: String(value), uom: String(uom), prec: 0 }).value ?? value);
  return { atMs: Date.parse(time), min: shown(min), max: shown(max), last: shown(last), count };
}

/** Values of the property in words. As the mark of an axis a value without a label is empty where all values have labels. */
export function wordsOf(home: Home, node: Node, id: string): (value: number | null, isMark?: boolean) => string {
  const property = node.properties.get(id);
  const editor = propertyEditor(home, node, id);
  const uom = property ? (editor?.decode(property).uom ?? property.uom) : "";
  const range = editor?.ranges.find((some) => some.uom === uom);
  // The controller writes the unit behind the number.
  const unit = uom === PERCENT ? "%" : (/^-?[\d.,]+(\s*\D*)$/.exec(property?.formatted ?? "")?.[1] ?? "");
  const { words } = lookOf(node.role);
  if (id === "ST" && words && property && !LAMPS.has(node.role ?? "") && hasPlainWords(node.label(id) ?? ""))
    return (value, isMark = false) => {
      if (value === null) return t("chart.unknown");
      if (isMark && value !== 0 && value !== 1 && value !== 100) return "";
      const isWhole = value === 0 || value === 1 || value === 100;
      return isWhole
        ? t(words[isActive(node, { uom: property.uom, prec: 0, value: String(value) }) ? 0 : 1])
        : `${number(value)} %`;
    };
  const isChoice = uom !== PERCENT && (range?.names.size ?? 0) > 0;
  return (value, isMark = false) => {
    if (value === null) return t("chart.unknown");
    if (isTemperatureUnit(uom)) return temperatureText(value);
    const label = range?.names.get(Math.round(value * 10 ** range.prec));
    if (label !== undefined && (isChoice || !isMark)) return localName(label);
    return isChoice && isMark ? "" : localName(`${Math.round(value * 1000) / 1000}${unit.trimEnd()}`);
  };
}

function propertyEditor(home: Home, node: Node, id: string): Editor | null {
  return editorOf(home, node, node.nodedef?.properties.find((property) => property.id === id)?.editor ?? "");
}
