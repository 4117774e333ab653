/** The temperature and the humidity of a room: the mean of what its thermostats and sensors report. */

import type { Node } from "@domovoi/client";
import { useMemo } from "preact/hooks";
import { useStore } from "../store/context.ts";
import type { HomeStore } from "../store/home-store.ts";
import { useDerived } from "../store/use-derived.ts";
import { isTemperature, temperatureOf } from "../text/home-units.ts";
import { temperatureText } from "../text/temperature.ts";
import { number } from "../text/text.ts";

const MEASURING: ReadonlySet<string> = new Set([
  "thermostat",
  "temperature",
  "humidity",
  "weather",
  "motion",
  "binary-sensor",
]);

export function RoomClimate({ nodes, hasHumidity = false }: { nodes: readonly Node[]; hasHumidity?: boolean }) {
  const store = useStore();
  const measuring = useMemo(() => nodes.filter(({ role }) => MEASURING.has(role ?? "")), [nodes]);
  const text = useDerived(() => {
    const temperature = meanTemperature(store, measuring);
    const humidities = hasHumidity ? measuring.flatMap((node) => humidityAt(store, node)) : [];
    const parts = [
      temperature === null ? "" : temperatureText(temperature),
      humidities.length > 0 ? `${number(Math.round(mean(humidities)))} %` : "",
    ];
    return parts.filter(Boolean).join(" · ");
  }, [measuring, hasHumidity, store.unitsRevision.value]);
  return text === "" ? null : <span class="climate">{text}</span>;
}

/** In the unit of the home; null: none of them knows one. Follows reports. */
export function meanTemperature(store: HomeStore, nodes: readonly Node[]): number | null {
  const temperatures = nodes.flatMap((node) => {
    const id = ["ST", "CLITEMP"].find((some) => {
      const property = store.property(node.address, some).value;
      return property !== null && isTemperature(property);
    });
    return id === undefined ? [] : valuesOf(temperatureOf(node, id));
  });
  return temperatures.length > 0 ? mean(temperatures) : null;
}

function humidityAt(store: HomeStore, node: Node): readonly number[] {
  return store.property(node.address, "CLIHUM").value === null ? [] : valuesOf(node.value("CLIHUM"));
}

function valuesOf(value: number | null): readonly number[] {
  return value === null ? [] : [value];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
