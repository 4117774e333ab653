/** Energy now and today: of the whole home in one line, then of each meter, with what it cost. */

import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { nodeHref } from "../parts/things.ts";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { powerText } from "../text/power.ts";
import { locale, number, t } from "../text/text.ts";
import { followed, type Meter, type MeterKind, metersOf, unitOf, wattsOf } from "./meters.ts";
import { sum, type Tariff } from "./tariff.ts";
import { type Used, useToday } from "./use-today.ts";

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
