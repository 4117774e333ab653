/**
 * What the meters counted today, and what it cost. The charts of the day are read once and at each new part of it; what is reported in
 * between is counted from the values that the page has already.
 */

import type { ChartPoint } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { minutesOf } from "../parts/windows.ts";
import { seesPast } from "../session/role.ts";
import { useHome, useShownTime, useStore } from "../store/context.ts";
import { dayOf, fromLocalInput, localInput } from "../text/home-zone.ts";
import { type Meter, unitOf } from "./meters.ts";
import { priceOf, sum, type Tariff } from "./tariff.ts";
import { usedIn } from "./used.ts";

/** `cost`: null without a price. */
export type Used = { readonly amount: number; readonly cost: number | null };

const PART_MS = 1_800_000;
const PRICE = "ST";

/** By address; a meter of which nothing is known is left out. */
export function useToday(meters: readonly Meter[], tariff: Tariff | null): ReadonlyMap<string, Used> {
  const home = useHome();
  const store = useStore();
  const nowMs = useShownTime()();
  const [charts, setCharts] = useState<ReadonlyMap<string, readonly ChartPoint[]>>(new Map());
  const fromMs = fromLocalInput(`${dayOf(nowMs)}T00:00:00`);
  const counters = meters.flatMap(({ node, counter }) => (counter === null ? [] : [[node.address, counter] as const]));
  const wanted = tariff?.node ? [...counters, [tariff.node, PRICE] as const] : counters;
  const part = Math.floor((nowMs - fromMs) / PART_MS);
  useEffect(() => {
    if (!seesPast()) return;
    let isOver = false;
    // From one part before the day, so that the first one has the value with which the day begins.
    const span = { from: new Date(fromMs - PART_MS), to: new Date(fromMs + (part + 1) * PART_MS), points: part + 2 };
    const read = wanted.map(
      async ([address, id]) => [`${address} ${id}`, await home.chart(address, id, span)] as const,
    );
    void Promise.all(read).then(
      (all) => isOver || setCharts(new Map(all)),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [home, fromMs, part, wanted.join()]);
  const priceAt = (atMs: number) => {
    if (!tariff) return null;
    const known = charts.get(`${tariff.node} ${PRICE}`)?.findLast(({ time }) => Date.parse(time) <= atMs)?.mean;
    return known ?? priceOf(tariff, minutesOf(localInput(atMs).slice(11, 16)));
  };
  return new Map(
    meters.flatMap((meter) => {
      const { node, counter } = meter;
      const points = (charts.get(`${node.address} ${counter}`) ?? []).filter(({ time }) => Date.parse(time) <= nowMs);
      const first = points[0];
      if (!first || counter === null) return [];
      const isBefore = Date.parse(first.time) < fromMs;
      const ofDay = isBefore ? points.slice(1) : points;
      void store.property(node.address, counter).value;
      const value = node.value(counter);
      const latest = { time: new Date(nowMs).toISOString(), last: value, max: value };
      // A past moment lies within its part, of which only the value at the moment counts.
      const parts = [...(store.past.value ? ofDay.slice(0, -1) : ofDay), latest];
      const used = usedIn(parts, isBefore ? first.last : (ofDay.find(({ min }) => min !== null)?.min ?? null));
      if (used === null) return [];
      const { text, factor } = unitOf(meter);
      const amounts = used.map((each) => each * factor);
      const costs =
        text === "kWh" ? amounts.map((each, at) => each * (priceAt(Date.parse(parts[at]?.time ?? "")) ?? 0)) : null;
      return [[node.address, { amount: sum(amounts), cost: tariff && costs ? sum(costs) : null }] as const];
    }),
  );
}
