/** Power now and energy today, of every meter that reports them. */

import type { Home, Node } from "@domovoi/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Card } from "../parts/layout.tsx";
import { nodeHref } from "../parts/things.ts";
import { seesPast } from "../session/role.ts";
import { useHome, useShownTime, useStore } from "../store/context.ts";
import { powerText } from "../text/power.ts";
import { number, t } from "../text/text.ts";
import { usedIn } from "./used.ts";

const ENERGY = "TPW";
const POWERS = ["CPW", "PPW", "ST"] as const;
/** Watts and kilowatts. */
const WATTS: Readonly<Record<string, number>> = { 73: 1, 30: 1000 };
/** Parts of the day that are looked at: a counter may be reset in each of them. */
const PARTS = 48;
/** Energy of a day changes slowly. */
const READ_EVERY_MS = 300_000;

export function EnergyCard() {
  const home = useHome();
  const { revision } = useStore();
  const meters = useMemo(() => [...home.nodes].filter(isMeter), [home, revision.value]);
  if (meters.length === 0) return null;
  return (
    <Card title={t("energy.title")} class="energy">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t("kind.node")}</span>
            </th>
            <th scope="col">{t("energy.now")}</th>
            <th scope="col">{t("energy.today")}</th>
          </tr>
        </thead>
        <tbody>
          {meters.map((meter) => (
            <MeterRow key={meter.address} meter={meter} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function MeterRow({ meter }: { meter: Node }) {
  const home = useHome();
  const store = useStore();
  for (const id of [...POWERS, ENERGY]) void store.property(meter.address, id).value;
  const today = useEnergyToday(home, meter);
  const watts = wattsOf(meter);
  const device = home.nodes.find(meter.primary ?? "") ?? meter;
  return (
    <tr>
      <th scope="row">
        <Link href={nodeHref(meter.address)}>{device.name}</Link>
      </th>
      <td>{watts === null ? "" : powerText(watts)}</td>
      <td>{today === null ? "" : `${number(Math.round(today * 100) / 100)} kWh`}</td>
    </tr>
  );
}

function isMeter(node: Node): boolean {
  return node.role === "meter" && wattsOf(node) !== null;
}

function wattsOf(node: Node): number | null {
  for (const id of POWERS) {
    const factor = WATTS[node.properties.get(id)?.uom ?? ""];
    const value = node.value(id);
    if (factor !== undefined && value !== null) return value * factor;
  }
  return null;
}

/** In kilowatt-hours; null without samples. */
function useEnergyToday(home: Home, meter: Node): number | null {
  const now = useShownTime();
  const [today, setToday] = useState<number | null>(null);
  useEffect(() => {
    if (!meter.properties.has(ENERGY) || !seesPast()) return;
    const read = async () => {
      const to = new Date(now());
      const from = new Date(to);
      from.setHours(0, 0, 0, 0);
      const before = new Date(from.getTime() - 7 * 86_400_000);
      const [[earlier], points] = await Promise.all([
        home.chart(meter.address, ENERGY, { from: before, to: from, points: 1 }),
        home.chart(meter.address, ENERGY, { from, to, points: PARTS }),
      ]);
      setToday(usedIn(points, earlier?.last ?? points.find(({ min }) => min !== null)?.min ?? null));
    };
    const look = () => void read().catch(() => setToday(null));
    look();
    const timer = setInterval(look, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [home, meter.address]);
  return today;
}
