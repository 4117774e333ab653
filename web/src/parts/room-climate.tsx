/** The temperature and the humidity of a room: the mean of what its thermostats and sensors report. */

import type { Node } from "@domovoi/client";
import { useMemo } from "preact/hooks";
import { useStore } from "../store/context.ts";
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
    const temperatures = measuring.flatMap((node) => temperatureAt(node, ["ST", "CLITEMP"]));
    const humidities = hasHumidity ? measuring.flatMap(humidityAt) : [];
    const parts = [
      temperatures.length > 0 ? temperatureText(mean(temperatures)) : "",
      humidities.length > 0 ? `${number(Math.round(mean(humidities)))} %` : "",
    ];
    return parts.filter(Boolean).join(" · ");
    function temperatureAt(node: Node, ids: readonly string[]): readonly number[] {
      const id = ids.find((some) => {
        const property = store.property(node.address, some).value;
        return property !== null && isTemperature(property);
      });
      return id === undefined ? [] : valuesOf(temperatureOf(node, id));
    }
    function humidityAt(node: Node): readonly number[] {
      return store.property(node.address, "CLIHUM").value === null ? [] : valuesOf(node.value("CLIHUM"));
    }
  }, [measuring, hasHumidity, store.unitsRevision.value]);
  return text === "" ? null : <span class="climate">{text}</span>;
}

function valuesOf(value: number | null): readonly number[] {
  return value === null ? [] : [value];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
