/** Energy now and today: of the whole home in one line, then of each meter, with what it cost. */

import type { ChartPoint } from "@domovoi/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { nodeHref } from "../parts/things.ts";
import { minutesOf } from "../parts/windows.ts";
import { isOwner, seesPast } from "../session/role.ts";
import { useHome, useShownTime, useStore } from "../store/context.ts";
import { dayOf, fromLocalInput, localInput } from "../text/home-zone.ts";
import { powerText } from "../text/power.ts";
import { locale, number, t } from "../text/text.ts";
import { followed, type Meter, type MeterKind, metersOf, unitOf, wattsOf } from "./meters.ts";
import { priceOf, sum, type Tariff } from "./tariff.ts";
import { usedIn } from "./used.ts";

const tariffDialog = () => import("./tariff-dialog.tsx").then((module) => module.TariffDialog);

/** The power of all of them is what the home uses: a battery's is negative while it is charged, the grid's while it takes. */
const SUPPLY: ReadonlySet<MeterKind> = new Set(["grid", "solar", "battery"]);

export function EnergyCard() {
  const home = useHome();
  const store = useStore();
  const meters = useMemo(() => metersOf(home), [home, store.revision.value]);
  for (const meter of meters) for (const id of followed(meter)) void store.property(meter.node.address, id).value;
  const tariff = store.tariff.value;
  const today = useToday(meters, tariff);
  if (meters.length === 0) return null;
  const hasCost = tariff !== null && today.size > 0;
  return (
    <Card
      title={t("energy.title")}
      class="energy"
      actions={
        isOwner() && (
          <DialogButton label={t("energy.price")}>
            <Lazy load={tariffDialog} tariff={tariff} />
          </DialogButton>
        )
      }
    >
      <Whole meters={meters} today={today} tariff={tariff} />
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t("kind.node")}</span>
            </th>
            <th scope="col">{t("energy.now")}</th>
            <th scope="col">{t("energy.today")}</th>
            {hasCost && <th scope="col">{t("energy.cost")}</th>}
          </tr>
        </thead>
        <tbody>
          {meters.map((meter) => {
            const used = today.get(meter.node.address);
            const watts = wattsOf(meter.node);
            return (
              <tr key={meter.node.address}>
                <th scope="row">
                  <Link href={nodeHref(meter.node.address)}>
                    {(home.nodes.find(meter.node.primary ?? "") ?? meter.node).name}
                  </Link>{" "}
                  {meter.kind !== "load" && meter.kind !== "other" && (
                    <span class="tag">{t(`node.use.${meter.kind}`)}</span>
                  )}
                </th>
                <td>{watts === null ? "" : powerText(watts)}</td>
                <td>{used && amountText(used.amount, unitOf(meter).text)}</td>
                {hasCost && <td>{used && costText(used, tariff)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

type WholeProps = {
  readonly meters: readonly Meter[];
  readonly today: ReadonlyMap<string, Used>;
  readonly tariff: Tariff | null;
};

/** With a meter of the grid what came from there; without one the devices that are measured, together. */
function Whole({ meters, today, tariff }: WholeProps) {
  const of = (kind: MeterKind) => meters.filter((meter) => meter.kind === kind);
  const hasGrid = of("grid").length > 0;
  const watts = (hasGrid ? meters.filter(({ kind }) => SUPPLY.has(kind)) : of("load")).flatMap(
    ({ node }) => wattsOf(node) ?? [],
  );
  const used = of(hasGrid ? "grid" : "load").flatMap(({ node }) => today.get(node.address) ?? []);
  const all = { amount: sum(used.map(({ amount }) => amount)), cost: sum(used.map(({ cost }) => cost ?? 0)) };
  const made = of("solar").flatMap(({ node }) => today.get(node.address) ?? []);
  if (watts.length === 0) return null;
  const facts = [
    used.length > 0 && t(hasGrid ? "energy.fromGrid" : "energy.usedToday", { amount: amountText(all.amount, "kWh") }),
    used.length > 0 && tariff && costText(all, tariff),
    made.length > 0 && t("energy.fromSun", { amount: amountText(sum(made.map(({ amount }) => amount)), "kWh") }),
  ].filter(Boolean);
  return (
    <p class="whole">
      <strong>{powerText(sum(watts))}</strong>{" "}
      <span>{[t(hasGrid ? "energy.home" : "energy.measured"), ...facts].join(" · ")}</span>
    </p>
  );
}

function amountText(amount: number, unit: string): string {
  return `${number(Math.round(amount * 100) / 100)} ${unit}`;
}

function costText({ cost }: Used, { currency }: Tariff): string {
  return cost === null ? "" : cost.toLocaleString(locale(), { style: "currency", currency });
}

/** `cost`: null without a price. */
type Used = { readonly amount: number; readonly cost: number | null };

const PART_MS = 1_800_000;
const PRICE = "ST";

/**
 * What the meters counted today, and what it cost. The charts of the day are read once and at each new part of it; what is reported in
 * between is counted from the values that the page has already.
 * By address; a meter of which nothing is known is left out.
 */
function useToday(meters: readonly Meter[], tariff: Tariff | null): ReadonlyMap<string, Used> {
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
